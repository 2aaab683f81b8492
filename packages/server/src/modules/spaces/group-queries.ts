import type { Selectable } from 'kysely'
import { type Db, type SpaceGroupRow, statement, statementOne } from '../../db/index.ts'

export type Group = Selectable<SpaceGroupRow>

export const groupById = statementOne<Group>('select * from space_groups where id = $1')
export const allGroups = statement<Group>('select * from space_groups order by position, id')

const lastPosition = statementOne<{ position: number }>('select max(position) as position from space_groups')
export const nextGroupPosition = async (db: Db): Promise<number> => ((await lastPosition(db))?.position ?? 0) + 1

const setPosition = statement('update space_groups set position = $2 where id = $1')
export const setGroupPosition = (db: Db, id: number, position: number) => setPosition(db, [id, position])

const count = statementOne<{ total: number }>('select count(*) as total from spaces where parent_id = $1')
export const countInGroup = async (db: Db, id: number): Promise<number> => (await count(db, [id]))?.total ?? 0

/** The position of a space, for reordering. */
interface SpacePosition {
  readonly id: number
  readonly title: string
  readonly parent_id: number | null
  readonly position: number
}

export const spacePosition = statementOne<SpacePosition>('select id, title, parent_id, position from spaces where id = $1')
const moveSpace = statement('update spaces set parent_id = $2, position = $3 where id = $1')
export const setSpacePosition = (db: Db, id: number, groupId: number | null, position: number) => moveSpace(db, [id, groupId, position])

const shiftInGroup = statement('update spaces set position = position + 1 where parent_id = $1 and position >= $2 and id <> $3')
const shiftWithoutGroup = statement('update spaces set position = position + 1 where parent_id is null and position >= $1 and id <> $2')

/** Increments the positions from `position` on, within the group (null: among spaces without a group), to insert a space there. */
export const shiftPositions = (db: Db, groupId: number | null, position: number, spaceId: number) =>
  groupId === null ? shiftWithoutGroup(db, [position, spaceId]) : shiftInGroup(db, [groupId, position, spaceId])
