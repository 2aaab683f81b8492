import { Comment, type Infer } from '@lyceum/contract'
import { statement, statementFor } from '../../db/index.ts'
import type { AskedRead } from '../../platform/context.ts'
import { createFragments, type Fragment } from '../../platform/http/fragments.ts'
import { type CommentFor, commentColumns, commentTables, viewComment } from './view.ts'

/** Most comments whose JSON is kept. */
const KEPT = 20_000
const USUAL = '"has_user_react":null'
const fragments = createFragments<Infer<typeof Comment>>(Comment, ['has_user_react'], USUAL)

/** A comment in a list, before its parts are fetched. */
export type CommentHit = Pick<CommentFor, 'id'>

const ownReactions = statement<{ comment_id: number; type: string }>(
  'select r.comment_id, r.type from reactions r where r.user_id = $1 and r.feed_id = $2 and r.comment_id is not null',
)

const byIds = statementFor<CommentFor>((list) => `select ${commentColumns('$1')} from ${commentTables} where c.id in (${list(2)})`)

/**
 * Comments of a feed as JSON, in the order of `hits`; what is the same for every caller is kept until the comment or its author changes.
 * `since`: the caches' moment before the hits were found.
 */
export const commentItems = async (
  { db, actor, services: { caches } }: AskedRead,
  { feedId, unpublished }: { readonly feedId: number; readonly unpublished: boolean },
  hits: readonly CommentHit[],
  since: number,
): Promise<Buffer[]> => {
  const kept = caches.of<Fragment>('comments', KEPT, 'content')
  const known = new Map<number, Fragment>()
  const missing: number[] = []
  for (const { id } of hits) {
    const found = kept.get(id, since)
    if (found) known.set(id, found)
    else missing.push(id)
  }
  for (const row of missing.length > 0 ? await byIds(db, missing.length, [actor.id, ...missing]) : []) {
    // It may have been hidden, and written anew, since it was found.
    if (row.status !== 'published' && !unpublished && row.user_id !== actor.id) continue
    const fragment = fragments.of(viewComment(row))
    known.set(row.id, fragment)
    kept.set(row.id, fragment, [`comment:${row.id}`, `user:${row.user_id}`], since)
  }
  const mine = new Map((await ownReactions(db, [actor.id, feedId])).map((row) => [row.comment_id, row.type]))
  return hits.flatMap(({ id }) => {
    const fragment = known.get(id)
    const reaction = mine.get(id)
    return fragment ? [fragments.item(fragment, reaction ? `"has_user_react":"${reaction}"` : USUAL)] : []
  })
}
