import { randomUUID } from 'node:crypto'
import { api } from '@lyceum/contract'
import { pageOf, pagination } from '../../core/pagination.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { assertManages, owns } from './access.ts'
import { checkUrl, createWebhook, ownWebhookFor, redeliver, removeWebhook, rotateSecret, updateWebhook, webhookFor } from './commands.ts'
import { post } from './deliver.ts'
import { testBody } from './payload.ts'
import { countDeliveries, eventsOf, listDeliveries, listEvents, listWebhooks } from './queries.ts'
import { viewDelivery, viewWebhook } from './view.ts'

export const webhookHandlers: Handlers<typeof api.webhooks> = {
  list: async ({ db, now, actor, services }) => {
    assertManages(actor)
    const [rows, events] = await Promise.all([listWebhooks(db), listEvents(db)])
    return { webhooks: rows.map((row) => viewWebhook(services, row, { events: events.get(row.id) ?? [], now, hidden: !owns(actor, row) })) }
  },

  create: prepared(
    api.webhooks.create,
    async ({ actor, services }, { body }) => {
      assertManages(actor)
      await checkUrl(services, body.url)
    },
    async (ctx, { body }) => {
      const { webhook, secret } = await createWebhook(ctx, body)
      return {
        ...viewWebhook(ctx.services, webhook, { events: body.events, now: ctx.now, shown: secret }),
        message: 'The webhook was created.',
      }
    },
  ),

  one: async (ctx, { params }) => {
    assertManages(ctx.actor)
    const webhook = await webhookFor(ctx, params.webhook_id)
    return {
      data: viewWebhook(ctx.services, webhook, {
        events: await eventsOf(ctx.db, webhook.id),
        now: ctx.now,
        hidden: !owns(ctx.actor, webhook),
      }),
    }
  },

  update: prepared(
    api.webhooks.update,
    async (ctx, { params, body }) => {
      assertManages(ctx.actor)
      await ownWebhookFor(ctx, params.webhook_id)
      await checkUrl(ctx.services, body.url)
    },
    async (ctx, { params, body }) => {
      const webhook = await updateWebhook(ctx, params.webhook_id, body)
      return {
        ...viewWebhook(ctx.services, webhook, { events: await eventsOf(ctx.db, webhook.id), now: ctx.now }),
        message: 'The webhook was updated.',
      }
    },
  ),

  remove: async (ctx, { params }) => {
    assertManages(ctx.actor)
    await removeWebhook(ctx, params.webhook_id)
    return { message: 'The webhook was deleted.' }
  },

  test: async (ctx, { params }) => {
    assertManages(ctx.actor)
    const webhook = await ownWebhookFor(ctx, params.webhook_id)
    const { code, ms, error } = await post(ctx.services, webhook, `test_${randomUUID()}`, await testBody(ctx, webhook, ctx.actor.id))
    return { success: error === null, status_code: code, response_time: ms, message: error ?? `The receiver answered ${code}.` }
  },

  rotateSecret: async (ctx, { params }) => {
    assertManages(ctx.actor)
    const { webhook, secret } = await rotateSecret(ctx, params.webhook_id)
    const events = await eventsOf(ctx.db, webhook.id)
    return {
      ...viewWebhook(ctx.services, webhook, { events, now: ctx.now, shown: secret }),
      message: 'The secret was rotated. Deliveries are signed with the previous one too for 24 hours.',
    }
  },

  deliveries: async (ctx, { params, query }) => {
    assertManages(ctx.actor)
    const { id: webhookId } = await ownWebhookFor(ctx, params.webhook_id)
    const filter = { webhookId, status: query.status, event: query.event }
    const [rows, total] = await Promise.all([listDeliveries(ctx.db, filter, pageOf(query)), countDeliveries(ctx.db, filter)])
    return { deliveries: rows.map(viewDelivery), pagination: pagination(total, query.page, query.per_page) }
  },

  redeliver: async (ctx, { params }) => {
    assertManages(ctx.actor)
    const delivery = await redeliver(ctx, params.webhook_id, params.delivery_id)
    return { message: 'The delivery was queued again.', data: viewDelivery(delivery) }
  },
}
