import { excerpt, plainText } from '../../platform/content/plain.ts'
import { permalink } from '../feeds/view.ts'
import type { ActivityFor } from './queries.ts'
import { relativeTime } from './rules.ts'

const TITLE_LENGTH = 80

const PHRASES: Readonly<Record<string, string>> = {
  post_created: 'published a post',
  comment_added: 'commented on',
  reaction_added: 'reacted to',
  space_joined: 'joined',
  space_created: 'created the space',
  bookmark_added: 'bookmarked',
  profile_updated: 'updated their profile',
}

const targetOf = (row: ActivityFor, origin: string) => {
  const base = { type: row.object_type, id: row.object_id }
  if (row.f_slug !== null) {
    const url = permalink(origin, { slug: row.f_slug, s_slug: row.s_slug })
    const title = row.f_title || excerpt(plainText(row.f_beginning ?? ''), TITLE_LENGTH)
    return { ...base, title, url: row.comment_id === null ? url : `${url}?comment_id=${row.comment_id}` }
  }
  if (row.s_slug !== null) return { ...base, title: row.s_title ?? '', url: `${origin}/spaces/${row.s_slug}` }
  return { ...base, title: row.u_display_name, url: `${origin}/u/${row.u_username}` }
}

/** One line of the ticker. */
export const viewTicker = (row: ActivityFor, origin: string, now: string) => ({
  type: row.action_type,
  user: { id: row.user_id, display_name: row.u_display_name, username: row.u_username, avatar: row.u_avatar },
  action: PHRASES[row.action_type] ?? row.action_type.replaceAll('_', ' '),
  target: targetOf(row, origin),
  timestamp: relativeTime(row.created_at, now),
})
