import { STREAM_EVENTS, type StreamEventName } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import type { ReadContext } from '../../core/context.ts'
import type { Gathered, StreamSource, Told } from '../../realtime/index.ts'
import { lazy } from '../../util/lazy.ts'
import { type NotificationView, presentNotifications, unreadCount } from '../notifications/index.ts'
import { loadFacts, readEvents } from './decode-events.ts'
import { type Audience, audiencesOf, type Said } from './event-audience.ts'
import { loadViewers, type Viewer } from './viewer-access.ts'

/** Writes data by the contract's allow-list. */
const WRITE = Object.fromEntries(
  Object.entries(STREAM_EVENTS).map(([name, schema]) => [name, lazy(() => fastJsonStringify(schema as object))]),
) as unknown as Readonly<Record<StreamEventName, () => (data: unknown) => string>>

/** What most say is the same for all who hear it, so that it is written once. */
const createWriting = () => {
  const known = new WeakMap<object, string>()
  return (name: StreamEventName, data: object): string => {
    const text = known.get(data) ?? WRITE[name]()(data)
    known.set(data, text)
    return text
  }
}

/** How many members' own notifications are looked up at once. */
const LANES = 4

type Heard = { readonly hearing: Audience; readonly said: Said }

/** Adds what is the recipient's own: his notifications as he may see them now, and how many he has not read. */
const notifyOne = async (ctx: ReadContext, viewer: Viewer, heard: readonly Heard[], write: ReturnType<typeof createWriting>) => {
  const asking = { ...ctx, actor: viewer.actor }
  const ids = heard.flatMap(({ said }) => (said.name === 'notification' ? said.id : []))
  const shown = new Map<number, NotificationView>()
  for (const notification of ids.length > 0 ? await presentNotifications(asking, [...new Set(ids)]) : [])
    shown.set(notification.id, notification)
  const isAsked = heard.some(({ said }) => said.name === 'notification' || said.name === 'unread')
  const unread_count = isAsked ? await unreadCount(ctx.db, viewer.actor) : 0
  return heard.flatMap(({ hearing: { event }, said }): Told[] => {
    if (said.name === 'unread') return [{ event, name: said.name, data: write('unread', { unread_count }) }]
    if (said.name !== 'notification') return [{ event, name: said.name, data: write(said.name, said.data) }]
    const notification = shown.get(said.id)
    return notification ? [{ event, name: said.name, data: write('notification', { notification, unread_count }) }] : []
  })
}

const audienceOf = (hearings: readonly Audience[]): ReadonlySet<number> | null => {
  const named = hearings.map(({ only }) => only)
  return named.includes(null) ? null : new Set(named.flatMap((id) => id ?? []))
}

/** What members hear of events: each what he may see at that moment. */
export const streamSource: StreamSource = {
  gather: async (ctx, events): Promise<Gathered> => {
    const happened = readEvents(events)
    const facts = await loadFacts(ctx.db, happened)
    const hearings = audiencesOf(happened, facts)
    return {
      audience: audienceOf(hearings),
      tell: async (actors) => {
        const write = createWriting()
        const told = new Map<number, readonly Told[]>()
        const waiting = await loadViewers(ctx, facts, actors)
        const lane = async () => {
          for (let viewer = waiting.shift(); viewer; viewer = waiting.shift()) {
            const { id } = viewer.actor
            const me = viewer
            const mine = hearings.filter(({ only }) => only === null || only === id)
            const heard = mine.flatMap((hearing) => hearing.hear(me).map((said) => ({ hearing, said })))
            if (heard.length > 0) told.set(id, await notifyOne(ctx, viewer, heard, write))
          }
        }
        await Promise.all(Array.from({ length: LANES }, lane))
        return told
      },
    }
  },
  greet: async ({ db }, actor) => ({ unread_count: await unreadCount(db, actor) }),
}
