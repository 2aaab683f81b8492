import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { type Db, lockName, statementIn, statementRowCount, statementValues } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'
import { type Accumulators, additionsOf, createAccumulators, ROLLUPS, type RollupName } from './accumulators.ts'
import { recount, recountInOrder } from './recompute.ts'
import { claimRebuild, extendRebuild, finishRebuild, LOCK, releaseRebuild } from './rollup-state.ts'

/** A rebuild whose lease has not been extended for this long has died with its process. */
const LEASE_S = 60
const ROWS = 1000
/** Sums of spaces and hours in memory; more are stored before the end. */
const MOST_SUMS = 10_000

const deleteBatch = (which: '<' | '>') =>
  Object.values(ROLLUPS).map(({ table, keys }) => {
    const key = ['generation', ...keys].join(', ')
    return statementRowCount(
      `delete from ${table} where (${key}) in (select ${key} from ${table} where generation ${which} $1 limit ${ROWS}) returning generation`,
    )
  })
const deleteEarlier = deleteBatch('<')
const deleteLater = deleteBatch('>')
const deleteChanges = statementRowCount(
  `delete from analytics_outbox where id in (select id from analytics_outbox where id > 0 order by id limit ${ROWS}) returning id`,
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
  mostSums = MOST_SUMS,
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
    for (let removed = ROWS; removed === ROWS; ) {
      const stillOwned = await write(async (db) => {
        removed = await remove(db)
      })
      if (!stillOwned || !shouldContinue()) return false
    }
    return true
  }

  const run = async (): Promise<number | null> => {
    for (const remove of deleteLater) if (!(await deleteAll((db) => remove(db, [current])))) return null
    // These changes are included in the snapshot, and the rollups they were for are replaced.
    if (!(await deleteAll(deleteChanges))) return null

    const result = await database.snapshot(async (view) => {
      const covered = await changeIds(view)
      const zone = await readSetting(view, 'timezone')
      const store = async (name: RollupName, sums: Accumulators, joined: ReadonlyMap<number, number> = new Map()): Promise<boolean> => {
        for (const batch of additionsOf(name, generation, sums, joined, ROWS)) if (!(await write(batch))) return false
        sums[name].clear()
        return true
      }
      let rows = 0
      const ofMembers = createAccumulators(zone, ['members'])
      for await (const { changes, accounts } of recount(view)) {
        if (!shouldContinue()) return null
        for (const change of changes) ofMembers.add(change)
        rows += changes.length
        const joined = new Map([...accounts].map(([id, at]) => [id, ofMembers.dayOf(at)]))
        if (!(await store('members', ofMembers, joined))) return null
      }
      const ofPlaces = createAccumulators(zone, ['spaces', 'hours'])
      const storePlaces = async () => (await store('spaces', ofPlaces)) && (await store('hours', ofPlaces))
      for await (const changes of recountInOrder(view)) {
        if (!shouldContinue()) return null
        for (const change of changes) ofPlaces.add(change)
        if (ofPlaces.spaces.size + ofPlaces.hours.size > mostSums && !(await storePlaces())) return null
      }
      return (await storePlaces()) ? { covered, zone, rows } : null
    })
    if (!result) return null
    const done = await database.write(async (db) => {
      await lockName(db, LOCK)
      if (!(await extendRebuild(db, [leaseEnd, leaseEnd]))) return false
      await removeChanges(db, result.covered)
      await finishRebuild(db, [generation, result.zone])
      return true
    })
    return done ? result.rows : null
  }

  const rows = await run()
  if (rows === null) {
    await database.write((db) => releaseRebuild(db, [leaseEnd]))
    return null
  }
  for (const remove of deleteEarlier) while ((await database.write((db) => remove(db, [generation]))) === ROWS) if (!shouldContinue()) break
  return rows
}
