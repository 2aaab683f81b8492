import { MAX_ACTORS_COUNTED, type NotificationType } from '@lyceum/contract'

const DAY_S = 24 * 3600
/** Retention of read and of unread notifications. */
export const READ_RETENTION_S = 90 * DAY_S
export const UNREAD_RETENTION_S = 365 * DAY_S
/** An edit of a text older than this notifies nobody: the first notification may be deleted by then, so people could be notified twice. */
export const MAX_EDIT_AGE_S = READ_RETENTION_S - DAY_S

const MENTION = /<a class="mention" href="(?:https?:\/\/[^"/]+)?\/u\/([a-z0-9_-]{3,30})"/g
const MAX_MENTIONS = 50

/** Usernames mentioned in stored HTML. The HTML is our own, and links only users who existed when it was rendered. */
export const mentionsIn = (html: string): string[] => {
  const names = new Set<string>()
  for (const [, name] of html.matchAll(MENTION)) {
    if (name) names.add(name)
    if (names.size === MAX_MENTIONS) break
  }
  return [...names]
}

/** “Ana”, “Ana and 4 others”, “Ana and 99+ others”. */
export const whoActed = (name: string, count: number): string => {
  if (count <= 1) return name
  const others = count >= MAX_ACTORS_COUNTED ? `${MAX_ACTORS_COUNTED - 1}+` : String(count - 1)
  return `${name} and ${others} ${others === '1' ? 'other' : 'others'}`
}

export interface TitleData {
  readonly type: NotificationType
  /** The latest actor and the number of others. */
  readonly who: string
  readonly of: 'feed' | 'comment' | 'other'
  readonly feed: string
  readonly comment: string
  readonly place: string
  readonly pending: boolean
  /** The mention was `@everyone`. */
  readonly everyone: boolean
}

const quoted = (text: string): string => (text ? ` “${text}”` : '')

const TITLES: Readonly<Record<Exclude<NotificationType, 'moderation'>, (facts: TitleData) => string>> = {
  new_comment: ({ who, feed }) => `${who} commented on your post${quoted(feed)}`,
  new_reply: ({ who, feed }) => `${who} replied to your comment${feed && ` on${quoted(feed)}`}`,
  new_reaction: ({ who, of, feed, comment }) =>
    `${who} reacted to your ${of === 'comment' ? `comment${quoted(comment)}` : `post${quoted(feed)}`}`,
  mention: ({ who, of, feed, everyone }) => {
    const post = feed ? `the post${quoted(feed)}` : 'a post'
    const place = of === 'comment' ? `a comment${feed && ` on${quoted(feed)}`}` : post
    return `${who} mentioned ${everyone ? 'everyone' : 'you'} in ${place}`
  },
  new_follower: ({ who, pending }) => (pending ? `${who} wants to follow you` : `${who} follows you`),
  space_invite: ({ who, place }) => `${who} added you to the space${quoted(place)}`,
  space_join: ({ who, place, pending }) => `${who} ${pending ? 'asks to join' : 'joined'} the space${quoted(place)}`,
  course_enrollment: ({ who, place }) => `${who} enrolled in${quoted(place) || ' your course'}`,
  lesson_complete: ({ who, place }) => `${who} completed a lesson of${quoted(place) || ' your course'}`,
}

/** The title. Warnings by moderators have a text of their own. */
export const titleOf = (facts: TitleData): string =>
  facts.type === 'moderation' ? 'A message from the moderators' : TITLES[facts.type](facts)
