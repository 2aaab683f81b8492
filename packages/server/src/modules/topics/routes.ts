import type { api, BodyOf } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { audit } from '../audit/index.ts'
import { readSetting, saveSettings, settingsChanged } from '../settings/index.ts'
import { createTopic, removeTopic, updateTopic } from './commands.ts'
import { listTopics, spacesOfTopics } from './queries.ts'
import { viewTopic } from './view.ts'

const updateAndAudit = async (ctx: WriteRequest, topicId: number, fields: BodyOf<typeof api.adminTopics.update>) => {
  const { topic, spaces } = await updateTopic(ctx, topicId, fields)
  await audit(ctx, 'topic.updated', { object_type: 'topic', object_id: topic.id, details: { fields: Object.keys(fields) } })
  return { ...viewTopic(topic, spaces), message: 'The topic was updated.' }
}

export const adminTopicHandlers: Handlers<typeof api.adminTopics> = {
  list: async ({ db }, { query }) => {
    const { status, parent_id: parent, space_id: space, search, page, per_page } = query
    const { rows, total } = await listTopics(db, { status, parent, space, search: search?.trim() }, pageOf({ page, per_page }))
    const spaces = await spacesOfTopics(
      db,
      rows.map((row) => row.id),
    )
    return { topics: rows.map((row) => viewTopic(row, spaces.get(row.id))), pagination: pagination(total, page, per_page) }
  },

  create: async (ctx, { body }) => {
    const { id, ...fields } = body
    if (id) {
      ctx.setNotCreated()
      return updateAndAudit(ctx, id, fields)
    }
    const topic = await createTopic(ctx, fields)
    await audit(ctx, 'topic.created', { object_type: 'topic', object_id: topic.id, details: { title: topic.title } })
    const spaces = await spacesOfTopics(ctx.db, [topic.id])
    return { ...viewTopic(topic, spaces.get(topic.id)), message: 'The topic was created.' }
  },

  update: (ctx, { params, body }) => updateAndAudit(ctx, params.topic_id, body),

  remove: async (ctx, { params }) => {
    const { id, title } = await removeTopic(ctx, params.topic_id)
    await audit(ctx, 'topic.deleted', { object_type: 'topic', object_id: id, details: { title } })
    return { message: 'The topic was deleted.' }
  },

  config: ({ db }) => readSetting(db, 'topics'),

  saveConfig: async (ctx, { body }) => {
    const { enabled, required_for_posts, allow_multiple, user_can_create, display_on_feed, ...rest } = body
    const flags = { enabled, required_for_posts, allow_multiple, user_can_create, display_on_feed }
    const given = Object.entries(flags).flatMap(([name, flag]) => (flag === undefined ? [] : [[name, Boolean(flag)]]))
    await saveSettings(ctx, { topics: { ...rest, ...Object.fromEntries(given) } })
    await settingsChanged(ctx, { keys: ['topics'] })
    return { ...(await readSetting(ctx.db, 'topics')), message: 'The settings were saved.' }
  },
}
