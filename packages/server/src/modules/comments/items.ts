import { Comment, type Infer } from '@lyceum/contract'
import { type Db, statementFor } from '../../db/index.ts'
import type { AskedRead } from '../../platform/context.ts'
import { createFragments, type Fragment } from '../../platform/http/fragments.ts'
import { type CommentFor, commentColumns, commentTables, viewComment } from './view.ts'

/** Most comments whose JSON is kept. */
const KEPT = 20_000
const USUAL = '"has_user_react":null'
const fragments = createFragments<Infer<typeof Comment>>(Comment, ['has_user_react'], USUAL)

/** A comment in a list, before its parts are fetched. */
export type CommentHit = Pick<CommentFor, 'id' | 'my_reaction'>

const byIds = statementFor<CommentFor>((list) => `select ${commentColumns('$1')} from ${commentTables} where c.id in (${list(2)})`)

/**
 * Comments as JSON, in the order of `hits`; what is the same for every caller is kept until the comment or its author changes.
 * `since`: the caches' moment before the hits were found.
 */
export const commentItems = async (
  { db, actor, services: { caches } }: AskedRead,
  hits: readonly CommentHit[],
  since: number,
): Promise<Buffer[]> => {
  const kept = caches.of<Fragment>('comments', KEPT)
  const known = new Map<number, Fragment>()
  const missing: number[] = []
  for (const { id } of hits) {
    const found = kept.get(id, since)
    if (found) known.set(id, found)
    else missing.push(id)
  }
  for (const row of missing.length > 0 ? await byIds(db, missing.length, [actor.id, ...missing]) : []) {
    const fragment = fragments.of(viewComment(row))
    known.set(row.id, fragment)
    kept.set(row.id, fragment, [`comment:${row.id}`, `user:${row.user_id}`], since)
  }
  return hits.flatMap(({ id, my_reaction }) => {
    const fragment = known.get(id)
    return fragment ? [fragments.item(fragment, my_reaction === null ? USUAL : `"has_user_react":"${my_reaction}"`)] : []
  })
}
