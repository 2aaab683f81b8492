import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { chunkPadded, type Db, lockName, statement, statementIn } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'
import { createSums, insertMembers, portionsOfPlaces } from './accumulators.ts'
import { recount } from './recompute.ts'
import { claimRebuild, extendRebuild, finishRebuild, giveUpRebuild, LOCK } from './rollup-state.ts'

/** A rebuild that has not been heard of for so long has ended with its process. */
const LEASE_S = 60
const ROWS = 1000

const TABLES = [
  ['analytics_member_rollups', 'generation, span, start, user_id'],
  ['analytics_space_rollups', 'generation, day, space_id'],
  ['analytics_hourly_rollups', 'generation, day, hour'],
] as const

const dropping = (which: '<' | '>') =>
  TABLES.map(([table, key]) =>
    statement<{ generation: number }>(
      `delete from ${table} where (${key}) in (select ${key} from ${table} where generation ${which} $1 limit ${ROWS}) returning generation`,
    ),
  )
const dropEarlier = dropping('<')
const dropLater = dropping('>')
const dropChanges = statement<{ id: number }>(
  `delete from analytics_outbox where id in (select id from analytics_outbox where id > 0 order by id limit ${ROWS}) returning id`,
)
const changeIds = statement<{ id: number }>('select id from analytics_outbox where id > 0')
const removeChanges = statementIn((list) => `delete from analytics_outbox where id in (${list(1)})`)

/**
 * Makes all figures anew from the rows that they count, beside a server that goes on: from a snapshot into rows of the next generation,
 * which hold from then on. Those of the present one are read meanwhile. How many rows were counted; null: another process is at it.
 */
export const rebuildFigures = async ({ database, clock }: Services, goesOn: () => boolean = () => true): Promise<number | null> => {
  const until = () => shift(nowOf(clock), LEASE_S)
  let held = until()
  const present = await database.write(async (db) => {
    await lockName(db, LOCK)
    return claimRebuild(db, nowOf(clock), held)
  })
  if (present === null) return null
  const generation = present + 1
  /** Writes as long as the rebuild is ours; false once another process has taken it over, believing this one to be dead. */
  const write = async (work: (db: Db) => Promise<unknown>): Promise<boolean> => {
    const next = until()
    const ours = await database.write(async (db) => {
      if (!(await extendRebuild(db, held, next))) return false
      await work(db)
      return true
    })
    if (ours) held = next
    return ours
  }

  const emptied = async (remove: (db: Db) => Promise<unknown[]>): Promise<boolean> => {
    for (let removed = ROWS; removed === ROWS; ) {
      const ours = await write(async (db) => {
        removed = (await remove(db)).length
      })
      if (!ours || !goesOn()) return false
    }
    return true
  }

  const count = async (): Promise<number | null> => {
    for (const remove of dropLater) if (!(await emptied((db) => remove(db, [present])))) return null
    // What they tell of is in the rows by now, and the figures that they were meant for go.
    if (!(await emptied((db) => dropChanges(db)))) return null

    const result = await database.snapshot(async (view) => {
      const covered = (await changeIds(view)).map(({ id }) => id)
      const zone = await readSetting(view, 'timezone')
      const sums = createSums(zone)
      let rows = 0
      for await (const { changes, accounts } of recount(view)) {
        if (!goesOn()) return null
        for (const change of changes) sums.add(change)
        rows += changes.length
        const joined = new Map([...accounts].map(([id, at]) => [id, sums.dayOf(at)]))
        if (!(await write((db) => insertMembers(db, generation, sums, joined)))) return null
        sums.members.clear()
      }
      for (const portion of portionsOfPlaces(generation, sums, ROWS)) if (!(await write(portion))) return null
      return { covered, zone, rows }
    })
    if (!result) return null
    const done = await database.write(async (db) => {
      await lockName(db, LOCK)
      if (!(await extendRebuild(db, held, held))) return false
      for (const ids of chunkPadded(result.covered)) await removeChanges(db, ids.length, ids)
      await finishRebuild(db, generation, result.zone)
      return true
    })
    return done ? result.rows : null
  }

  const rows = await count()
  if (rows === null) {
    await database.write((db) => giveUpRebuild(db, held))
    return null
  }
  for (const remove of dropEarlier) while ((await database.write((db) => remove(db, [generation]))).length === ROWS) if (!goesOn()) break
  return rows
}
