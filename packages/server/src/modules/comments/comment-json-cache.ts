import { Comment, type Infer } from '@lyceum/contract'
import { cachedEach, defineCache } from '../../cache/index.ts'
import { createFragments, type Fragment } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { type Db, rowVersion, statementIn } from '../../db/index.ts'
import { commentReactionCounts } from '../reactions/view.ts'
import { type CommentFor, commentColumns, commentTables, viewComment } from './view.ts'

const DEFAULT_VIEWER_JSON = '"has_user_react":null'
const fragments = createFragments<Infer<typeof Comment>>(Comment, ['has_user_react'], DEFAULT_VIEWER_JSON)

/** JSON of comments without the caller's own reactions. A reaction changes the row of its comment as well. */
const commentCache = defineCache<Infer<typeof Comment>, Fragment>({
  name: 'comment-json',
  maxEntries: 20_000,
  serialize: fragments.of,
  ignored: ['reactions'],
})

/** A comment found by a list query, with the version of its row. */
export interface CommentHit {
  readonly id: number
  readonly version: string | null
}

type Row = CommentFor & Pick<CommentHit, 'version'>

const statements = new Map<string, ReturnType<typeof statementIn<Row>>>()

/** Cached JSON is the same for every caller, so it does not contain the viewer's own reactions. */
const NO_VIEWER = 0

const loadComments = (db: Db, ids: readonly number[]): Promise<Row[]> => {
  const version = rowVersion(db, 'c')
  const entries = statements.get(version)
  const load =
    entries ??
    statementIn<Row>((list) => `select ${commentColumns('$1')}, ${version} as version from ${commentTables} where c.id in (${list})`)
  if (!entries) statements.set(version, load)
  return load(db, ids, [NO_VIEWER])
}

/** Reaction counts by type for these comments. */
export const reactionCountsOf = (db: Db, rows: readonly Pick<CommentFor, 'id' | 'reactions_count'>[]) =>
  commentReactionCounts(
    db,
    rows.flatMap(({ id, reactions_count }) => (reactions_count > 0 ? [id] : [])),
  )

/** The comment as returned by the API. */
export const presentComment = async (db: Db, row: CommentFor) => viewComment(row, (await reactionCountsOf(db, [row])).get(row.id) ?? [])

/** The caller's view of a list: `unpublished` means that they moderate and also see held comments of others. */
export interface CommentAudience {
  readonly unpublished: boolean
  readonly reactions: ReadonlyMap<number, string>
}

/** JSON of the comments, with the caller's own reactions; undefined for those that the caller no longer sees. */
export const commentJson = async (
  ctx: ReadRequest,
  { unpublished, reactions }: CommentAudience,
  hits: readonly CommentHit[],
): Promise<readonly (Buffer | undefined)[]> => {
  const { db, actor } = ctx
  const parts = await cachedEach(ctx, commentCache, hits, async (ids) => {
    const rows = await loadComments(db, ids)
    const counts = await reactionCountsOf(db, rows)
    // It may have been hidden and changed since it was found.
    const shown = rows.filter((row) => row.status === 'published' || unpublished || row.user_id === actor.id)
    return new Map(
      shown.map((row) => [
        row.id,
        { value: viewComment(row, counts.get(row.id) ?? []), tags: [`comment:${row.id}`, `user:${row.user_id}`], version: row.version },
      ]),
    )
  })
  return hits.map(({ id }, i) => {
    const reaction = reactions.get(id)
    return parts[i] && fragments.item(parts[i], reaction ? `"has_user_react":"${reaction}"` : DEFAULT_VIEWER_JSON)
  })
}
