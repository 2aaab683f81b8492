import type { ReadRequest } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

/** What is the caller's own among the comments of a feed. */
export interface OwnMarks {
  /** His reactions by comment. */
  readonly reactions: ReadonlyMap<number, string>
  /** He wrote some that others do not see. */
  readonly hasHeld: boolean
}

/** Most callers of feeds whose marks are kept; nearly all of them have none. */
const KEPT = 20_000
const NONE: OwnMarks = { reactions: new Map(), hasHeld: false }

const find = statement<{ comment_id: number; type: string | null }>(
  `select r.comment_id, r.type from reactions r where r.user_id = $1 and r.feed_id = $2 and r.comment_id is not null
   union all select c.id, null from comments c where c.post_id = $2 and c.user_id = $1 and c.status <> 'published'`,
)

export const ownMarks = async ({ db, actor, services: { caches } }: ReadRequest, feedId: number, since: number): Promise<OwnMarks> => {
  const kept = caches.of<OwnMarks>('comment-marks', KEPT)
  const key = `${actor.id} ${feedId}`
  const known = kept.get(key, since)
  if (known) return known
  const rows = await find(db, [actor.id, feedId])
  const reactions = new Map(rows.flatMap(({ comment_id, type }): [number, string][] => (type === null ? [] : [[comment_id, type]])))
  const marks = rows.length === 0 ? NONE : { reactions, hasHeld: reactions.size < rows.length }
  kept.set(key, marks, [`feed:${feedId}`, `marks:${actor.id}`], since)
  return marks
}
