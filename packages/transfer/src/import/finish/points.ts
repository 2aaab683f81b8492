import { batchStatement, lockUsers, runText, statement } from '../../../../server/src/db/index.ts'
import { rebuildStatements, updatePeriods } from '../../../../server/src/modules/leaderboard/index.ts'
import { addEntries, lastEntries, reversalOf } from '../../../../server/src/modules/leaderboard/ledger.ts'
import { pointsConfig } from '../../../../server/src/modules/leaderboard/levels.ts'
import { insertAchievements, insertBonuses, insertLogins } from '../../bulk/ledger-sql.ts'
import { quietWrite } from '../../bulk/quiet-write.ts'
import { readBatches } from '../batches.ts'
import { findMapped } from '../lookups.ts'
import type { Run } from '../run.ts'

const USERS_PER_BATCH = 100

const nextPeople = statement<{ id: number }>(
  `select distinct local_id as id from import_map where kind in ('people', 'names') and kind = 'people' and source = $1 and local_id > $2
   order by local_id limit ${USERS_PER_BATCH}`,
)

/** SQL condition: a column contains the id of an imported person in a range. */
const who = (column: string) => `${column} > $1 and ${column} <= $2 and ${column} in (select m.local_id from import_map m
  where m.kind in ('people', 'names') and m.kind = 'people' and m.source = $3 and m.local_id > $1 and m.local_id <= $2)`

const deleteMarks = `delete from points_unfolded where ${who('user_id')}`

/** Adds data derived from imported content: days of activity, bonuses, totals, achievements. */
const complete = async (run: Run): Promise<void> => {
  const { database } = run.services
  const login = (await pointsConfig(database.read)).daily_login
  for (let after = 0; ; ) {
    run.checkSignal()
    const people = await nextPeople(database.read, [run.name, after])
    const last = people.at(-1)
    if (!last) return
    const between = [after, last.id, run.name]
    await database.write(async (db) => {
      // A running server may be awarding points to the same members.
      await lockUsers(
        db,
        people.map(({ id }) => id),
      )
      await runText(db, insertLogins(who, '$4'), [...between, login])
      await runText(db, insertBonuses(` and ${who('l.user_id')}`), between)
      await runText(db, deleteMarks, between)
      for (const texts of Object.values(rebuildStatements(who))) for (const text of texts) await runText(db, text, between)
      for (const text of insertAchievements(who)) await runText(db, text, between)
    })
    await run.pace.rest()
    after = last.id
  }
}

const totals = batchStatement<{ id: number; total: number; created_at: string }>(
  { id: 'bigint' },
  (rows) => `select u.id, u.created_at, (select coalesce(sum(l.points), 0) from points_ledger l where l.user_id = u.id) as total
    from ${rows} d cross join users u where u.id = d.id and u.status <> 'deleted'`,
)

const keyOf = (user: number): string => `imported:user:${user}`

/**
 * Adds the points that people had at the source beyond those for imported content, dated when they joined. Lyceum archives count points
 * like this community, so the totals of new members are exact, even if their content would earn more.
 */
const addFurther = async (run: Run): Promise<void> => {
  const { database } = run.services
  for await (const candidates of readBatches(
    run.source,
    'people',
    () => USERS_PER_BATCH,
    () => {},
  )) {
    run.checkSignal()
    const people = await findMapped(
      database.read,
      run.name,
      'people',
      candidates.map(({ record }) => record.id),
    )
    const wanted = new Map<number, number>()
    const exact = new Set<number>()
    for (const { record } of candidates) {
      const { local_id: id, fingerprint } = people.get(record.id) ?? {}
      if (!id) continue
      const points = record.points ?? 0
      if (run.source.name === 'lyceum' && fingerprint !== '') exact.add(id)
      if (points > 0 || exact.has(id)) wanted.set(id, Math.max(wanted.get(id) ?? 0, points))
    }
    if (wanted.size === 0) continue
    await database.write(async (db) => {
      const ids = [...wanted.keys()].sort((a, b) => a - b)
      await lockUsers(db, ids)
      const before = await lastEntries(db, ids.map(keyOf))
      const entries = (await totals(db, ids)).flatMap(({ id, total, created_at }) => {
        const last = before.get(keyOf(id))
        const current = last?.reverses === null ? last : undefined
        const earned = Number(total) - (current?.points ?? 0)
        // Later imports must not remove points earned in this community. So the first one adds an entry even without points.
        const isFirst = exact.has(id) && !last
        const least = isFirst ? Number.NEGATIVE_INFINITY : Math.min(0, current?.points ?? 0)
        const points = Math.max(least, (wanted.get(id) ?? 0) - earned)
        if (!isFirst && points === (current?.points ?? 0)) return []
        const times = Number(/#(\d+)$/.exec(last?.event_key ?? '')?.[1] ?? (last ? 1 : 0)) + 1
        const event_key = times === 1 ? keyOf(id) : `${keyOf(id)}#${times}`
        const entry = { user_id: id, kind: 'imported' as const, dedup_key: keyOf(id), points, event_key, space_id: null, feed_id: null }
        const added = points === 0 && !isFirst ? [] : [{ ...entry, comment_id: null, day: run.earnings.dayOf(created_at), reverses: null }]
        return current ? [reversalOf(current), ...added] : added
      })
      await addEntries(quietWrite(run.services, db, { now: run.now, userId: 0 }), entries)
    })
    await run.pace.rest()
  }
}

/** Awards points for imported content, and the further points that people had at the source. */
export const completePoints = async (run: Run): Promise<void> => {
  await complete(run)
  await addFurther(run)
  await run.services.points.fold()
  await updatePeriods(run.services)
}
