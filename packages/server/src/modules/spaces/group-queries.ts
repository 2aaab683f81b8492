import type { Selectable } from 'kysely'
import { type Db, type SpaceGroupRow, statement, statementOne } from '../../db/index.ts'

export type Group = Selectable<SpaceGroupRow>

export const groupById = statementOne<Group>('select * from space_groups where id = $1')
export const allGroups = statement<Group>('select * from space_groups order by serial, id')

const last = statementOne<{ serial: number }>('select max(serial) as serial from space_groups')
export const nextGroupSerial = async (db: Db): Promise<number> => ((await last(db))?.serial ?? 0) + 1

const setSerial = statement('update space_groups set serial = $2 where id = $1')
export const placeGroup = (db: Db, id: number, serial: number) => setSerial(db, [id, serial])

const count = statementOne<{ total: number }>('select count(*) as total from spaces where parent_id = $1')
export const countInGroup = async (db: Db, id: number): Promise<number> => (await count(db, [id]))?.total ?? 0

/** A space as re-ordering needs it. */
export interface Placed {
  readonly id: number
  readonly title: string
  readonly parent_id: number | null
  readonly serial: number
}

export const placedSpace = statementOne<Placed>('select id, title, parent_id, serial from spaces where id = $1')
const place = statement('update spaces set parent_id = $2, serial = $3 where id = $1')
export const placeSpace = (db: Db, id: number, groupId: number | null, serial: number) => place(db, [id, groupId, serial])

const shiftInGroup = statement('update spaces set serial = serial + 1 where parent_id = $1 and serial >= $2 and id <> $3')
const shiftWithoutGroup = statement('update spaces set serial = serial + 1 where parent_id is null and serial >= $1 and id <> $2')

/** Makes room for a space at a place of its group (null: among those without one). */
export const makeRoom = (db: Db, groupId: number | null, serial: number, spaceId: number) =>
  groupId === null ? shiftWithoutGroup(db, [serial, spaceId]) : shiftInGroup(db, [groupId, serial, spaceId])
