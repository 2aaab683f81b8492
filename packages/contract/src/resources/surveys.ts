import { route } from '../route.ts'
import { Count, Datetime, Id, nullable, Pagination, paging, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const feedId = pathId('feed_id')

const SurveyResults = Type.Object({
  total_votes: nullable(Count),
  options: Type.Array(
    Type.Object({ slug: Type.String(), label: Type.String(), votes: nullable(Count), percentage: nullable(Type.Number()) }),
  ),
})

export const surveys = {
  vote: route({
    method: 'POST',
    path: '/feeds/{feed_id}/apps/survey-vote',
    access: 'member',
    writeLimit: 'reactions',
    summary: 'Vote in a survey',
    params: feedId,
    body: Type.Object({
      option_slug: Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        items: { type: 'string' },
        maxItems: 50,
        description: 'Slug of the option, or a list of slugs if the survey allows several.',
      }),
    }),
    response: Type.Object({ success: Type.Boolean(), message: Type.String(), results: SurveyResults }),
    errors: ['rest_forbidden', 'feed_not_found', 'survey_not_found', 'survey_closed', 'invalid_option'],
  }),
  voters: route({
    method: 'GET',
    path: '/feeds/{feed_id}/apps/survey-voters/{option_slug}',
    access: 'member',
    summary: 'List voters of an option',
    params: Type.Object({ feed_id: Id, option_slug: Type.String({ maxLength: 100 }) }),
    query: Type.Object(paging(20)),
    response: Type.Object({
      voters: Type.Array(Type.Object({ id: Id, display_name: Type.String(), avatar: Type.String(), voted_at: Datetime })),
      pagination: Pagination,
    }),
    errors: ['rest_forbidden', 'feed_not_found', 'survey_not_found', 'invalid_option'],
  }),
} as const
