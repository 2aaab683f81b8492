import { invalidField } from '../../core/errors.ts'
import { type Db, lockRow, statement, statementIn, statementOne } from '../../db/index.ts'
import type { TopicRecord } from './queries.ts'

const everywhere = statement<TopicRecord>(
  `select t.* from topics t where t.is_global = 1 and t.status = 'active' order by t.position, t.id limit $1`,
)
const inSpace = statement<TopicRecord>(
  `select t.* from topic_spaces o join topics t on t.id = o.topic_id where o.space_id = $1 and t.is_global = 0 and t.status = 'active'`,
)
const anyToPick = statementOne<{ id: number }>(
  `select t.id from topics t where t.is_global = 1 and t.status = 'active' and t.admin_only <= $2
   union all select t.id from topic_spaces o join topics t on t.id = o.topic_id
     where o.space_id = $1 and t.is_global = 0 and t.status = 'active' and t.admin_only <= $2 limit 1`,
)
const ownOf = statement<{ topic_id: number }>('select topic_id from topic_spaces where space_id = $1 order by topic_id')
const restricted = statementIn<{ id: number }>((list) => `select id from topics where is_global = 0 and id in (${list(1)}) order by id`)
const countOf = statementOne<{ n: number }>('select count(*) as n from topic_spaces where space_id = $1')
const add = statement('insert into topic_spaces (topic_id, space_id) values ($1, $2) on conflict (topic_id, space_id) do nothing')
const takeAway = statement('delete from topic_spaces where topic_id = $1 and space_id = $2')

/** Of those that are offered everywhere, a space shows so many. */
const MOST_SHOWN = 500

/** Active topics that are offered in a space, in their order. */
export const topicsOffered = async (db: Db, spaceId: number): Promise<TopicRecord[]> => {
  const [general, own] = await Promise.all([everywhere(db, [MOST_SHOWN]), inSpace(db, [spaceId])])
  return [...general, ...own].sort((a, b) => a.position - b.position || a.id - b.id)
}

/** Whether there is anything to pick in a place, for who moderates there or who does not. */
export const hasTopics = async (db: Db, spaceId: number | null, moderates: boolean): Promise<boolean> =>
  (await anyToPick(db, [spaceId ?? 0, moderates ? 1 : 0])) !== undefined

/** The topics, of those that are not offered everywhere, that a space offers. */
export const ownTopics = async (db: Db, spaceId: number): Promise<number[]> => (await ownOf(db, [spaceId])).map((row) => row.topic_id)

/**
 * Makes these the topics of a space, which is held, beside those that are offered everywhere. What is neither known nor restricted to
 * some spaces is left out.
 * @throws invalid_data where they are more than `most`
 */
export const offerTopics = async (db: Db, spaceId: number, wanted: readonly number[], most: number): Promise<void> => {
  const before = await ownTopics(db, spaceId)
  const ids = [...new Set([...wanted, ...before])].sort((a, b) => a - b)
  if (ids.length === 0) return
  for (const id of ids) await lockRow(db, 'topics', id)
  const known = new Set((await restricted(db, ids.length, ids)).map((row) => row.id))
  const after = new Set(wanted.filter((id) => known.has(id)))
  if (after.size > most) throw invalidField('topic_ids', `must be at most ${most}`)
  for (const id of after) await add(db, [id, spaceId])
  for (const id of before) if (!after.has(id)) await takeAway(db, [id, spaceId])
}

/** Makes a topic, which is held, be offered in exactly these spaces, which are held too. @throws invalid_data where one has `most` already */
export const offerIn = async (db: Db, topicId: number, spaces: readonly number[], before: readonly number[], most: number) => {
  for (const id of before) if (!spaces.includes(id)) await takeAway(db, [topicId, id])
  for (const id of spaces.filter((one) => !before.includes(one))) {
    if (((await countOf(db, [id]))?.n ?? 0) >= most)
      throw invalidField('space_ids', `contains a space that already has the maximum of ${most} topics: ${id}`)
    await add(db, [topicId, id])
  }
}
