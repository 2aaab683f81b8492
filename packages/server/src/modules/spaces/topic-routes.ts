import type { api } from '@lyceum/contract'
import { ApiError } from '../../core/errors.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { audit } from '../audit/index.ts'
import { createTopic, listTopics, spacesOfTopics, topicRules, viewTopicChoice } from '../topics/index.ts'
import { namedSpace } from './access.ts'
import { visibleSpaceIds } from './queries.ts'
import { visibleTopics } from './space-topics.ts'

const DEFAULT_PAGE = 100

/** Topics as members see them; which ones depends on the spaces visible to them. */
export const topicHandlers: Handlers<typeof api.topics> = {
  list: async (ctx, { query }) => {
    const { db, actor } = ctx
    const { page, per_page = DEFAULT_PAGE, search } = query
    const space = (await namedSpace(ctx, query, 'view'))?.id
    const { on, ...config } = await topicRules(db)
    const filter = { status: 'active', space, search: search?.trim() } as const
    const { rows, total } = on ? await listTopics(db, filter, pageOf({ page, per_page }), visibleTopics(actor)) : { rows: [], total: 0 }
    const [spaces, visible] = await Promise.all([
      spacesOfTopics(
        db,
        rows.map((row) => row.id),
      ),
      visibleSpaceIds(db, actor),
    ])
    return {
      topics: rows.map((row) =>
        viewTopicChoice(
          row,
          spaces.get(row.id)?.filter((id) => visible.has(id)),
        ),
      ),
      pagination: pagination(total, page, per_page),
      config,
    }
  },

  create: async (ctx, { body }) => {
    const { on, user_can_create } = await topicRules(ctx.db)
    if (!on || (!user_can_create && ctx.actor.role !== 'admin')) throw new ApiError('rest_forbidden')
    const topic = await createTopic(ctx, body)
    await audit(ctx, 'topic.created', { object_type: 'topic', object_id: topic.id, details: { title: topic.title } })
    return { message: 'The topic was created.', topic: viewTopicChoice(topic) }
  },
}
