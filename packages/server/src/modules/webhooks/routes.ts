import { randomUUID } from 'node:crypto'
import { api } from '@lyceum/contract'
import { pageOf, pagination } from '../../core/pagination.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { assertManages } from './access.ts'
import { checkUrl, createWebhook, ownWebhookFor, redeliver, removeWebhook, rotateSecret, updateWebhook, webhookFor } from './commands.ts'
import { post } from './deliver.ts'
import { testBody } from './payload.ts'
import { eventsOf, listDeliveries, listEvents, listWebhooks } from './queries.ts'
import { viewDelivery, viewWebhook } from './view.ts'

export const webhookHandlers: Handlers<typeof api.webhooks> = {
  list: async (ctx) => {
    assertManages(ctx.actor)
    const [rows, events] = await Promise.all([listWebhooks(ctx.db), listEvents(ctx.db)])
    return { webhooks: rows.map((row) => viewWebhook(ctx, row, events.get(row.id) ?? [])) }
  },

  create: prepared(
    api.webhooks.create,
    async ({ actor, services }, { body }) => {
      assertManages(actor)
      await checkUrl(services, body.url)
    },
    async (ctx, { body }) => {
      const { webhook, secret } = await createWebhook(ctx, body)
      return { ...viewWebhook(ctx, webhook, body.events, secret), message: 'The webhook was created.' }
    },
  ),

  one: async (ctx, { params }) => {
    const webhook = await webhookFor(ctx, params.webhook_id)
    return { data: viewWebhook(ctx, webhook, await eventsOf(ctx.db, [webhook.id])) }
  },

  update: prepared(
    api.webhooks.update,
    async (ctx, { params, body }) => {
      await ownWebhookFor(ctx, params.webhook_id)
      await checkUrl(ctx.services, body.url)
    },
    async (ctx, { params, body }) => {
      const webhook = await updateWebhook(ctx, params.webhook_id, body)
      return { ...viewWebhook(ctx, webhook, await eventsOf(ctx.db, [webhook.id])), message: 'The webhook was updated.' }
    },
  ),

  remove: async (ctx, { params }) => {
    await removeWebhook(ctx, params.webhook_id)
    return { message: 'The webhook was deleted.' }
  },

  test: async (ctx, { params }) => {
    const webhook = await ownWebhookFor(ctx, params.webhook_id)
    const { code, ms, error } = await post(ctx.services, webhook, `test_${randomUUID()}`, await testBody(ctx, webhook, ctx.actor.id))
    return { success: error === null, status_code: code, response_time: ms, message: error ?? `The receiver answered ${code}.` }
  },

  rotateSecret: async (ctx, { params }) => {
    assertManages(ctx.actor)
    const { webhook, secret } = await rotateSecret(ctx, params.webhook_id)
    return {
      ...viewWebhook(ctx, webhook, await eventsOf(ctx.db, [webhook.id]), secret),
      message: 'The secret was rotated. Deliveries are signed with the previous one too for 24 hours.',
    }
  },

  deliveries: async (ctx, { params, query }) => {
    const { id: webhookId } = await ownWebhookFor(ctx, params.webhook_id)
    const { rows, total } = await listDeliveries(ctx.db, { webhookId, status: query.status, event: query.event }, pageOf(query))
    return { deliveries: rows.map(viewDelivery), pagination: pagination(total, query.page, query.per_page) }
  },

  redeliver: async (ctx, { params }) => {
    const delivery = await redeliver(ctx, params.webhook_id, params.delivery_id)
    return { message: 'The delivery was queued again.', data: viewDelivery(delivery) }
  },
}
