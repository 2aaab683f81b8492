import { type Db, lockName, statement } from '../../db/index.ts'
import { addToRollups, type Change, createAccumulators } from './accumulators.ts'
import { LOCK, notifyChanged, readState } from './rollup-state.ts'

/** Changes applied per write. */
export const BATCH_SIZE = 500

const takeOldest = statement<Change>(
  `delete from analytics_outbox where id in (select id from analytics_outbox where id > 0 order by id limit ${BATCH_SIZE})
   returning at, user_id, space_id, posts, comments, reactions, post_reactions, post_comments, comment_reactions, joins, members`,
)

/** Applies the oldest changes to the rollups and returns their number. Does nothing during a rebuild. */
export const applyChanges = async (db: Db): Promise<number> => {
  await lockName(db, LOCK)
  const { stale, generation, zone } = await readState(db)
  if (stale) return 0
  const changes = await takeOldest(db)
  const sums = createAccumulators(zone)
  for (const change of changes) sums.add(change)
  await addToRollups(db, generation, sums)
  if (changes.length > 0) await notifyChanged(db)
  return changes.length
}
