import { Feed } from '@lyceum/contract'
import type { Asked, ReadContext } from '../../platform/context.ts'
import { createFragments, type Fragment } from '../../platform/http/fragments.ts'
import { feedAbilities } from './access.ts'
import { type Meta, parseMeta, surveyOf } from './meta.ts'
import { newestComments, newestReactions } from './previews.ts'
import { type FeedFor, type FeedHit, loadFeeds } from './rows.ts'
import { seesResults, tallies, viewSurvey } from './surveys.ts'
import { NO_TERMS, termsOf } from './topics.ts'
import { type FeedView, viewFeed } from './view.ts'

/** Most feeds whose JSON is kept. */
const KEPT = 5000
/** What differs from caller to caller in a feed. */
const OWN = ['has_user_react', 'bookmarked'] as const
const fragments = createFragments<FeedView>(Feed, OWN, '"has_user_react":null,"bookmarked":false')

type Asking = Pick<ReadContext, 'db' | 'now' | 'services'> & Pick<Asked, 'actor'>

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

/** A feed with the rows that its JSON is made from. */
interface Made {
  readonly view: FeedView
  readonly subjects: readonly string[]
}

/** Everything that is embedded is fetched for all of them at once. */
const makeViews = async (ctx: Asking, rows: readonly FeedFor[]): Promise<Made[]> => {
  const { db, services } = ctx
  const commented = rows.filter((row) => row.comments_count > 0).map((row) => row.id)
  const reacted = rows.filter((row) => row.reactions_count > 0).map((row) => row.id)
  const [comments, reactions, metas, termsByFeed] = await Promise.all([
    newestComments(db, commented),
    newestReactions(db, reacted),
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
    const embedded = { comments: commentsOf.get(row.id) ?? [], reactions: reactionsOf.get(row.id) ?? [], meta, terms }
    const view = viewFeed(row, embedded, origin)
    return { view, subjects: [...subjectsOf(view), ...subjects] }
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

/**
 * Feeds as JSON, in the order of `hits`; what is the same for every caller is kept until one of its rows changes.
 * `since`: the caches' moment before the hits were found.
 */
export const feedItems = async (ctx: Asking, hits: readonly FeedHit[], since: number): Promise<Buffer[]> => {
  const kept = ctx.services.caches.of<Fragment>('feeds', KEPT, 'content')
  const known = new Map<number, Fragment>()
  const missing: number[] = []
  for (const { id } of hits) {
    const found = kept.get(id, since)
    if (found) known.set(id, found)
    else missing.push(id)
  }
  // A feed may have changed since the hits were found, also out of the caller's sight.
  const rows = (await loadFeeds(ctx.db, missing, ctx.actor.id)).filter((row) => feedAbilities(ctx.actor, row).view)
  for (const { view, subjects } of await makeViews(ctx, rows)) {
    const fragment = fragments.of(view)
    known.set(view.id, fragment)
    // A survey shows each caller something else.
    if (!surveyOf(view.meta)) kept.set(view.id, fragment, subjects, since)
  }
  return hits.flatMap(({ id, my_reaction, my_bookmark }) => {
    const fragment = known.get(id)
    if (!fragment) return []
    const reaction = my_reaction === null ? 'null' : `"${my_reaction}"`
    return [fragments.item(fragment, `"has_user_react":${reaction},"bookmarked":${my_bookmark !== null}`)]
  })
}
