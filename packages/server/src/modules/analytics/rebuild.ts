import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { chunkPadded, type Db, lockName, statement, statementIn } from '../../db/index.ts'
import { readSetting } from '../settings/index.ts'
import { batchesOfSpacesAndHours, createAccumulators, insertMembers } from './accumulators.ts'
import { recount } from './recompute.ts'
import { claimRebuild, extendRebuild, finishRebuild, LOCK, releaseRebuild } from './rollup-state.ts'

/** A rebuild whose lease has not been extended for this long has died with its process. */
const LEASE_S = 60
const ROWS = 1000

const TABLES = [
  ['analytics_member_rollups', 'generation, span, start, user_id'],
  ['analytics_space_rollups', 'generation, day, space_id'],
  ['analytics_hourly_rollups', 'generation, day, hour'],
] as const

const deleteBatch = (which: '<' | '>') =>
  TABLES.map(([table, key]) =>
    statement<{ generation: number }>(
      `delete from ${table} where (${key}) in (select ${key} from ${table} where generation ${which} $1 limit ${ROWS}) returning generation`,
    ),
  )
const deleteEarlier = deleteBatch('<')
const deleteLater = deleteBatch('>')
const deleteChanges = statement<{ id: number }>(
  `delete from analytics_outbox where id in (select id from analytics_outbox where id > 0 order by id limit ${ROWS}) returning id`,
)
const changeIds = statement<{ id: number }>('select id from analytics_outbox where id > 0')
const removeChanges = statementIn((list) => `delete from analytics_outbox where id in (${list(1)})`)

/**
 * Rebuilds all rollups from a snapshot of the counted rows, while the server keeps running. Writes rows of the next generation, which
 * becomes readable at the end. Returns the number of counted rows; null if another process is rebuilding.
 */
export const rebuildRollups = async ({ database, clock }: Services, shouldContinue: () => boolean = () => true): Promise<number | null> => {
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
      if (!(await extendRebuild(db, leaseEnd, next))) return false
      await work(db)
      return true
    })
    if (stillOwned) leaseEnd = next
    return stillOwned
  }

  const deleteAll = async (remove: (db: Db) => Promise<unknown[]>): Promise<boolean> => {
    for (let removed = ROWS; removed === ROWS; ) {
      const stillOwned = await write(async (db) => {
        removed = (await remove(db)).length
      })
      if (!stillOwned || !shouldContinue()) return false
    }
    return true
  }

  const run = async (): Promise<number | null> => {
    for (const remove of deleteLater) if (!(await deleteAll((db) => remove(db, [current])))) return null
    // These changes are included in the snapshot, and the rollups they were for are replaced.
    if (!(await deleteAll((db) => deleteChanges(db)))) return null

    const result = await database.snapshot(async (view) => {
      const includedIds = (await changeIds(view)).map(({ id }) => id)
      const zone = await readSetting(view, 'timezone')
      const sums = createAccumulators(zone)
      let rows = 0
      for await (const { changes, accounts } of recount(view)) {
        if (!shouldContinue()) return null
        for (const change of changes) sums.add(change)
        rows += changes.length
        const joined = new Map([...accounts].map(([id, at]) => [id, sums.dayOf(at)]))
        if (!(await write((db) => insertMembers(db, generation, sums, joined)))) return null
        sums.members.clear()
      }
      for (const batch of batchesOfSpacesAndHours(generation, sums, ROWS)) if (!(await write(batch))) return null
      return { covered: includedIds, zone, rows }
    })
    if (!result) return null
    const done = await database.write(async (db) => {
      await lockName(db, LOCK)
      if (!(await extendRebuild(db, leaseEnd, leaseEnd))) return false
      for (const ids of chunkPadded(result.covered)) await removeChanges(db, ids.length, ids)
      await finishRebuild(db, generation, result.zone)
      return true
    })
    return done ? result.rows : null
  }

  const rows = await run()
  if (rows === null) {
    await database.write((db) => releaseRebuild(db, leaseEnd))
    return null
  }
  for (const remove of deleteEarlier)
    while ((await database.write((db) => remove(db, [generation]))).length === ROWS) if (!shouldContinue()) break
  return rows
}
