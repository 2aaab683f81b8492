import type { ReadRequest } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

/** The caller's own state among the comments of a feed. */
export interface ViewerState {
  /** The caller's reactions by comment id. */
  readonly reactions: ReadonlyMap<number, string>
  /** Whether the caller wrote comments that others cannot see. */
  readonly hasUnpublished: boolean
}

/** One entry per caller and feed; nearly all of them are empty. */
const MAX_ENTRIES = 20_000
const EMPTY: ViewerState = { reactions: new Map(), hasUnpublished: false }

const find = statement<{ comment_id: number; type: string | null }>(
  `select r.comment_id, r.type from reactions r where r.user_id = $1 and r.feed_id = $2 and r.comment_id is not null
   union all select c.id, null from comments c where c.post_id = $2 and c.user_id = $1 and c.status <> 'published'`,
)

export const viewerStateOf = async (
  { db, actor, services: { caches } }: ReadRequest,
  feedId: number,
  since: number,
): Promise<ViewerState> => {
  const cache = caches.of<ViewerState>('comment-marks', MAX_ENTRIES)
  const key = `${actor.id} ${feedId}`
  const cached = cache.get(key, since)
  if (cached) return cached
  const rows = await find(db, [actor.id, feedId])
  const reactions = new Map(rows.flatMap(({ comment_id, type }): [number, string][] => (type === null ? [] : [[comment_id, type]])))
  const state = rows.length === 0 ? EMPTY : { reactions, hasUnpublished: reactions.size < rows.length }
  cache.set(key, state, [`feed:${feedId}`, `marks:${actor.id}`], since)
  return state
}
