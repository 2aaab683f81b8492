import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const deleteOfAuthor = statement<{ id: number }>(
  'delete from content_revisions where id in (select id from content_revisions where author_id = $1 order by id limit $2) returning id',
)
const clearEditor = statement<{ id: number }>(
  `update content_revisions set editor_id = null where id in (
     select id from content_revisions where editor_id = $1 order by id limit $2) returning id`,
)

/**
 * Deletes revisions of an account's content during its erasure, and removes the account as editor of others; at most `limit` of each.
 * Returns the larger number.
 */
export const eraseRevisions = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  Math.max((await deleteOfAuthor(db, [userId, limit])).length, (await clearEditor(db, [userId, limit])).length)
