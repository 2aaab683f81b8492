import { type Db, lockName, statement } from '../../db/index.ts'
import { addSums, type Change, createSums } from './accumulators.ts'
import { LOCK, notifyChanged, readState } from './rollup-state.ts'

/** Changes that one write takes in. */
export const PORTION = 500

const take = statement<Change>(
  `delete from analytics_outbox where id in (select id from analytics_outbox where id > 0 order by id limit ${PORTION})
   returning at, user_id, space_id, posts, comments, reactions, post_reactions, post_comments, comment_reactions, joins, members`,
)

/** Takes the oldest changes into the figures; how many they were. None while the figures are made anew. */
export const foldChanges = async (db: Db): Promise<number> => {
  await lockName(db, LOCK)
  const { stale, generation, zone } = await readState(db)
  if (stale) return 0
  const changes = await take(db)
  const sums = createSums(zone)
  for (const change of changes) sums.add(change)
  await addSums(db, generation, sums)
  if (changes.length > 0) await notifyChanged(db)
  return changes.length
}
