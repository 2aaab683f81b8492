import { setImmediate } from 'node:timers/promises'
import { Feed } from '@lyceum/contract'
import { cachedEach, defineCache } from '../../cache/index.ts'
import { createFragments, type Fragment } from '../../cache/json-fragments.ts'
import type { AuthContext, ReadContext } from '../../core/context.ts'
import { type Db, lateralRows, selectRows } from '../../db/index.ts'
import { type CommentFor, commentColumns, commentTables } from '../comments/view.ts'
import { feedReactionCounts } from '../reactions/view.ts'
import { termsOfFeeds } from '../topics/index.ts'
import { feedAbilities } from './access.ts'
import { type FeedFor, type FoundFeed, LESSON_ACCESS, loadFeeds, parseMeta, surveyOf } from './feed-row.ts'
import type { Meta } from './meta.ts'
import { EMPTY_TALLY, seesResults, tallies, viewSurvey } from './surveys.ts'
import { type FeedView, type ReactionPreview, viewFeed } from './view.ts'

/** Fields of a feed whose value depends on the caller. */
const VIEWER_FIELDS = ['has_user_react', 'bookmarked'] as const
const DEFAULT_VIEWER_JSON = '"has_user_react":null,"bookmarked":false'
const fragments = createFragments<FeedView>(Feed, VIEWER_FIELDS, DEFAULT_VIEWER_JSON)

/**
 * JSON of feeds without the fields that depend on the caller. What is ignored decides only who may see a feed, or belongs to surveys, whose feeds
 * are not cached.
 */
const feedCache = defineCache<FeedView, Fragment>({
  name: 'feed-json',
  maxEntries: 5000,
  serialize: fragments.of,
  ignored: [...LESSON_ACCESS, 'm', 'vf', 'b', 'surveys', 'survey_options', 'survey_votes'],
})

/** A feed in a response, before its JSON is loaded. */
export interface Item {
  readonly id: number
  /** JSON of the fields that depend on the caller. */
  readonly viewerJson: string
  /** Version of the row that the query found; undefined if the item itself comes from the cache. */
  readonly version: string | null | undefined
}

export const itemOf = ({ id, my_reaction, my_bookmark, version }: FoundFeed): Item => {
  const isDefault = my_reaction === null && my_bookmark === null
  const reaction = my_reaction === null ? 'null' : `"${my_reaction}"`
  return { id, viewerJson: isDefault ? DEFAULT_VIEWER_JSON : `"has_user_react":${reaction},"bookmarked":${my_bookmark !== null}`, version }
}

/** An item as part of a cached list. `viewerJson` is omitted if the caller has neither reacted to the feed nor bookmarked it. */
export const cachedItem = (id: number, viewerJson = DEFAULT_VIEWER_JSON): Item => ({ id, viewerJson, version: undefined })

/** The fields of each feed that depend on the caller; null if all have the default, as on most pages. */
export const viewerJsonOf = (items: readonly Item[]): readonly string[] | null =>
  items.every(({ viewerJson }) => viewerJson === DEFAULT_VIEWER_JSON) ? null : items.map(({ viewerJson }) => viewerJson)

type FeedRequest = Pick<ReadContext, 'db' | 'now' | 'services'> & Pick<AuthContext, 'actor'>

/** The meta of each feed, with survey results where the caller may see them. */
const viewMetas = async ({ db, actor, now }: FeedRequest, rows: readonly FeedFor[]): Promise<Meta[]> => {
  const parsed = rows.map((row) => ({ row, meta: parseMeta(row.meta) }))
  const withSurvey = parsed.flatMap(({ row, meta }) => (surveyOf(meta) ? [row.id] : []))
  if (withSurvey.length === 0) return parsed.map(({ meta }) => meta)
  const byFeed = await tallies(db, withSurvey, actor.id)
  return parsed.map(({ row, meta }) => {
    const survey = surveyOf(meta)
    if (!survey) return meta
    const tally = byFeed.get(row.id) ?? EMPTY_TALLY
    return { ...meta, survey: viewSurvey(survey, tally, seesResults(survey, tally, feedAbilities(actor, row).seeResults), now) }
  })
}

const buildViews = async (ctx: FeedRequest, rows: readonly FeedFor[]) => {
  const { db, services } = ctx
  const commented = rows.filter((row) => row.comments_count > 0).map((row) => row.id)
  const reacted = rows.filter((row) => row.reactions_count > 0).map((row) => row.id)
  const [comments, reactions, counts, metas, termsByFeed] = await Promise.all([
    newestComments(db, commented),
    newestReactions(db, reacted),
    feedReactionCounts(db, reacted),
    viewMetas(ctx, rows),
    termsOfFeeds(
      db,
      rows.map((row) => row.id),
    ),
  ])
  const commentsOf = Map.groupBy(comments, (row) => row.post_id)
  const reactionsOf = Map.groupBy(reactions, (row) => row.feed_id)
  const origin = services.origin()
  return rows.map((row, i) => {
    const { terms, tags } = termsByFeed.get(row.id) ?? { terms: [], tags: [] }
    const meta = { ...metas[i], ...(terms.length > 0 && { topic_ids: terms.map(({ id }) => id) }) }
    const embedded = {
      comments: commentsOf.get(row.id) ?? [],
      reactions: reactionsOf.get(row.id) ?? [],
      counts: counts.get(row.id) ?? [],
      meta,
      terms,
    }
    const view = viewFeed(row, embedded, origin)
    return { view, tags: [...tagsOf(view), ...tags], version: row.version }
  })
}

