import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWorld, type Member, type World } from '#test/world.ts'
import type { Outbound } from '../../server/src/outbound/index.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A community in which every sink can be used. */
export interface Stage {
  readonly world: World
  readonly admin: Member
  readonly ana: Member
  readonly ben: Member
  readonly webhook: number
  readonly delivery: number
  readonly report: number
  /** Browser keys. */
  readonly device: { readonly p256dh: string; readonly auth: string }
  readonly site: Site
  close(): Promise<void>
}

/** An external site to which requests are allowed. */
export interface Site {
  readonly address: string
  readonly port: number
  answer(next: Answer): void
  /** An address of it that was not requested before. */
  fresh(): string
  /** Requests since the last call. */
  taken(): number
  stop(): Promise<void>
}

/** On its own address, because the listeners' addresses must remain blocked. */
const startSite = async (): Promise<Site> => {
  let answer: Answer = (_request, response) => void response.end('ok')
  let made = 0
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    request.resume().on('end', () => answer(request, response))
  })
  const stands = (address: string) =>
    new Promise<boolean>((resolve) => {
      const fails = () => resolve(false)
      server.once('error', fails).listen(0, address, () => {
        server.off('error', fails)
        resolve(true)
      })
    })
  const address = (await stands('127.0.0.9')) ? '127.0.0.9' : (await stands('::1')) ? '::1' : ''
  if (!address) throw new Error('this machine has one loopback address alone')
  const { port } = server.address() as AddressInfo
  return {
    address,
    port,
    answer: (next) => {
      answer = next
    },
    fresh: () => {
      made += 1
      return `http://${address.includes(':') ? `[${address}]` : address}:${port}/page-${made}`
    },
    taken: () => {
      const taken = asked
      asked = 0
      return taken
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const DEVICE = {
  p256dh: 'BA8btVObzPTDjZZXP_sbnm3d93K8SzS5c0WydInZuYHL4jPOnQpCshmmKIkrahewbWaMf1Dt-xY3xO0mJ9yNvqI',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

export const asFeed = async (who: Member): Promise<number> =>
  (await who.api.feeds.create({ message: 'What next to the tomatoes?' })).data.id

/** `allow`: allowed addresses besides the site. */
export const makeStage = async (allow: readonly string[] = [], outbound?: Outbound): Promise<Stage> => {
  const site = await startSite()
  const env = { LYCEUM_OUTBOUND_ALLOW: [site.address, ...allow].join() }
  const world = await createWorld({ env, ...(outbound && { outbound }) })
  const admin = await world.member({ role: 'admin' })
  const ana = await world.member()
  const ben = await world.member()
  const { id: webhook } = await admin.api.webhooks.create({ name: 'Hook', url: site.fresh(), events: ['feed.created'], retry_count: 0 })
  const feed = await asFeed(ana)
  const { id: report } = await ben.api.moderation.report({ object_id: feed, object_type: 'feed', reason: 'spam' })
  await world.runPendingJobs()
  const delivery = (await admin.api.webhooks.deliveries({ webhook_id: webhook })).deliveries[0]?.id as number
  await admin.api.webhooks.update({ webhook_id: webhook, events: ['feed.deleted'] })
  site.taken()
  return {
    world,
    admin,
    ana,
    ben,
    webhook,
    delivery,
    report,
    device: DEVICE,
    site,
    close: async () => {
      await world.close()
      await site.stop()
    },
  }
}

/** A port without a listener. */
export const closedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
