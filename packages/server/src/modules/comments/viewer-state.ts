import type { ReadRequest } from '../../core/context.ts'
import { statement } from '../../db/index.ts'
import { cachedViewerState } from '../feeds/index.ts'

/** The caller's own state among the comments of a feed. */
export interface ViewerState {
  /** The caller's reactions by comment id. */
  readonly reactions: ReadonlyMap<number, string>
  /** Whether the caller wrote comments that others cannot see. */
  readonly hasUnpublished: boolean
}

const EMPTY: ViewerState = { reactions: new Map(), hasUnpublished: false }

const find = statement<{ comment_id: number; type: string | null }>(
  `select r.comment_id, r.type from reactions r where r.user_id = $1 and r.feed_id = $2 and r.comment_id is not null
   union all select c.id, null from comments c where c.post_id = $2 and c.user_id = $1 and c.status <> 'published'`,
)

export const viewerStateOf = async (ctx: ReadRequest, feedId: number): Promise<ViewerState> => {
  const { db, actor } = ctx
  return cachedViewerState(ctx, `comments ${actor.id} ${feedId}`, async (track) => {
    track.tag(`feed:${feedId}`, `marks:${actor.id}`)
    const rows = await find(db, [actor.id, feedId])
    if (rows.length === 0) return EMPTY
    const reactions = new Map(rows.flatMap(({ comment_id, type }): [number, string][] => (type === null ? [] : [[comment_id, type]])))
    return { reactions, hasUnpublished: reactions.size < rows.length }
  })
}
