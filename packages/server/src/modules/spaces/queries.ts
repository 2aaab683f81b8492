import type { Infer, Space } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import {
  containsText,
  type Db,
  type PageWindow,
  type Placeholder,
  type SpaceGroupRow,
  selectPage,
  selectRows,
  statementNumber,
  statementOne,
  statementValues,
} from '../../db/index.ts'
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

const condition = (actor: Actor, filter: SpaceFilter, p: Placeholder): string => {
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
  if (filter.search) parts.push(containsText(filter.search, p, 's.title', 's.description'))
  return parts.join(' and ')
}

/** A page of the spaces visible to the caller, and their total. Spaces are few, so counting them is cheap. */
export const listSpaces = (db: Db, actor: Actor, filter: SpaceFilter, { by, direction }: SpaceOrder, page: PageWindow) =>
  selectPage<SpaceFor>(
    db,
    {
      columns: (p) => spaceColumns(p(actor.id)),
      tables: (p) => spaceTables(p(actor.id)),
      where: (p) => condition(actor, filter, p),
      order: `s.${by} ${direction}, s.id ${direction}`,
    },
    page,
  )

export const allVisibleSpaces = (db: Db, actor: Actor): Promise<SpaceFor[]> =>
  selectRows<SpaceFor>(
    db,
    (p) =>
      `select ${spaceColumns(p(actor.id))} from ${spaceTables(p(actor.id))} where ${visibleSpaces(actor, p)} order by s.position, s.id`,
  )

export const visibleSpaceIds = async (db: Db, actor: Actor): Promise<ReadonlySet<number>> => {
  const rows = await selectRows<{ id: number }>(db, (p) => `select s.id from ${spaceTables(p(actor.id))} where ${visibleSpaces(actor, p)}`)
  return new Set(rows.map((row) => row.id))
}

const memberships = statementValues<number>(`select space_id from space_members where user_id = $1 and status = 'active'`)

export const activeSpacesOf = async (db: Db, userId: number): Promise<ReadonlySet<number>> => new Set(await memberships(db, [userId]))

export const personById = statementOne<{ id: number; username: string; display_name: string }>(
  'select id, username, display_name from users where id = $1',
)

export type Group = SpaceGroupRow

export const groupById = statementOne<Group>('select * from space_groups where id = $1')

const lastPosition = statementNumber('select max(position) as n from spaces where coalesce(parent_id, 0) = $1')

/** The position after the last space of a group (null: of the spaces without a group). */
export const nextPosition = async (db: Db, groupId: number | null): Promise<number> => (await lastPosition(db, [groupId ?? 0])) + 1
