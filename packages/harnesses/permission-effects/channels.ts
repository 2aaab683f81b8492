import { WEBHOOK_EVENTS } from '@lyceum/contract'
import { basic, fetchFile } from '#test/media.ts'
import type { PushService } from '#test/push-service.ts'
import { rawGet } from '#test/raw-get.ts'
import { type Listener, listen } from '#test/sse-client.ts'
import { unzip } from '#test/unzip.ts'
import type { Scene } from '#test/valid-bodies.ts'
import type { Receiver } from '#test/webhook-receiver.ts'
import type { Member, World } from '#test/world.ts'
import { readingIn } from '../xss/fields.ts'
import { takeMails } from './received.ts'
import type { Secrets } from './secrets.ts'
import { type Holder, subscribeAll } from './stage.ts'

/** Channels by which information reaches a person. */
export const WAYS = ['answers', 'reports', 'queue', 'audit log', 'analytics', 'webhook', 'mail', 'push', 'stream', 'archive'] as const
export type Way = (typeof WAYS)[number]
/** Channels read by GET requests; the other channels must not reveal more than these. */
export const READ_BY_GET: ReadonlySet<Way> = new Set(['answers', 'reports', 'queue', 'audit log', 'analytics'])

export type ChannelTexts = Readonly<Record<Way, string>>
type Holders = Readonly<Partial<Record<Holder, Member>>>

export interface Channels {
  readonly collect: (holder: Holder, secrets: Secrets) => Promise<ChannelTexts>
  readonly take: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Opens every channel for each holder, as far as their permissions allow. */
export const openChannels = async (
  world: World,
  holders: Holders,
  receiver: Receiver,
  push: PushService,
  scene: Scene,
): Promise<Channels> => {
  const people = new Map(Object.entries(holders) as [Holder, Member][])
  const streams = new Map<Holder, Listener>()
  const path = (holder: Holder) => `/${holder.replaceAll(' ', '-')}`
  for (const [holder, who] of people) {
    const hook = { name: 'Mine', url: receiver.url + path(holder), events: [...WEBHOOK_EVENTS] }
    for (const all_content of [true, false]) await who.raw('POST', '/admin/webhooks', { ...hook, all_content })
    for (const name of ['admin_email', 'from_email']) await who.raw('PUT', '/settings', { [name]: who.email })
    await who.api.notifications.savePreferences({ username: 'me', digest_frequency: 'daily' })
    streams.set(holder, await listen(world, who))
  }
  const devices = await subscribeAll(push, [...people.values()])
  let mails: Awaited<ReturnType<typeof takeMails>> = []
  const archives = new Map<Holder, string>()

  const wayOf = (address: string): Way => {
    if (address.startsWith('/moderation/reports')) return 'reports'
    if (address.startsWith('/moderation/queue')) return 'queue'
    if (/^\/admin\/(?:audit-log|sign-in-failures)/.test(address)) return 'audit log'
    return address.startsWith('/analytics') ? 'analytics' : 'answers'
  }

  const askAll = async (who: Member, { space, feed, comment, kept, author, report }: Secrets): Promise<Map<Way, string[]>> => {
    const own = {
      ...{ space_id: space.id, space_slug: space.slug, comment_id: comment, user_id: author.id, username: author.username },
      ...{ report_id: report, option_slug: 'a', key: 'site_name', code: '0'.repeat(32) },
    }
    const addresses = [feed, kept].flatMap(({ id, slug }) => readingIn(scene, { ...own, feed_id: id, feed_slug: slug }))
    const found = new Map<Way, string[]>()
    for (const address of new Set(addresses)) {
      const way = wayOf(address)
      const forms = way === 'analytics' ? [address, `${address}${address.includes('?') ? '&' : '?'}format=csv`] : [address]
      for (const form of forms) {
        const { status, text } = await rawGet(world.base + form, basic(who))
        if (status < 300) found.set(way, [...(found.get(way) ?? []), text])
      }
    }
    return found
  }

  const archiveOf = async (who: Member): Promise<string> => {
    const { data } = await who.api.privacy.requestExport()
    await world.runPendingJobs()
    const { download_url } = (await who.api.privacy.export({ export_id: data.id })).data
    const files = await unzip((await fetchFile(who, download_url ?? '')).bytes)
    return [...files.values()].map((file) => file.toString()).join('\n')
  }

  return {
    take: async () => {
      await world.runPendingJobs()
      world.clock.advance(3700)
      await world.runPendingJobs()
      for (let day = 0; day < 2; day++) {
        world.clock.advance(24 * 3600)
        await world.app.digests.run()
        await world.runPendingJobs()
      }
      mails = [...mails, ...(await takeMails(world))]
      for (const [holder, who] of people) archives.set(holder, await archiveOf(who))
    },
    collect: async (holder, secrets) => {
      const who = people.get(holder)
      if (!who) throw new Error(`nobody listens as ${holder}`)
      const asked = await askAll(who, secrets)
      const device = devices.get(who)
      const got: Record<Way, unknown> = {
        ...(Object.fromEntries(WAYS.map((way) => [way, asked.get(way) ?? []])) as Record<Way, string[]>),
        webhook: receiver.seen.filter(({ path: at }) => at === path(holder)).map(({ text }) => text),
        mail: mails
          .filter(({ mail }) => mail.to?.some(({ address }) => address === who.email))
          .map(({ mail, source }) => [mail.text, source]),
        push: device ? push.take(device).map(({ body }) => device.open(body)) : [],
        stream: (await streams.get(holder)?.all()) ?? [],
        archive: archives.get(holder) ?? '',
      }
      return Object.fromEntries(
        WAYS.map((way) => [
          way,
          [got[way]]
            .flat()
            .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
            .join('\n'),
        ]),
      ) as ChannelTexts
    },
    stop: async () => {
      await Promise.all([...streams.values()].map((stream) => stream.stop()))
    },
  }
}
