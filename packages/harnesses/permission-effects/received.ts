import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from '@lyceum/contract'
import PostalMime, { type Email } from 'postal-mime'
import type { Received as Posted } from '#test/webhook-receiver.ts'
import type { World } from '#test/world.ts'
import { unsubscribeToken } from '../../server/src/modules/notifications/delivery/unsubscribe-token.ts'
import { routeAt } from '../xss/fields.ts'
import type { Stage } from './stage.ts'

/** An item that reached another person. */
export type Received =
  | { readonly channel: 'mail'; readonly from: string; readonly source: string; readonly mail: Email }
  | { readonly channel: 'push'; readonly from: string; readonly message: Readonly<Record<string, unknown>> }
  | { readonly channel: 'webhook'; readonly from: string; readonly headers: Posted['headers']; readonly body: unknown }
  | { readonly channel: 'stream'; readonly from: string; readonly event: unknown }
  | { readonly channel: 'page'; readonly from: string; readonly headers: Headers; readonly html: string }
  | { readonly channel: 'guests' | 'members' | 'staff'; readonly from: string; readonly route: Route | undefined; readonly body: unknown }
export type Channel = Received['channel']

/** Mails since the last call, including welcome mails. */
export const takeMails = async (world: World): Promise<{ source: string; mail: Email }[]> => {
  const folder = join(world.app.services.config.dataDir, 'outbox')
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  return Promise.all(
    names.map(async (name) => {
      const source = readFileSync(join(folder, name), 'utf8')
      rmSync(join(folder, name))
      return { source, mail: await PostalMime.parse(source) }
    }),
  )
}

/** The pages that the server returns for links. */
const takePages = async ({ world, holders, reader, scene }: Stage): Promise<Received[]> => {
  const { author } = holders
  for (const lesson of scene.school.lessons) await author.raw('POST', `/courses/${scene.school.courseId}/lessons/${lesson}/complete`)
  const { body } = await author.raw('GET', `/courses/${scene.school.courseId}/certificate`)
  const token = unsubscribeToken(world.app.services.keys.unsubscribing, { userId: reader.id, kind: 'mention' })
  const pages: Received[] = []
  for (const path of [
    '/',
    '/docs',
    '/sign-in',
    `/certificates/${body?.data?.certificate_id}`,
    `/certificates/${'0'.repeat(32)}`,
    `/unsubscribe/${token}`,
    '/manifest.webmanifest',
  ]) {
    const answer = await world.request('GET', `/${path}`, undefined, { accept: 'text/html' })
    if (answer.status < 500) pages.push({ channel: 'page', from: path, headers: answer.headers, html: answer.text })
  }
  return pages
}

/** The landing pages of spaces and courses are shown only to people outside of them. */
const IS_ABOUT_A_PLACE = /^\/(?:spaces|courses)\//
const IS_SHOWN_TO_GUESTS = /^\/(?:settings\/public|certificates|auth\/session)/

const takeAnswers = async ({ world, reader, stranger, owner, reading }: Stage): Promise<Received[]> => {
  const answers: Received[] = []
  for (const address of reading) {
    const route = routeAt('GET', address)
    const readers = [
      ['members', reader],
      ['staff', owner],
      ...(IS_ABOUT_A_PLACE.test(address) ? ([['members', stranger]] as const) : []),
      ...(IS_SHOWN_TO_GUESTS.test(address) ? ([['guests', null]] as const) : []),
    ] as const
    for (const [channel, who] of readers) {
      const { status, body } = who ? await who.raw('GET', address) : await world.request('GET', address)
      if (status < 300) answers.push({ channel, from: address, route, body })
    }
  }
  return answers
}

/** Everything that reached others since the last call; responses to requests only if wanted. */
export const takeAll = async (stage: Stage, withAnswers: boolean): Promise<Received[]> => {
  const { world, receiver, push, devices, stream } = stage
  await world.runPendingJobs()
  const mails = (await takeMails(world)).map((one): Received => ({ channel: 'mail', from: `mail “${one.mail.subject}”`, ...one }))
  const pushed = [...devices].flatMap(([who, device]) =>
    push.take(device).map(({ body }): Received => ({ channel: 'push', from: `push to ${who.username}`, message: device.open(body) })),
  )
  const posted = receiver.seen
    .splice(0)
    .map(({ headers, body }): Received => ({ channel: 'webhook', from: `webhook ${body?.event}`, headers, body }))
  const told = (await stream.all()).map((event): Received => ({ channel: 'stream', from: `stream ${event.event}`, event }))
  return [...mails, ...pushed, ...posted, ...told, ...(await takePages(stage)), ...(withAnswers ? await takeAnswers(stage) : [])]
}

/** All its text, which is searched for marks. */
export const textOf = (one: Received): string => {
  if (one.channel === 'mail') return `${one.source}\n${one.mail.subject} ${one.mail.from?.name} ${one.mail.text} ${one.mail.html}`
  if (one.channel === 'page') return `${[...one.headers].join('\n')}\n${one.html}`
  return JSON.stringify(one.channel === 'push' ? one.message : one.channel === 'stream' ? one.event : one.body)
}
