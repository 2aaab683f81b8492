import { Comment, type Infer } from '@lyceum/contract'
import { createFragments, type Fragment } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { type Db, rowVersion, statementIn } from '../../db/index.ts'
import { commentReactionCounts } from '../reactions/view.ts'
import { type CommentFor, commentColumns, commentTables, viewComment } from './view.ts'

/** Most comments whose JSON is kept. */
const KEPT = 20_000
const USUAL = '"has_user_react":null'
const fragments = createFragments<Infer<typeof Comment>>(Comment, ['has_user_react'], USUAL)

/** A comment in a list, before its parts are fetched, and which version of its row was found. */
export interface CommentHit {
  readonly id: number
  readonly version: string | null
}

type Row = CommentFor & Pick<CommentHit, 'version'>

const texts = new Map<string, ReturnType<typeof statementIn<Row>>>()

/** What is kept is the same for every caller, so nobody's own reactions are in it. */
const NOBODY = 0

const loadComments = (db: Db, ids: readonly number[]): Promise<Row[]> => {
  const version = rowVersion(db, 'c')
  const known = texts.get(version)
  const load =
    known ??
    statementIn<Row>((list) => `select ${commentColumns('$1')}, ${version} as version from ${commentTables} where c.id in (${list(2)})`)
  if (!known) texts.set(version, load)
  return load(db, ids.length, [NOBODY, ...ids])
}

/** How many reactions of each type comments have. */
export const reactionCountsOf = (db: Db, rows: readonly Pick<CommentFor, 'id' | 'reactions_count'>[]) =>
  commentReactionCounts(
    db,
    rows.flatMap(({ id, reactions_count }) => (reactions_count > 0 ? [id] : [])),
  )

/** A comment with what is fetched for it. */
export const presentComment = async (db: Db, row: CommentFor) => viewComment(row, (await reactionCountsOf(db, [row])).get(row.id) ?? [])

/** Whose comments are shown: those of others only when they are published, unless the caller decides about them. */
export interface Shown {
  readonly unpublished: boolean
  readonly reactions: ReadonlyMap<number, string>
}

export interface CommentItems {
  readonly items: readonly Buffer[]
  /** What they are made from; each of these was found in the state that it has in them. */
  readonly subjects: readonly string[]
}

interface CacheEntry {
  readonly fragment: Fragment
  readonly subjects: readonly string[]
}

/**
 * Comments as JSON, in the order of `hits`; what is the same for every caller is kept until the comment or its author changes.
 * `since`: the caches' moment before the hits were found.
 */
export const commentItems = async (
  { db, actor, services: { caches } }: ReadRequest,
  { unpublished, reactions }: Shown,
  hits: readonly CommentHit[],
  since: number,
): Promise<CommentItems> => {
  const kept = caches.of<CacheEntry>('comments', KEPT)
  const known = new Map<number, CacheEntry>()
  const missing: number[] = []
  for (const { id, version } of hits) {
    const found = kept.get(id, since, version)
    if (found) known.set(id, found)
    else missing.push(id)
  }
  const rows = missing.length > 0 ? await loadComments(db, missing) : []
  const counts = await reactionCountsOf(db, rows)
  for (const row of rows) {
    // It may have been hidden, and written anew, since it was found.
    if (row.status !== 'published' && !unpublished && row.user_id !== actor.id) continue
    const made = {
      fragment: fragments.of(viewComment(row, counts.get(row.id) ?? [])),
      subjects: [`comment:${row.id}`, `user:${row.user_id}`],
    }
    known.set(row.id, made)
    kept.set(row.id, made, made.subjects, since, row.version)
  }
  const shown = hits.flatMap(({ id }) => known.get(id) ?? [])
  const items = hits.flatMap(({ id }) => {
    const found = known.get(id)
    const reaction = reactions.get(id)
    return found ? [fragments.item(found.fragment, reaction ? `"has_user_react":"${reaction}"` : USUAL)] : []
  })
  return { items, subjects: [...new Set(shown.flatMap(({ subjects }) => subjects))] }
}
