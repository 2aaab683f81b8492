import type { api, QueryOf } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { pageOf } from '../../core/pagination.ts'
import { type Db, type Placeholder, selectPage } from '../../db/index.ts'
import { managesAllCourses } from '../courses/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'

/** Content waiting for a decision. */
export interface HeldRow extends PersonColumns {
  readonly feed_id: number
  readonly comment_id: number | null
  readonly user_id: number
  readonly reason: string
  readonly details: string
  readonly held_at: string
  readonly status: 'pending' | 'spam'
  readonly title: string
  readonly slug: string
  readonly html: string
  readonly created_at: string
  readonly reports_count: number
  readonly space_id: number | null
  readonly s_title: string | null
  readonly s_slug: string | null
}

type HeldFilter = QueryOf<typeof api.moderation.queue>

/** Moderators limited to some spaces see the held content of these spaces. */
const where = ({ managedSpaces, ...actor }: Actor, { status, object_type }: HeldFilter, p: Placeholder): string =>
  [
    'h.id > 0',
    managedSpaces !== null && (managedSpaces.length === 0 ? '1 = 0' : `f.space_id in (${managedSpaces.map(p).join(', ')})`),
    !managesAllCourses({ ...actor, managedSpaces }) && 'f.lesson_id is null',
    // A draft, and everything below it, is visible only to its author.
    `f.status <> 'draft'`,
    object_type === 'feed' && 'h.comment_id is null',
    object_type === 'comment' && 'h.comment_id is not null',
    status !== undefined && `coalesce(c.status, f.status) = ${p(status)}`,
  ]
    .filter((part) => part !== false)
    .join(' and ')

/** Longest waiting first. */
export const listHeld = (db: Db, actor: Actor, filter: HeldFilter) =>
  selectPage<HeldRow>(
    db,
    {
      columns: `h.feed_id, h.comment_id, coalesce(c.user_id, f.user_id) as user_id, h.reason, h.details, h.created_at as held_at,
        coalesce(c.status, f.status) as status, f.title, f.slug, coalesce(c.message_rendered, f.message_rendered) as html,
        coalesce(c.created_at, f.created_at) as created_at, f.space_id, s.title as s_title, s.slug as s_slug,
        (select count(*) from reports r where r.object_type = case when h.comment_id is null then 'feed' else 'comment' end
          and r.object_id = coalesce(h.comment_id, h.feed_id) and r.status = 'pending') as reports_count, ${PERSON_COLUMNS}`,
      tables: 'moderation_holds h join feeds f on f.id = h.feed_id left join comments c on c.id = h.comment_id',
      joins: 'left join spaces s on s.id = f.space_id join users u on u.id = coalesce(c.user_id, f.user_id)',
      where: (p) => where(actor, filter, p),
      order: 'h.id',
    },
    pageOf(filter),
  )
