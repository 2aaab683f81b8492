import { Comment, type Infer } from '@lyceum/contract'
import { createFragments, type Fragment } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { type Db, rowVersion, statementIn } from '../../db/index.ts'
import { commentReactionCounts } from '../reactions/view.ts'
import { type CommentFor, commentColumns, commentTables, viewComment } from './view.ts'

const MAX_ENTRIES = 20_000
const DEFAULT_VIEWER_JSON = '"has_user_react":null'
const fragments = createFragments<Infer<typeof Comment>>(Comment, ['has_user_react'], DEFAULT_VIEWER_JSON)

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
    statementIn<Row>((list) => `select ${commentColumns('$1')}, ${version} as version from ${commentTables} where c.id in (${list(2)})`)
  if (!entries) statements.set(version, load)
  return load(db, ids.length, [NO_VIEWER, ...ids])
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

export interface CommentItems {
  readonly items: readonly Buffer[]
  /** Cache tags of the rows that the JSON was built from. */
  readonly tags: readonly string[]
}

interface CacheEntry {
  readonly fragment: Fragment
  readonly tags: readonly string[]
}

/**
 * JSON of the comments, in the order of `hits`. The part that is the same for every caller is cached until the comment or its author
 * changes. `since` is the cache revision from before the hits were found.
 */
export const commentItems = async (
  { db, actor, services: { caches } }: ReadRequest,
  { unpublished, reactions }: CommentAudience,
  hits: readonly CommentHit[],
  since: number,
): Promise<CommentItems> => {
  const cache = caches.of<CacheEntry>('comments', MAX_ENTRIES)
  const entries = new Map<number, CacheEntry>()
  const missing: number[] = []
  for (const { id, version } of hits) {
    const found = cache.get(id, since, version)
    if (found) entries.set(id, found)
    else missing.push(id)
  }
  const rows = missing.length > 0 ? await loadComments(db, missing) : []
  const counts = await reactionCountsOf(db, rows)
  for (const row of rows) {
    // It may have been hidden and changed since it was found.
    if (row.status !== 'published' && !unpublished && row.user_id !== actor.id) continue
    const entry = {
      fragment: fragments.of(viewComment(row, counts.get(row.id) ?? [])),
      tags: [`comment:${row.id}`, `user:${row.user_id}`],
    }
    entries.set(row.id, entry)
    cache.set(row.id, entry, entry.tags, since, row.version)
  }
  const shown = hits.flatMap(({ id }) => entries.get(id) ?? [])
  const items = hits.flatMap(({ id }) => {
    const found = entries.get(id)
    const reaction = reactions.get(id)
    return found ? [fragments.item(found.fragment, reaction ? `"has_user_react":"${reaction}"` : DEFAULT_VIEWER_JSON)] : []
  })
  return { items, tags: [...new Set(shown.flatMap(({ tags }) => tags))] }
}
