import type { ArchiveRecord } from '@lyceum/contract/archive'

/** What decides who sees an activity. BuddyPress has no `privacy` and no `status`. */
export interface ActivityVisibility {
  readonly is_spam: number | null
  readonly hide_sitewide: number | null
  /** BuddyBoss: public, loggedin, friends, onlyme or grouponly. */
  readonly privacy: string | null
  /** BuddyBoss: published, scheduled or draft. */
  readonly status: string | null
  /** BuddyBoss: whether moderators or many reports have hidden it. */
  readonly hidden: number | null
}

export type GroupStatus = 'public' | 'private' | 'hidden'

/** A group is as private as its status says; an unknown status is that of an extension and is hidden. */
export const groupStatus = (status: string | null): GroupStatus => (status === 'public' || status === 'private' ? status : 'hidden')

/** Who sees a post here, and how that differs from the source. */
type Shown = Pick<ArchiveRecord<'posts'>, 'status' | 'privacy' | 'hold'> & { readonly note?: string }

/** Audiences of activities, from the widest to the narrowest. */
type Audience = 'members' | 'space' | 'friends' | 'moderators' | 'author'

const AUDIENCES = new Map<string, Audience>([
  ['', 'members'],
  ['public', 'members'],
  ['loggedin', 'members'],
  ['grouponly', 'space'],
  ['friends', 'friends'],
  ['onlyme', 'author'],
])

/** An unknown privacy is that of an extension, and may be as narrow as the narrowest. Spam is hidden because it is spam. */
const audienceOf = ({ privacy, hide_sitewide, is_spam }: ActivityVisibility, group: GroupStatus | null): Audience => {
  const audience = AUDIENCES.get(privacy ?? '') ?? 'author'
  if (!group && audience === 'space') return 'author'
  if (group && audience === 'friends') return 'author'
  if (audience !== 'members' || !hide_sitewide || is_spam) return audience
  return group ? 'space' : 'moderators'
}

/** Authors cannot release what was hidden because of reports. */
export const HIDDEN = { reason: 'reports', details: {} }

/**
 * Who sees a post, never more people than at the source: one for friends is visible to followers, whom a private profile approves; one for its
 * author alone is a draft. In private and hidden groups, the space decides.
 */
export const shownAs = (activity: ActivityVisibility, group: GroupStatus | null): Shown => {
  const audience = audienceOf(activity, group)
  const privacy = audience === 'members' || (audience === 'space' && group !== 'public') ? 'public' : 'private'
  if (activity.is_spam) return { status: 'spam', privacy }
  const status = activity.status || 'published'
  if (status === 'scheduled' && audience !== 'author' && audience !== 'moderators') return { status: 'scheduled', privacy }
  if (status !== 'published') return { status: 'draft', privacy }
  if (audience === 'author')
    return { status: 'draft', privacy, note: `it is a draft: nobody but its author may see it (${activity.privacy})` }
  if (activity.hidden || audience === 'moderators')
    return { status: 'pending', privacy, hold: HIDDEN, note: 'it was hidden: a moderator has to publish it' }
  if (audience === 'friends')
    return { status: 'published', privacy, note: 'it was for friends: the followers of its author see it, whom they have to approve' }
  return { status: 'published', privacy }
}
