import type { Asked, ReadContext } from '../../platform/context.ts'
import { feedAbilities } from './access.ts'
import { type Meta, parseMeta, surveyOf } from './meta.ts'
import { newestComments, newestReactions } from './previews.ts'
import type { FeedFor } from './rows.ts'
import { seesResults, tallies, viewSurvey } from './surveys.ts'
import { type FeedView, viewFeed } from './view.ts'

type Asking = Pick<ReadContext, 'db' | 'now' | 'services'> & Pick<Asked, 'actor'>

/** The meta of each feed with the results of its survey, as far as the caller may see them. */
const viewMetas = async ({ db, actor, now }: Asking, rows: readonly FeedFor[]): Promise<Meta[]> => {
  const metas = rows.map(row => parseMeta(row.meta))
  const withSurvey = rows.filter((_, i) => surveyOf(metas[i] ?? {}))
  if (withSurvey.length === 0) return metas
  const byFeed = await tallies(db, withSurvey.map(row => row.id), actor.id)
  return metas.map((meta, i) => {
    const row = rows[i]
    const survey = surveyOf(meta)
    if (!row || !survey) return meta
    const tally = byFeed.get(row.id) ?? { voters: 0, votes: new Map(), mine: [] }
    return { ...meta, survey: viewSurvey(survey, tally, seesResults(survey, tally, feedAbilities(actor, row).seeResults), now) }
  })
}

/** Feed rows as the API's feeds, with everything that is embedded fetched for all of them at once. */
export const viewFeeds = async (ctx: Asking, rows: readonly FeedFor[]): Promise<FeedView[]> => {
  const { db, actor, services } = ctx
  const commented = rows.filter(row => row.comments_count > 0).map(row => row.id)
  const reacted = rows.filter(row => row.reactions_count > 0).map(row => row.id)
  const [comments, reactions, metas] = await Promise.all([newestComments(db, commented, actor.id), newestReactions(db, reacted), viewMetas(ctx, rows)])
  const commentsOf = Map.groupBy(comments, row => row.post_id)
  const reactionsOf = Map.groupBy(reactions, row => row.feed_id)
  const origin = services.origin()
  return rows.map((row, i) =>
    viewFeed(row, { comments: commentsOf.get(row.id) ?? [], reactions: reactionsOf.get(row.id) ?? [], meta: metas[i] ?? {} }, origin),
  )
}
