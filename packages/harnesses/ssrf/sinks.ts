import { asFeed, type Stage } from './stage.ts'

/** A code path that sends a request to a supplied address. */
export interface Sink {
  readonly name: string
  /**
   * Uses these addresses as if each had passed validation when it was entered, as a name does that later resolves elsewhere.
   * @returns the result of each, as far as it is visible to users
   */
  use(stage: Stage, urls: readonly string[]): Promise<readonly string[]>
}

/** A field for an address that is used later. */
export interface Entry {
  readonly name: string
  /** @returns status and text of the response; nothing remains stored */
  enter(stage: Stage, url: string): Promise<{ readonly status: number; readonly text: string }>
}

const oneByOne =
  (use: (stage: Stage, url: string) => Promise<string>): Sink['use'] =>
  async (stage, urls) => {
    const told: string[] = []
    for (const url of urls) told.push(await use(stage, url))
    return told
  }

const pointWebhook = ({ world, webhook }: Stage, url: string) =>
  world.app.write(null, ({ db }) => db.updateTable('webhooks').set({ url }).where('id', '=', webhook).execute())

/** The errors of failed jobs; deletes the jobs. */
const takeFailures = ({ world }: Stage): Promise<string[]> =>
  world.app.write(null, async ({ db }) => {
    const rows = await db.deleteFrom('jobs').where('last_error', 'is not', null).returning(['name', 'last_error']).execute()
    return rows.map(({ name, last_error }) => `${name}: ${last_error}`)
  })

const testWebhook: Sink = {
  name: 'webhook test',
  use: oneByOne(async (stage, url) => {
    await pointWebhook(stage, url)
    const { status, body } = await stage.admin.raw('POST', `/admin/webhooks/${stage.webhook}/test`)
    return JSON.stringify([status, { ...body, response_time: 0 }])
  }),
}

const deliverWebhook: Sink = {
  name: 'webhook delivery',
  use: oneByOne(async (stage, url) => {
    const { admin, world, webhook, delivery } = stage
    await pointWebhook(stage, url)
    await admin.api.webhooks.redeliver({ webhook_id: webhook, delivery_id: delivery })
    await world.runPendingJobs()
    const [row] = (await admin.api.webhooks.deliveries({ webhook_id: webhook })).deliveries.filter(({ id }) => id === delivery)
    return JSON.stringify([row?.status, row?.response_code, row?.error])
  }),
}

const tellChat: Sink = {
  name: 'chat notice',
  use: oneByOne(async (stage, url) => {
    const { world, report } = stage
    const value = JSON.stringify({ moderator_notifications: { chat_webhook: url } })
    await world.app.write(null, async ({ db, now, enqueue }) => {
      await db.deleteFrom('moderation_config').execute()
      await db.insertInto('moderation_config').values({ id: 1, value, updated_at: now }).execute()
      await enqueue('moderation.chat_report', { report_id: report })
    })
    await world.runPendingJobs()
    return (await takeFailures(stage)).join()
  }),
}

/** One notification is sent to all devices: each address is a device. */
const push: Sink = {
  name: 'push message',
  use: async (stage, urls) => {
    const { world, ana, ben, device } = stage
    const before = (await ana.api.push.list()).data.length
    await world.app.write(null, async ({ db, now }) => {
      for (const endpoint of new Set(urls)) {
        if (!URL.canParse(endpoint)) continue
        const row = { user_id: ana.id, endpoint, ...device, created_at: now, last_used_at: null }
        await db.insertInto('push_subscriptions').values(row).execute()
      }
    })
    const feed_id = await asFeed(ana)
    await ben.api.comments.create({ feed_id, comment: 'Basil' })
    await world.runPendingJobs()
    const failures = await takeFailures(stage)
    const left = await world.app.write(null, ({ db }) =>
      db.deleteFrom('push_subscriptions').where('user_id', '=', ana.id).returning('endpoint').execute(),
    )
    const kept = new Set(left.map(({ endpoint }) => endpoint))
    return urls.map((url) => `${before} ${kept.has(url) ? `kept ${failures.join()}` : 'forgotten'}`)
  },
}

const askPreview = async ({ ana }: Stage, url: string) => {
  const { status, text } = await ana.raw('GET', `/feeds/oembed?url=${encodeURIComponent(url)}`)
  return `${status} ${text}`
}

const preview: Sink = { name: 'link preview', use: oneByOne(askPreview) }

/** The page is at an allowed address. */
const redirect: Sink = {
  name: 'redirect of a page',
  use: oneByOne(async (stage, url) => {
    const location = Buffer.from(url)
      .toString('latin1')
      .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    stage.site.answer((_request, response) => response.writeHead(302, { location }).end())
    return askPreview(stage, stage.site.fresh())
  }),
}

const description: Sink = {
  name: 'description of a page',
  use: oneByOne(async (stage, url) => {
    const href = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const page = `<title>A page</title><link type="application/json+oembed" href="${href}">`
    stage.site.answer((_request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page))
    // The response contains the address of the page; the rest must not differ.
    return (await askPreview(stage, stage.site.fresh())).replaceAll(/page-\d+/g, 'page')
  }),
}

const remotePicture: Sink = {
  name: 'remote picture',
  use: oneByOne(async ({ ana }, url) => {
    const { status, text } = await ana.raw('GET', `//media/remote?url=${encodeURIComponent(url)}`)
    return `${status} ${text}`
  }),
}

export const SINKS: readonly Sink[] = [testWebhook, deliverWebhook, tellChat, push, preview, redirect, description, remotePicture]

export const ENTRIES: readonly Entry[] = [
  {
    name: 'webhooks.create url',
    enter: async ({ admin }, url) => {
      const { status, text, body } = await admin.raw('POST', '/admin/webhooks', { name: 'Hook', url, events: ['feed.deleted'] })
      if (status < 300) await admin.api.webhooks.remove({ webhook_id: body.id })
      return { status, text }
    },
  },
  { name: 'webhooks.update url', enter: async ({ admin, webhook }, url) => admin.raw('PUT', `/admin/webhooks/${webhook}`, { url }) },
  {
    name: 'moderation.saveConfig moderator_notifications.chat_webhook',
    enter: async ({ admin }, url) => admin.raw('POST', '/moderation/config', { moderator_notifications: { chat_webhook: url } }),
  },
  {
    name: 'push.subscribe endpoint',
    enter: async ({ ana, device }, endpoint) => {
      const { status, text, body } = await ana.raw('POST', '/push/subscriptions', { endpoint, keys: device })
      if (status < 300) await ana.api.push.remove({ id: body.data.id })
      return { status, text }
    },
  },
]
