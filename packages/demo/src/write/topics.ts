import type { Db, Value } from '../../../server/src/db/index.ts'
import type { Topic } from '../generator/rows.ts'
import { itemAt, type Steps, type Target } from './target.ts'

const findOrMake = async (db: Db, { title, slug, description, color, icon, admin_only, spaces }: Topic, now: string) => {
  const { last } = await db
    .selectFrom('topics')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  const made = await db
    .insertInto('topics')
    .values({
      ...{ title, slug, description, color, icon, created_at: now, updated_at: now },
      admin_only: admin_only ? 1 : 0,
      is_global: spaces === null ? 1 : 0,
      position: (last ?? 0) + 1,
    })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(['id', 'is_global'])
    .executeTakeFirst()
  return made ?? (await db.selectFrom('topics').select(['id', 'is_global']).where('slug', '=', slug).executeTakeFirstOrThrow())
}

/** Existing topics with the same slug are reused. */
export async function* writeTopics({ generated, writer, spaces, topics }: Target, now: string): Steps {
  for (const list of generated.topics) {
    const stored = await writer.write('topics', list, async ({ db, add }, some) => {
      const ids: number[] = []
      for (const topic of some) {
        const { id, is_global } = await findOrMake(db, topic, now)
        const offered = is_global ? [] : (topic.spaces ?? [])
        await add(
          'topic_spaces',
          ['topic_id', 'space_id'],
          offered.map((space): Value[] => [id, itemAt(spaces, space)]),
        )
        ids.push(id)
      }
      return ids
    })
    topics.push(...stored.flat())
    yield
  }
}
