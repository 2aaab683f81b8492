import { Comment, type Infer } from '@lyceum/contract'
import { type Db, statementFor } from '../../db/index.ts'
import type { AskedRead } from '../../platform/context.ts'
import { openSerializer } from '../../platform/http/fragments.ts'
import { type CommentFor, commentColumns, commentTables, viewComment } from './view.ts'

/** Most comments whose JSON is kept. */
const KEPT = 20_000
const openComment = openSerializer<Infer<typeof Comment>>(Comment, ['has_user_react'])

/** A comment in a list, before its parts are fetched. */
export type CommentHit = Pick<CommentFor, 'id' | 'my_reaction'>

const byIds = statementFor<CommentFor>((list) => `select ${commentColumns('$1')} from ${commentTables} where c.id in (${list(2)})`)

const loadComments = (db: Db, ids: readonly number[], userId: number) =>
  ids.length === 0 ? Promise.resolve([]) : byIds(db, ids.length, [userId, ...ids])

/** Comments as JSON, in the order of `hits`; what is the same for every caller is kept until the comment or its author changes. */
export const commentTexts = async ({ db, actor, services: { caches } }: AskedRead, hits: readonly CommentHit[]): Promise<string[]> => {
  const kept = caches.of<string>('comments', KEPT)
  const since = caches.now()
  const texts = new Map(hits.map((hit) => [hit.id, kept.get(String(hit.id))]))
  const missing = hits.filter((hit) => texts.get(hit.id) === undefined).map((hit) => hit.id)
  for (const row of await loadComments(db, missing, actor.id)) {
    const text = openComment(viewComment(row))
    texts.set(row.id, text)
    kept.set(String(row.id), text, [`comment:${row.id}`, `user:${row.user_id}`], since)
  }
  return hits.flatMap(({ id, my_reaction }) => {
    const text = texts.get(id)
    return text === undefined ? [] : [`${text},"has_user_react":${my_reaction === null ? 'null' : `"${my_reaction}"`}}`]
  })
}
