import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { lockRow } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { feedAbilities, feedFor } from './access.ts'
import { parseMeta, surveyOf } from './feed-row.ts'
import { castVote, listVoters, seesResults, tallyOf, viewResults } from './surveys.ts'

type SurveyRequest = Pick<ReadRequest, 'db' | 'now' | 'actor'>

const surveyFor = async (ctx: SurveyRequest, feedId: number, ability: 'view' | 'participate') => {
  const feed = await feedFor(ctx, feedId, ability)
  const survey = surveyOf(parseMeta(feed.meta))
  if (!survey) throw new ApiError('survey_not_found')
  return { feed, survey, seesAll: feedAbilities(ctx.actor, feed).seeResults }
}

export const surveyHandlers: Handlers<typeof api.surveys> = {
  vote: async (ctx, { params, body }) => {
    // Lock before reading, so that a concurrent change of the survey or of permissions is seen completely or not at all.
    await lockRow(ctx.db, 'feeds', params.feed_id)
    const { survey, seesAll } = await surveyFor(ctx, params.feed_id, 'participate')
    const slugs = [...new Set([body.option_slug].flat())]
    const known = survey.options.map((option) => option.slug)
    if (slugs.length === 0 || !slugs.every((slug) => known.includes(slug))) throw new ApiError('invalid_option')
    if (slugs.length > 1 && !survey.allow_multiple) throw new ApiError('invalid_option', { message: 'This survey allows only one option.' })
    if (survey.end_date !== undefined && survey.end_date <= ctx.now) throw new ApiError('survey_closed')
    await castVote(ctx.db, params.feed_id, ctx.actor.id, survey, slugs, ctx.now)
    await ctx.emit('survey.voted', { feed_id: params.feed_id, user_id: ctx.actor.id })
    const tally = await tallyOf(ctx.db, params.feed_id, ctx.actor.id)
    return { success: true, message: 'Your vote was counted.', results: viewResults(survey, tally, seesResults(survey, tally, seesAll)) }
  },

  voters: async (ctx, { params, query }) => {
    const { survey, seesAll } = await surveyFor(ctx, params.feed_id, 'view')
    if (!survey.options.some((option) => option.slug === params.option_slug)) throw new ApiError('invalid_option')
    const tally = await tallyOf(ctx.db, params.feed_id, ctx.actor.id)
    if (!seesResults(survey, tally, seesAll))
      throw new ApiError('rest_forbidden', { message: 'You cannot see the results of this survey.' })
    const { limit, offset } = pageOf(query)
    const voters = await listVoters(ctx.db, [params.feed_id, params.option_slug, limit, offset])
    return { voters, pagination: pagination(tally.votes.get(params.option_slug) ?? 0, query.page, query.per_page) }
  },
}
