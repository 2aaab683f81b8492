import type { api, Permission, QueryOf } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import { pageOf } from '../../core/pagination.ts'
import {
  batchStatement,
  type Db,
  type FeedRow,
  type Placeholder,
  type ReportRow as StoredReport,
  selectPage,
  statementExists,
  statementIn,
  statementNumber,
  statementOne,
  statementValues,
  type Tables,
} from '../../db/index.ts'
import { idsOf } from '../../util/distinct.ts'
import { managesAllCourses } from '../courses/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'

export type ReportRow = StoredReport

export const reportBy = statementOne<ReportRow>(`select * from reports where id = $1`)
const reportsBy = batchStatement<ReportRow>(
  { id: 'bigint' },
  (rows) => `select r.* from ${rows} d join reports r on r.id = d.id order by r.id`,
)
/** The reports that events are about, once each. */
export const reportsOf = (db: Db, events: readonly { readonly report_id: number }[]): Promise<ReportRow[]> =>
  reportsBy(db, idsOf(events, 'report_id'))

const insert = statementOne<ReportRow>(
  `insert into reports (reporter_id, reported_user_id, object_type, object_id, space_id, lesson_id, reason, description, title, excerpt,
   created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
   on conflict (reporter_id, object_type, object_id) where status = 'pending' do nothing returning *`,
)
const change = statementOne<ReportRow>(
  `update reports set reason = $4, description = case when $5 = '' then description else $5 end, title = $6, excerpt = $7, updated_at = $8
   where reporter_id = $1 and object_type = $2 and object_id = $3 and status = 'pending' returning *`,
)

type NewReport = Omit<ReportRow, 'id' | 'status' | 'moderator_id' | 'moderator_note' | 'action_taken' | 'created_at' | 'updated_at'>

/** Stores a report, or updates the reporter's open report about the same object. Null if that report was decided at the same time. */
export const putReport = async (db: Db, report: NewReport, now: string): Promise<{ row: ReportRow; isNew: boolean } | null> => {
  const { reporter_id, object_type, object_id, reason, description, title, excerpt } = report
  const { reported_user_id, space_id, lesson_id } = report
  const about = [reporter_id, reported_user_id, object_type, object_id, space_id, lesson_id]
  const inserted = await insert(db, [...about, reason, description, title, excerpt, now])
  if (inserted) return { row: inserted, isNew: true }
  const row = await change(db, [reporter_id, object_type, object_id, reason, description, title, excerpt, now])
  return row ? { row, isNew: false } : null
}

export const countReporters = statementNumber(
  `select count(distinct reporter_id) as n from reports where object_type = $1 and object_id = $2 and status = 'pending'`,
)
export const countUpheld = statementNumber(`select count(*) as n from reports where reported_user_id = $1 and status = 'resolved'`)

export const decideReport = statementOne<ReportRow>(
  `update reports set status = $2, action_taken = $3, moderator_id = $4, moderator_note = $5, updated_at = $6 where id = $1 returning *`,
)

export const openReports = statementValues<number>(
  `select id from reports where object_type = $1 and object_id = $2 and status = 'pending' order by id`,
)

export const dropReport = statementExists('delete from reports where id = $1 returning id')

/** SQL condition on reports `r`: those the caller may handle. */
export type Scope = (p: Placeholder) => string

const where = ({ status, reason, object_type }: QueryOf<typeof api.moderation.reports>, scope: Scope, p: Placeholder): string =>
  [
    // Also lets an unfiltered count use the primary key.
    'r.id > 0',
    status !== undefined && `r.status = ${p(status)}`,
    reason !== undefined && `r.reason = ${p(reason)}`,
    object_type !== undefined && `r.object_type = ${p(object_type)}`,
    scope(p),
  ]
    .filter((part) => part !== false)
    .join(' and ')

export interface ListedReport extends ReportRow {
  readonly f_id: number | null
  readonly f_slug: string | null
  readonly f_status: string | null
  readonly c_status: string | null
  readonly s_slug: string | null
}

/** Newest first. */
export const listReports = (db: Db, filter: QueryOf<typeof api.moderation.reports>, scope: Scope) =>
  selectPage<ListedReport>(
    db,
    {
      columns: `r.*, f.id as f_id, f.slug as f_slug, f.status as f_status, c.status as c_status, s.slug as s_slug`,
      tables: 'reports r',
      joins: `left join comments c on r.object_type = 'comment' and c.id = r.object_id
        left join feeds f on f.id = case r.object_type when 'feed' then r.object_id when 'comment' then c.post_id end
        left join spaces s on s.id = f.space_id`,
      where: (p) => where(filter, scope, p),
      order: 'r.id desc',
    },
    pageOf(filter),
  )

export type Person = PersonColumns & { readonly user_id: number }

const people = statementIn<Person>((list) => `select u.id as user_id, ${PERSON_COLUMNS} from users u where u.id in (${list})`)
export const peopleBy = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Person>> =>
  new Map((await people(db, [...new Set(ids)])).map((row) => [row.user_id, row]))

export const activeManagers = statementValues<number>(
  `select m.user_id from managers m join users u on u.id = m.user_id where m.status = 'active' and u.status = 'active' order by m.user_id`,
)

/** Content waiting for a decision. */
export type HeldRow = Person &
  Pick<Tables['moderation_holds'], 'feed_id' | 'comment_id' | 'reason' | 'details'> &
  Pick<FeedRow, 'title' | 'slug' | 'space_id' | 'created_at'> & {
    readonly status: 'pending' | 'spam'
    readonly held_at: string
    readonly html: string
    readonly reports_count: number
    readonly s_title: string | null
    readonly s_slug: string | null
  }

type HeldFilter = QueryOf<typeof api.moderation.queue>

/** Moderators limited to some spaces see the held content of these spaces. */
const whereHeld = ({ managedSpaces, ...actor }: Actor, { status, object_type }: HeldFilter, p: Placeholder): string =>
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
      where: (p) => whereHeld(actor, filter, p),
      order: 'h.id',
    },
    pageOf(filter),
  )

/**
 * Whether the actor may handle the report: reports about content of their spaces (all, unless limited); reports about lesson comments are
 * for course managers. Reports about the actor are for others, except for administrators.
 */
export const mayHandleReport = (
  actor: Actor,
  permission: Permission,
  report: Pick<ReportRow, 'space_id' | 'lesson_id' | 'reported_user_id'>,
): boolean =>
  may(actor, permission, report.space_id) &&
  (report.lesson_id === null || managesAllCourses(actor)) &&
  (actor.role === 'admin' || report.reported_user_id !== actor.id)

/** The same condition as SQL, for actors with the permission in at least one space. */
export const reportScopeOf =
  (actor: Actor): Scope =>
  (p) => {
    const { managedSpaces } = actor
    const places =
      managedSpaces === null ? '1 = 1' : managedSpaces.length === 0 ? '1 = 0' : `r.space_id in (${managedSpaces.map(p).join(', ')})`
    const lessons = managesAllCourses(actor) ? '' : ' and r.lesson_id is null'
    const own = actor.role === 'admin' ? '' : ` and r.reported_user_id <> ${p(actor.id)}`
    return `${places}${lessons}${own}`
  }
