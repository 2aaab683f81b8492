import type { ArchiveRecord } from '@lyceum/contract/archive'

/** Columns that determine the audience of an activity. BuddyPress has no `privacy` and `status`. */
export interface ActivityVisibility {
  readonly is_spam: number | null
  readonly hide_sitewide: number | null
  /** BuddyBoss: public, loggedin, friends, onlyme or grouponly. */
  readonly privacy: string | null
  /** BuddyBoss: published, scheduled or draft. */
  readonly status: string | null
  /** BuddyBoss: whether it is hidden by moderators or because of reports. */
  readonly hidden: number | null
}

export type GroupStatus = 'public' | 'private' | 'hidden'

/** Groups with an unknown status, set by a plugin, are treated as hidden. */
export const groupStatus = (status: string | null): GroupStatus => (status === 'public' || status === 'private' ? status : 'hidden')

/** Visibility of an imported post, and how it differs from the source. */
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

/** An unknown privacy, set by a plugin, is treated as the strictest. Spam is hidden because of its status. */
const audienceOf = ({ privacy, hide_sitewide, is_spam }: ActivityVisibility, group: GroupStatus | null): Audience => {
  const audience = AUDIENCES.get(privacy ?? '') ?? 'author'
  if (!group && audience === 'space') return 'author'
  if (group && audience === 'friends') return 'author'
  if (audience !== 'members' || !hide_sitewide || is_spam) return audience
  return group ? 'space' : 'moderators'
}

/** Holds of reported content. Authors cannot release these. */
export const HIDDEN = { reason: 'reports', details: {} }

/**
 * Visibility of an imported post, never wider than in the source. Posts for friends become visible to approved followers; posts for the
 * author alone become drafts. In private and hidden groups, the space determines the audience.
 */
export const shownAs = (activity: ActivityVisibility, group: GroupStatus | null): Shown => {
  const audience = audienceOf(activity, group)
  const privacy = audience === 'members' || (audience === 'space' && group !== 'public') ? 'public' : 'private'
  if (activity.is_spam) return { status: 'spam', privacy }
  const status = activity.status || 'published'
  if (status === 'scheduled' && audience !== 'author' && audience !== 'moderators') return { status: 'scheduled', privacy }
  if (status !== 'published') return { status: 'draft', privacy }
  if (audience === 'author')
    return { status: 'draft', privacy, note: `it is a draft now: only its author may see it (${activity.privacy})` }
  if (activity.hidden || audience === 'moderators')
    return { status: 'pending', privacy, hold: HIDDEN, note: 'it is pending now: it was hidden, so a moderator must publish it' }
  if (audience === 'friends')
    return { status: 'published', privacy, note: 'it was only for friends; now the approved followers of its author can see it' }
  return { status: 'published', privacy }
}
