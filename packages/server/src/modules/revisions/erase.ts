import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const written = statement<{ id: number }>(
  'delete from content_revisions where id in (select id from content_revisions where author_id = $1 order by id limit $2) returning id',
)
const edited = statement<{ id: number }>(
  `update content_revisions set editor_id = null where id in (
     select id from content_revisions where editor_id = $1 order by id limit $2) returning id`,
)

/** Removes what an account that goes away wrote before it was edited, and its name from what it edited; at most `limit` each. How many. */
export const eraseRevisions = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  Math.max((await written(db, [userId, limit])).length, (await edited(db, [userId, limit])).length)
