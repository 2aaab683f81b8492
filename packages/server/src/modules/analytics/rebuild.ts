import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { type Db, lockName, statementIn, statementRowCount, statementValues } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'
import { type Accumulators, additionsOf, createAccumulators, ROLLUPS, type RollupName } from './accumulators.ts'
import { recount, recountInOrder } from './recompute.ts'
import { claimRebuild, extendRebuild, finishRebuild, LOCK, releaseRebuild } from './rollup-state.ts'

/** A rebuild whose lease has not been extended for this long has died with its process. */
const LEASE_S = 60
/** Rows per transaction beside a running server. */
const ROWS = 1000
/** Sums of spaces and hours in memory, per row of a transaction; more are stored before the end. */
const SUMS_PER_ROW = 10

const deleteBatch = (which: '<' | '>') =>
  Object.values(ROLLUPS).map(({ table, keys }) => {
    const key = ['generation', ...keys].join(', ')
    return statementRowCount(
      `delete from ${table} where (${key}) in (select ${key} from ${table} where generation ${which} $1 limit $2) returning generation`,
    )
  })
const deleteEarlier = deleteBatch('<')
const deleteLater = deleteBatch('>')
const deleteChanges = statementRowCount(
  `delete from analytics_outbox where id in (select id from analytics_outbox where id > 0 order by id limit $1) returning id`,
)
const changeIds = statementValues<number>('select id from analytics_outbox where id > 0')
const removeChanges = statementIn((list) => `delete from analytics_outbox where id in (${list})`)

/**
 * Rebuilds all rollups from a snapshot of the counted rows, while the server keeps running. Writes rows of the next generation, which
 * becomes readable at the end. Returns the number of counted rows; null if another process is rebuilding.
 */
export const rebuildRollups = async (
  { database, clock }: Services,
  shouldContinue: () => boolean = () => true,
  rows = ROWS,
): Promise<number | null> => {
  const until = () => shift(nowOf(clock), LEASE_S)
  let leaseEnd = until()
  const current = await database.write(async (db) => {
    await lockName(db, LOCK)
    return claimRebuild(db, nowOf(clock), leaseEnd)
  })
  if (current === null) return null
  const generation = current + 1
  /** Writes while the rebuild is owned; false if another process took it over. */
  const write = async (work: (db: Db) => Promise<unknown>): Promise<boolean> => {
    const next = until()
    const stillOwned = await database.write(async (db) => {
      if (!(await extendRebuild(db, [next, leaseEnd]))) return false
      await work(db)
      return true
    })
    if (stillOwned) leaseEnd = next
    return stillOwned
  }

  const deleteAll = async (remove: (db: Db) => Promise<number>): Promise<boolean> => {
    for (let removed = rows; removed === rows; ) {
      const stillOwned = await write(async (db) => {
        removed = await remove(db)
      })
      if (!stillOwned || !shouldContinue()) return false
    }
    return true
  }

  const run = async (): Promise<number | null> => {
    for (const remove of deleteLater) if (!(await deleteAll((db) => remove(db, [current, rows])))) return null
    // These changes are included in the snapshot, and the rollups they were for are replaced.
    if (!(await deleteAll((db) => deleteChanges(db, [rows])))) return null

    const result = await database.snapshot(async (view) => {
      const covered = await changeIds(view)
      const zone = await readSetting(view, 'timezone')
      const store = async (name: RollupName, sums: Accumulators, joined: ReadonlyMap<number, number> = new Map()): Promise<boolean> => {
        for (const batch of additionsOf(name, generation, sums, joined, rows)) if (!(await write(batch))) return false
        sums[name].clear()
        return true
      }
      let counted = 0
      const ofMembers = createAccumulators(zone, ['members'])
      for await (const { changes, accounts } of recount(view)) {
        if (!shouldContinue()) return null
        for (const change of changes) ofMembers.add(change)
        counted += changes.length
        const joined = new Map([...accounts].map(([id, at]) => [id, ofMembers.dayOf(at)]))
        if (!(await store('members', ofMembers, joined))) return null
      }
      const ofPlaces = createAccumulators(zone, ['spaces', 'hours'])
      const storePlaces = async () => (await store('spaces', ofPlaces)) && (await store('hours', ofPlaces))
      for await (const changes of recountInOrder(view)) {
        if (!shouldContinue()) return null
        for (const change of changes) ofPlaces.add(change)
        if (ofPlaces.spaces.size + ofPlaces.hours.size > rows * SUMS_PER_ROW && !(await storePlaces())) return null
      }
      return (await storePlaces()) ? { covered, zone, counted } : null
    })
    if (!result) return null
    const done = await database.write(async (db) => {
      await lockName(db, LOCK)
      if (!(await extendRebuild(db, [leaseEnd, leaseEnd]))) return false
      await removeChanges(db, result.covered)
      await finishRebuild(db, [generation, result.zone])
      return true
    })
    return done ? result.counted : null
  }

  const counted = await run()
  if (counted === null) {
    await database.write((db) => releaseRebuild(db, [leaseEnd]))
    return null
  }
  for (const remove of deleteEarlier)
    while ((await database.write((db) => remove(db, [generation, rows]))) === rows) if (!shouldContinue()) break
  return counted
}
