import { type Db, runText } from '../../server/src/db/index.ts'
import { type History, pair } from './history.ts'

export interface Verdict {
  /** Acknowledged but missing. */
  readonly lost: readonly string[]
  /** Stored more than once, acknowledged or not. */
  readonly doubled: readonly string[]
  /** In another state than acknowledged, or under another id. */
  readonly wrong: readonly string[]
  /** Stored without the matching activity. */
  readonly missingActivities: readonly string[]
  /** Unanswered texts that are stored. */
  readonly unanswered: number
  /** A duplicate activity, or one of an object that does not exist. */
  readonly duplicateActivities: readonly string[]
}

type Counts = ReadonlyMap<string, number>

const countBy = async (db: Db, text: string): Promise<Counts> => {
  const rows = await runText<{ id: string; n: number }>(db, text, [])
  return new Map(rows.map(({ id, n }) => [String(id), n]))
}

const ACTIVITIES = `select action_type || ' ' || user_id || ' ' || object_id as id, count(*) as n from activities
  where action_type in ('post_created', 'comment_added', 'reaction_added', 'bookmark_added') group by action_type, user_id, object_id`
const EXPECTED_ACTIVITIES = `select 'post_created ' || user_id || ' ' || id as id, 1 as n from feeds
  union all select 'comment_added ' || user_id || ' ' || id, 1 from comments
  union all select 'reaction_added ' || user_id || ' ' || feed_id, 1 from reactions
  union all select 'bookmark_added ' || user_id || ' ' || feed_id, 1 from bookmarks`

/** Number of toggles per reaction, from the recorded events. */
const togglesOf = async (db: Db): Promise<Counts> => {
  const counts = new Map<string, number>()
  const rows = await db.selectFrom('events').select(['payload']).where('name', 'in', ['reaction.added', 'reaction.removed']).execute()
  for (const { payload } of rows) {
    const { user_id, feed_id } = JSON.parse(payload) as { user_id: number; feed_id: number }
    counts.set(pair(user_id, feed_id), (counts.get(pair(user_id, feed_id)) ?? 0) + 1)
  }
  return counts
}

/** Compares the acknowledgements with the data, after all jobs have run. */
export const judge = async (db: Db, history: History): Promise<Verdict> => {
  const lost: string[] = []
  const doubled: string[] = []
  const wrong: string[] = []
  let unanswered = 0
  const texts = {
    post: Map.groupBy(await db.selectFrom('feeds').select(['id', 'user_id', 'message']).execute(), (row) => row.message),
    comment: Map.groupBy(await db.selectFrom('comments').select(['id', 'user_id', 'message']).execute(), (row) => row.message),
  }
  for (const { kind, text, author, fate, id } of history.texts) {
    const rows = texts[kind].get(text) ?? []
    if (rows.length > 1) doubled.push(text)
    if (rows.length === 1 && fate === 'unknown') unanswered += 1
    if (rows.length === 0 && fate === 'acknowledged') lost.push(text)
    if (rows.length === 1 && (rows[0]?.user_id !== author || (id !== null && rows[0]?.id !== id))) wrong.push(text)
  }

  const reactions = await countBy(db, `select user_id || ' ' || feed_id as id, count(*) as n from reactions group by user_id, feed_id`)
  const toggles = await togglesOf(db)
  for (const [name, { done }] of history.toggles) {
    const times = toggles.get(name) ?? 0
    if (times < done) lost.push(`reaction ${name}: ${times} of ${done} toggles`)
    if (times > done) doubled.push(`reaction ${name}: ${times} for ${done} toggles`)
    if ((reactions.get(name) ?? 0) !== done % 2) wrong.push(`reaction ${name} is there ${reactions.get(name) ?? 0} times`)
  }

  const bookmarks = await countBy(db, `select user_id || ' ' || feed_id as id, count(*) as n from bookmarks group by user_id, feed_id`)
  for (const [name, { fate }] of history.bookmarks) {
    const times = bookmarks.get(name) ?? 0
    if (times > 1) doubled.push(`bookmark ${name}`)
    if (times === 0 && fate === 'acknowledged') lost.push(`bookmark ${name}`)
  }

  const told = await countBy(db, ACTIVITIES)
  const tellable = await countBy(db, EXPECTED_ACTIVITIES)
  return {
    lost,
    doubled,
    wrong,
    unanswered,
    missingActivities: [...tellable.keys()].filter((name) => !told.has(name)),
    duplicateActivities: [...told].filter(([name, n]) => n > 1 || !tellable.has(name)).map(([name]) => name),
  }
}
