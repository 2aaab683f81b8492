import { invalidField } from '../../core/errors.ts'
import { type Db, lockRow, statement, statementExists, statementIn, statementNumber, statementValues } from '../../db/index.ts'
import type { TopicRecord } from './queries.ts'

const topicsOfferedEverywhere = statement<TopicRecord>(
  `select t.* from topics t where t.is_global = 1 and t.status = 'active' order by t.position, t.id limit $1`,
)
const topicsOfferedInSpace = statement<TopicRecord>(
  `select t.* from topic_spaces o join topics t on t.id = o.topic_id where o.space_id = $1 and t.is_global = 0 and t.status = 'active'`,
)
const anySelectable = statementExists(
  `select t.id from topics t where t.is_global = 1 and t.status = 'active' and t.admin_only <= $2
   union all select t.id from topic_spaces o join topics t on t.id = o.topic_id
     where o.space_id = $1 and t.is_global = 0 and t.status = 'active' and t.admin_only <= $2 limit 1`,
)
/** Ids of the topics that this space offers and that are not offered everywhere. */
export const restrictedTopicsOf = statementValues<number>('select topic_id from topic_spaces where space_id = $1 order by topic_id')
const restrictedTopics = statementIn<{ id: number }>((list) => `select id from topics where is_global = 0 and id in (${list}) order by id`)
const topicCountOf = statementNumber('select count(*) as n from topic_spaces where space_id = $1')
const add = statement('insert into topic_spaces (topic_id, space_id) values ($1, $2) on conflict (topic_id, space_id) do nothing')
const remove = statement('delete from topic_spaces where topic_id = $1 and space_id = $2')

/** Limit on the topics shown that are offered everywhere. */
const MAX_SHOWN = 500

export const topicsOffered = async (db: Db, spaceId: number): Promise<TopicRecord[]> => {
  const [everywhere, own] = await Promise.all([topicsOfferedEverywhere(db, [MAX_SHOWN]), topicsOfferedInSpace(db, [spaceId])])
  return [...everywhere, ...own].sort((a, b) => a.position - b.position || a.id - b.id)
}

/** Whether a space (null: outside of spaces) has any topic that a moderator, or a member, may choose. */
export const hasTopics = (db: Db, spaceId: number | null, moderates: boolean): Promise<boolean> =>
  anySelectable(db, [spaceId ?? 0, moderates ? 1 : 0])

/**
 * Sets the topics of a space beside those offered everywhere. Ignores unknown topics and those offered everywhere. The caller holds the
 * space's lock.
 * @throws invalid_data for more than `max` topics
 */
export const setSpaceTopics = async (db: Db, spaceId: number, wanted: readonly number[], max: number): Promise<void> => {
  const before = await restrictedTopicsOf(db, [spaceId])
  const ids = [...new Set([...wanted, ...before])].sort((a, b) => a - b)
  if (ids.length === 0) return
  for (const id of ids) await lockRow(db, 'topics', id)
  const restrictedIds = new Set((await restrictedTopics(db, ids)).map((row) => row.id))
  const after = new Set(wanted.filter((id) => restrictedIds.has(id)))
  if (after.size > max) throw invalidField('topic_ids', `must be at most ${max}`)
  for (const id of after) await add(db, [id, spaceId])
  for (const id of before) if (!after.has(id)) await remove(db, [id, spaceId])
}

/**
 * Sets the spaces that offer a topic. The caller holds the locks of the topic and the spaces.
 * @throws invalid_data if a space already has `max` topics
 */
export const setTopicSpaces = async (db: Db, topicId: number, spaces: readonly number[], before: readonly number[], max: number) => {
  for (const id of before) if (!spaces.includes(id)) await remove(db, [topicId, id])
  for (const id of spaces.filter((one) => !before.includes(one))) {
    if ((await topicCountOf(db, [id])) >= max)
      throw invalidField('space_ids', `contains a space that already has the maximum of ${max} topics: ${id}`)
    await add(db, [topicId, id])
  }
}
