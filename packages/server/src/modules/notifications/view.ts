import { excerpt, plainText } from '@lyceum/content'
import type { Infer, Language, Notification } from '@lyceum/contract'
import { noticeTitle } from '@lyceum/mail/notifications'
import { permalink } from '../feeds/view.ts'
import { viewXprofile } from '../members/view.ts'
import type { NotificationFor } from './queries.ts'

export type NotificationView = Infer<typeof Notification>

const TITLE_LENGTH = 80
const MESSAGE_LENGTH = 200

/** Extra data of a notification: a text of its own, and whether it was `@everyone`. */
export interface NoticeMeta {
  readonly everyone?: true
  readonly title?: string
  readonly message?: string
  readonly path?: string
  /** Shown in the app and in digests, but not mailed separately. */
  readonly unmailed?: true
}

const actionOf = (row: NotificationFor, origin: string, { path }: NoticeMeta): string => {
  if (path) return origin + path
  if (row.f_slug !== null) {
    const url = permalink(origin, { slug: row.f_slug, s_slug: row.s_slug })
    const comment = row.cause_comment_id ?? row.comment_id
    return comment === null ? url : `${url}?comment_id=${comment}`
  }
  if (row.s_slug !== null) {
    const space = `${origin}/spaces/${row.s_slug}`
    if (row.type !== 'space_join') return space
    return row.pending ? `${space}/members?status=pending` : `${space}/members`
  }
  if (row.k_slug !== null) return `${origin}/courses/${row.k_slug}`
  return origin + (row.type === 'new_follower' ? `/u/${row.u_username}` : '/notifications')
}

const beginning = (html: string | null, length: number): string => (html ? excerpt(plainText(html), length) : '')

/** The texts of a notification in plain text, built from present names and titles; in English without `lang`. */
export const viewNotification = (row: NotificationFor, origin: string, lang?: Language): NotificationView => {
  const meta = JSON.parse(row.meta) as NoticeMeta
  const of = row.object_type === 'feed' || row.object_type === 'comment' ? row.object_type : 'other'
  const feed = row.f_title || beginning(row.f_beginning, TITLE_LENGTH)
  const comment = beginning(row.c_beginning, TITLE_LENGTH)
  const place = row.s_title ?? row.k_title ?? ''
  const about = { feed, comment, place, pending: row.pending > 0, everyone: meta.everyone ?? false }
  const { type } = row
  const title = meta.title ?? noticeTitle({ ...about, type, of, name: row.u_display_name, count: row.actors_count }, lang)
  const text = beginning(row.c_beginning ?? row.f_beginning, MESSAGE_LENGTH)
  return {
    id: row.id,
    user_id: row.recipient_id,
    type,
    title,
    message: meta.message ?? (text || title),
    action_url: actionOf(row, origin, meta),
    is_read: row.is_read === 1,
    actor_id: row.user_id,
    actors_count: row.actors_count,
    object_id: row.object_id,
    object_type: row.object_type,
    about,
    created_at: row.created_at,
    updated_at: row.updated_at,
    read_at: row.read_at,
    xprofile: viewXprofile(row),
  }
}
