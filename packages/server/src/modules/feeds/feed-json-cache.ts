import { Feed } from '@lyceum/contract'
import { createFragments, type Fragment } from '../../cache/json-fragments.ts'
import type { AuthContext, ReadContext } from '../../core/context.ts'
import { feedReactionCounts } from '../reactions/view.ts'
import { feedAbilities } from './access.ts'
import { newestComments, newestReactions } from './embedded-previews.ts'
import { type FeedFor, type FoundFeed, loadFeeds } from './feed-row.ts'
import { type Meta, parseMeta, surveyOf } from './meta.ts'
import { seesResults, tallies, viewSurvey } from './surveys.ts'
import { NO_TERMS, termsOf } from './topics.ts'
import { type FeedView, viewFeed } from './view.ts'

/** Most feeds whose JSON is kept. */
const KEPT = 5000
/** What differs from caller to caller in a feed. */
const OWN = ['has_user_react', 'bookmarked'] as const
const USUAL = '"has_user_react":null,"bookmarked":false'
const fragments = createFragments<FeedView>(Feed, OWN, USUAL)

/** A feed that an answer shows, before its parts are fetched. */
export interface Item {
  readonly id: number
  /** JSON of what is the caller's own in it. */
  readonly own: string
  /** The version of its row that was found; undefined where that is kept, and so as of the caller's look. */
  readonly version: string | null | undefined
}

export const itemOf = ({ id, my_reaction, my_bookmark, version }: FoundFeed): Item => {
  const isUsual = my_reaction === null && my_bookmark === null
  const reaction = my_reaction === null ? 'null' : `"${my_reaction}"`
  return { id, own: isUsual ? USUAL : `"has_user_react":${reaction},"bookmarked":${my_bookmark !== null}`, version }
}

/** Whether nothing in it is the caller's own. */
export const isUnmarked = ({ own }: Item): boolean => own === USUAL

export const keptItem = (id: number, own = USUAL): Item => ({ id, own, version: undefined })

type Asking = Pick<ReadContext, 'db' | 'now' | 'services'> & Pick<AuthContext, 'actor'>

/** The meta of each feed with the results of its survey, as far as the caller may see them. */
const viewMetas = async ({ db, actor, now }: Asking, rows: readonly FeedFor[]): Promise<Meta[]> => {
  const metas = rows.map((row) => parseMeta(row.meta))
  const withSurvey = rows.filter((_, i) => surveyOf(metas[i] ?? {}))
  if (withSurvey.length === 0) return metas
  const byFeed = await tallies(
    db,
    withSurvey.map((row) => row.id),
    actor.id,
  )
  return metas.map((meta, i) => {
    const row = rows[i]
    const survey = surveyOf(meta)
    if (!row || !survey) return meta
    const tally = byFeed.get(row.id) ?? { voters: 0, votes: new Map(), mine: [] }
    return { ...meta, survey: viewSurvey(survey, tally, seesResults(survey, tally, feedAbilities(actor, row).seeResults), now) }
  })
}

/** A feed with the rows that its JSON is made from, and the version of the first of them. */
interface Made {
  readonly view: FeedView
  readonly subjects: readonly string[]
  readonly version: string | null
}

/** Everything that is embedded is fetched for all of them at once. */
const makeViews = async (ctx: Asking, rows: readonly FeedFor[]): Promise<Made[]> => {
  const { db, services } = ctx
  const commented = rows.filter((row) => row.comments_count > 0).map((row) => row.id)
  const reacted = rows.filter((row) => row.reactions_count > 0).map((row) => row.id)
  const [comments, reactions, counts, metas, termsByFeed] = await Promise.all([
    newestComments(db, commented),
    newestReactions(db, reacted),
    feedReactionCounts(db, reacted),
    viewMetas(ctx, rows),
    termsOf(
      db,
      rows.map((row) => row.id),
    ),
  ])
  const commentsOf = Map.groupBy(comments, (row) => row.post_id)
  const reactionsOf = Map.groupBy(reactions, (row) => row.feed_id)
  const origin = services.origin()
  return rows.map((row, i) => {
    const { terms, subjects } = termsByFeed.get(row.id) ?? NO_TERMS
    const meta = { ...metas[i], ...(terms.length > 0 && { topic_ids: terms.map(({ id }) => id) }) }
    const embedded = {
      comments: commentsOf.get(row.id) ?? [],
      reactions: reactionsOf.get(row.id) ?? [],
      counts: counts.get(row.id) ?? [],
      meta,
      terms,
    }
    const view = viewFeed(row, embedded, origin)
    return { view, subjects: [...subjectsOf(view), ...subjects], version: row.version }
  })
}

/** Feed rows as the API's feeds. */
export const viewFeeds = async (ctx: Asking, rows: readonly FeedFor[]): Promise<FeedView[]> =>
  (await makeViews(ctx, rows)).map(({ view }) => view)

/** The rows that a feed's JSON was made from. */
const subjectsOf = (view: FeedView): string[] => [
  `feed:${view.id}`,
  ...new Set([view, ...view.comments, ...view.reactions].map(({ user_id }) => `user:${user_id}`)),
  ...(view.space ? [`space:${view.space.id}`] : []),
]

/** Makes what is not kept, of those feeds that the caller still sees. */
const makeFragments = async (ctx: Asking, ids: readonly number[], since: number): Promise<ReadonlyMap<number, Fragment>> => {
  const kept = ctx.services.caches.of<Fragment>('feeds', KEPT)
  const made = new Map<number, Fragment>()
  // A feed may have changed since it was found, also out of the caller's sight.
  const rows = (await loadFeeds(ctx.db, ids, ctx.actor.id)).filter((row) => feedAbilities(ctx.actor, row).view)
  for (const { view, subjects, version } of await makeViews(ctx, rows)) {
    const fragment = fragments.of(view)
    made.set(view.id, fragment)
    // A survey shows each caller something else.
    if (!surveyOf(view.meta)) kept.set(view.id, fragment, subjects, since, version)
  }
  return made
}

/**
 * What is the same for every caller in the JSON of these feeds, which is kept until one of its rows changes; undefined for what the caller
 * does not see any more. `since`: the caches' moment before the items were found.
 */
export const feedFragments = async (ctx: Asking, items: readonly Item[], since: number): Promise<readonly (Fragment | undefined)[]> => {
  const kept = ctx.services.caches.of<Fragment>('feeds', KEPT)
  const known = items.map(({ id, version }) => kept.get(id, since, version))
  const missing = items.flatMap(({ id }, i) => (known[i] ? [] : [id]))
  if (missing.length === 0) return known
  const made = await makeFragments(ctx, missing, since)
  return items.map(({ id }, i) => known[i] ?? made.get(id))
}

/** These feeds as JSON for one caller, whose items they are. */
export const feedJson = (items: readonly Item[], parts: readonly (Fragment | undefined)[]): Buffer[] =>
  items.flatMap(({ own }, i) => {
    const fragment = parts[i]
    return fragment ? [fragments.item(fragment, own)] : []
  })
