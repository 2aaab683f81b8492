import type { Selectable } from 'kysely'
import { type Db, type SpaceGroupRow, statement, statementNumber, statementOne } from '../../db/index.ts'

export type Group = Selectable<SpaceGroupRow>

export const groupById = statementOne<Group>('select * from space_groups where id = $1')
export const allGroups = statement<Group>('select * from space_groups order by position, id')

export const nextGroupPosition = statementNumber('select coalesce(max(position), 0) + 1 as n from space_groups')
export const setGroupPosition = statement('update space_groups set position = $2 where id = $1')
export const countInGroup = statementNumber('select count(*) as n from spaces where parent_id = $1')

/** The position of a space, for reordering. */
export const spacePosition = statementOne<{ id: number; title: string; parent_id: number | null; position: number }>(
  'select id, title, parent_id, position from spaces where id = $1',
)
export const setSpacePosition = statement('update spaces set parent_id = $2, position = $3 where id = $1')

const shiftInGroup = statement('update spaces set position = position + 1 where parent_id = $1 and position >= $2 and id <> $3')
const shiftWithoutGroup = statement('update spaces set position = position + 1 where parent_id is null and position >= $1 and id <> $2')

/** Increments the positions from `position` on, within the group (null: among spaces without a group), to insert a space there. */
export const shiftPositions = (db: Db, groupId: number | null, position: number, spaceId: number) =>
  groupId === null ? shiftWithoutGroup(db, [position, spaceId]) : shiftInGroup(db, [groupId, position, spaceId])