export const viewFeeds = async (ctx: FeedRequest, rows: readonly FeedFor[]): Promise<FeedView[]> =>
  (await buildViews(ctx, rows)).map(({ view }) => view)

/** Cache tags of the rows that the JSON was built from. */
const tagsOf = (view: FeedView): string[] => [
  `feed:${view.id}`,
  ...new Set([view, ...view.comments, ...view.reactions].map(({ user_id }) => `user:${user_id}`)),
  `space:${view.space?.id ?? 0}`,
  'topic:0',
]

const FIRST_ITEMS = 10
/** JSON that is produced in one turn of the event loop, if each item has the same size. */
const TURN_BYTES = 1024 * 1024

/** Loads the JSON of items, all at once if they are short, and otherwise in several turns of the event loop. */
const loadInTurns = async <Item>(
  items: readonly Item[],
  load: (part: readonly Item[]) => Promise<readonly (Buffer | undefined)[]>,
): Promise<readonly (Buffer | undefined)[]> => {
  const loaded = [...(await load(items.slice(0, FIRST_ITEMS)))]
  while (loaded.length < items.length) {
    const bytes = loaded.reduce((sum, json) => sum + (json?.length ?? 0), 0)
    const atOnce = Math.max(1, Math.floor((TURN_BYTES * loaded.length) / Math.max(1, bytes)))
    if (atOnce < items.length - loaded.length) await setImmediate()
    loaded.push(...(await load(items.slice(loaded.length, loaded.length + atOnce))))
  }
  return loaded
}

type JsonRequest = FeedRequest & Pick<ReadContext, 'snapshot'>

/** JSON of these feeds, completed with the caller's own fields; undefined for feeds that the caller no longer sees. */
export const feedJson = (ctx: JsonRequest, items: readonly Item[]): Promise<readonly (Buffer | undefined)[]> =>
  loadInTurns(items, (part) => jsonOf(ctx, part))

const jsonOf = async (ctx: JsonRequest, items: readonly Item[]): Promise<readonly (Buffer | undefined)[]> => {
  const parts = await cachedEach(ctx, feedCache, items, async (ids) => {
    // The feed may have changed or become hidden since the list query.
    const rows = (await loadFeeds(ctx.db, ids, ctx.actor.id)).filter((row) => feedAbilities(ctx.actor, row).view)
    const built = await buildViews(ctx, rows)
    // Survey results depend on the caller.
    return new Map(built.map(({ view, tags, version }) => [view.id, { value: view, tags: surveyOf(view.meta) ? null : tags, version }]))
  })
  return items.map(({ viewerJson }, i) => parts[i] && fragments.item(parts[i], viewerJson))
}

const COMMENT_LIMIT = 2
const REACTION_LIMIT = 3
/** Embedded comments are the same for every caller, so they do not include the viewer's own reactions. */
const NO_VIEWER = '0'

/** One subselect per feed, so that each reads only its newest rows from an index. */
const newestOfEach = async <Row>(db: Db, feedIds: readonly number[], one: (feed: string) => string): Promise<Row[]> =>
  feedIds.length === 0 ? [] : selectRows<Row>(db, (p) => `select newest.* from ${lateralRows(db, feedIds, p, one, 'newest')}`)

/** The newest two published comments of each feed, newest first. */
const newestComments = (db: Db, feedIds: readonly number[]): Promise<CommentFor[]> =>
  newestOfEach(
    db,
    feedIds,
    (feed) => `select ${commentColumns(NO_VIEWER)} from ${commentTables}
      where c.post_id = ${feed} and c.status = 'published' order by c.created_at desc, c.id desc limit ${COMMENT_LIMIT}`,
  )

/** The newest three reactions of each feed, newest first. */
const newestReactions = (db: Db, feedIds: readonly number[]): Promise<ReactionPreview[]> =>
  newestOfEach(
    db,
    feedIds,
    (feed) => `select r.id, r.user_id, r.feed_id, r.type, r.created_at, u.display_name as u_display_name, u.avatar as u_avatar
      from reactions r join users u on u.id = r.user_id where r.feed_id = ${feed} and r.comment_id is null order by r.id desc limit ${REACTION_LIMIT}`,
  )
