import type { Infer, Space } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { type Db, likeContaining, parameters, runText, statement, statementOne } from '../../db/index.ts'
import { type SpaceFor, spaceColumns, spacesThatRevealMembers, spaceTables, visibleSpaces } from './access.ts'

export interface SpaceFilter {
  readonly type?: Infer<typeof Space>['type']
  readonly privacy?: SpaceFor['privacy']
  readonly status?: SpaceFor['status']
  /** A group; 0: spaces without a group. */
  readonly parent?: number
  readonly search?: string
  /** Spaces in which this user is an active member. */
  readonly member?: number
  /** Only spaces whose memberships the caller may learn. */
  readonly revealsMembership?: boolean
  /** Exclude secret spaces that the caller is not a member of. */
  readonly discoverable?: boolean
}

export interface SpaceOrder {
  readonly by: 'position' | 'title' | 'created_at'
  readonly direction: 'asc' | 'desc'
}

/** SQL condition of a list: the spaces visible to the caller that match the filter. */
const condition = (actor: Actor, filter: SpaceFilter, p: (value: string | number) => string): string => {
  const parts = [visibleSpaces(actor, p)]
  if (filter.type) parts.push(`s.type = ${p(filter.type)}`)
  if (filter.privacy) parts.push(`s.privacy = ${p(filter.privacy)}`)
  if (filter.status) parts.push(`s.status = ${p(filter.status)}`)
  if (filter.parent !== undefined) parts.push(filter.parent === 0 ? 's.parent_id is null' : `s.parent_id = ${p(filter.parent)}`)
  if (filter.revealsMembership) parts.push(spacesThatRevealMembers(actor, p))
  if (filter.discoverable) parts.push(`(s.privacy <> 'secret' or m.status = 'active')`)
  if (filter.member !== undefined) {
    parts.push(`s.id in (select o.space_id from space_members o where o.user_id = ${p(filter.member)} and o.status = 'active')`)
  }
  if (filter.search) {
    const pattern = likeContaining(filter.search)
    parts.push(`(lower(s.title) like lower(${p(pattern)}) escape '\\' or lower(s.description) like lower(${p(pattern)}) escape '\\')`)
  }
  return parts.join(' and ')
}

/** SQL and parameters for one page of spaces. */
const spacesPageSql = (actor: Actor, filter: SpaceFilter, { by, direction }: SpaceOrder, page: { limit: number; offset: number }) => {
  const { values, p } = parameters()
  const columns = spaceColumns(p(actor.id))
  const tables = spaceTables(p(actor.id))
  const text = `select ${columns} from ${tables} where ${condition(actor, filter, p)}
    order by s.${by} ${direction}, s.id ${direction} limit ${p(page.limit)} offset ${p(page.offset)}`
  return { text, values }
}

const spacesCountSql = (actor: Actor, filter: SpaceFilter) => {
  const { values, p } = parameters()
  return { text: `select count(*) as total from ${spaceTables(p(actor.id))} where ${condition(actor, filter, p)}`, values }
}

/** A page of the spaces visible to the caller, and their total. Spaces are few, so counting them is cheap. */
export const listSpaces = async (db: Db, actor: Actor, filter: SpaceFilter, order: SpaceOrder, page: { limit: number; offset: number }) => {
  const rows = spacesPageSql(actor, filter, order, page)
  const count = spacesCountSql(actor, filter)
  const [spaces, [counted]] = await Promise.all([
    runText<SpaceFor>(db, rows.text, rows.values),
    runText<{ total: number }>(db, count.text, count.values),
  ])
  return { spaces, total: counted?.total ?? 0 }
}

/** All spaces visible to the caller, in navigation order. */
export const allVisibleSpaces = (db: Db, actor: Actor): Promise<SpaceFor[]> => {
  const { values, p } = parameters()
  const text = `select ${spaceColumns(p(actor.id))} from ${spaceTables(p(actor.id))} where ${visibleSpaces(actor, p)} order by s.position, s.id`
  return runText<SpaceFor>(db, text, values)
}

/** Ids of all spaces visible to the caller. */
export const visibleSpaceIds = async (db: Db, actor: Actor): Promise<ReadonlySet<number>> => {
  const { values, p } = parameters()
  const text = `select s.id from ${spaceTables(p(actor.id))} where ${visibleSpaces(actor, p)}`
  return new Set((await runText<{ id: number }>(db, text, values)).map((row) => row.id))
}

const memberships = statement<{ space_id: number }>(`select space_id from space_members where user_id = $1 and status = 'active'`)

export const activeSpacesOf = async (db: Db, userId: number): Promise<ReadonlySet<number>> =>
  new Set((await memberships(db, [userId])).map((row) => row.space_id))

export const personById = statementOne<{ id: number; username: string; display_name: string }>(
  'select id, username, display_name from users where id = $1',
)

const lastInGroup = statementOne<{ position: number }>('select max(position) as position from spaces where parent_id = $1')
const lastWithoutGroup = statementOne<{ position: number }>('select max(position) as position from spaces where parent_id is null')

/** The position after the last space of a group (null: of the spaces without a group). */
export const nextPosition = async (db: Db, groupId: number | null): Promise<number> =>
  ((await (groupId === null ? lastWithoutGroup(db) : lastInGroup(db, [groupId])))?.position ?? 0) + 1
