import { escapeHtml, excerpt, plainText } from '@lyceum/content'
import type { Activity, Infer } from '@lyceum/contract'
import { permalink } from '../feeds/view.ts'
import { viewXprofile } from '../members/view.ts'
import type { ActivityFor } from './queries.ts'
import { relativeTime } from './relative-time.ts'

type ActivityView = Infer<typeof Activity>

const TITLE_LENGTH = 80

/** Phrases of the ticker, which shows the target separately. */
const PHRASES: Readonly<Record<string, string>> = {
  post_created: 'published a post',
  comment_added: 'commented on',
  reaction_added: 'reacted to',
  space_joined: 'joined',
  space_created: 'created the space',
  bookmark_added: 'bookmarked',
  profile_updated: 'updated their profile',
  follow_user: 'follows',
  course_enrolled: 'enrolled in',
  lesson_completed: 'completed a lesson of',
}

const phraseOf = ({ action_type }: ActivityFor) => PHRASES[action_type] ?? action_type.replaceAll('_', ' ')

const profileUrl = (origin: string, username: string) => `${origin}/u/${username}`

const targetOf = (row: ActivityFor, origin: string) => {
  const base = { type: row.object_type, id: row.object_id }
  if (row.f_slug !== null) {
    const url = permalink(origin, { slug: row.f_slug, s_slug: row.s_slug })
    const title = row.f_title || excerpt(plainText(row.f_beginning ?? ''), TITLE_LENGTH)
    return { ...base, title, url: row.comment_id === null ? url : `${url}?comment_id=${row.comment_id}` }
  }
  if (row.s_slug !== null) return { ...base, title: row.s_title ?? '', url: `${origin}/spaces/${row.s_slug}` }
  if (row.k_slug !== null) return { ...base, title: row.k_title ?? '', url: `${origin}/courses/${row.k_slug}` }
  if (row.o_username !== null) return { ...base, title: row.o_display_name ?? '', url: profileUrl(origin, row.o_username) }
  return { ...base, title: row.u_display_name, url: profileUrl(origin, row.u_username) }
}

export const viewTicker = (row: ActivityFor, origin: string, now: string) => ({
  type: row.action_type,
  user: { id: row.user_id, display_name: row.u_display_name, username: row.u_username, avatar: row.u_avatar },
  action: phraseOf(row),
  target: targetOf(row, origin),
  timestamp: relativeTime(row.created_at, now),
})

const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`

const messageOf = (row: ActivityFor, origin: string): string => {
  const who = link(profileUrl(origin, row.u_username), row.u_display_name || row.u_username)
  if (row.action_type === 'profile_updated') return `${who} ${phraseOf(row)}`
  const { title, url } = targetOf(row, origin)
  const what = link(url, title || 'a post')
  if (row.action_type === 'post_created') return `${who} published ${what}`
  const onComment = row.action_type === 'reaction_added' && row.comment_id !== null
  return `${who} ${escapeHtml(phraseOf(row))}${onComment ? ' a comment on' : ''} ${what}`
}

const routeOf = (row: ActivityFor): ActivityView['route'] => {
  const query = row.comment_id === null ? {} : { query: { comment_id: row.comment_id } }
  if (row.f_slug !== null) {
    if (row.s_slug === null) return { name: 'single_feed', params: { feed_slug: row.f_slug }, ...query }
    return { name: 'space_feed', params: { space: row.s_slug, feed_slug: row.f_slug }, ...query }
  }
  if (row.s_slug !== null) return { name: 'space', params: { space: row.s_slug } }
  if (row.k_slug !== null) return { name: 'course', params: { course: row.k_slug } }
  return { name: 'user_profile', params: { username: row.o_username ?? row.u_username } }
}

export const viewActivity = (row: ActivityFor, origin: string): ActivityView => ({
  id: row.id,
  user_id: row.user_id,
  action_type: row.action_type as ActivityView['action_type'],
  object_id: row.object_id,
  object_type: row.object_type,
  space_id: row.space_id,
  meta: JSON.parse(row.meta) as Record<string, unknown>,
  message: messageOf(row, origin),
  xprofile: { ...viewXprofile(row), last_activity: row.u_last_activity },
  route: routeOf(row),
  created_at: row.created_at,
  updated_at: row.created_at,
})
