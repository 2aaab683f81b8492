import { lazy } from '@lyceum/content/lazy'
import { STREAM_EVENTS, type StreamEventName } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import type { ReadContext } from '../../core/context.ts'
import type { EventBatch, MemberEvent, StreamSource } from '../../realtime/index.ts'
import { type NotificationView, presentNotifications, unreadCount } from '../notifications/index.ts'
import { decodeEvents, loadFacts } from './decode-events.ts'
import { type Audience, audiencesOf, type StreamMessage } from './event-audience.ts'
import { loadViewers, type Viewer } from './viewer-access.ts'

/** Serializers, which write only the fields of the contract. */
const SERIALIZERS = Object.fromEntries(
  Object.entries(STREAM_EVENTS).map(([name, schema]) => [name, lazy(() => fastJsonStringify(schema as object))]),
) as unknown as Readonly<Record<StreamEventName, () => (data: unknown) => string>>

/** Most messages are the same for all recipients, so each is serialized once. */
const createSerializer = () => {
  const known = new WeakMap<object, string>()
  return (name: StreamEventName, data: object): string => {
    const text = known.get(data) ?? SERIALIZERS[name]()(data)
    known.set(data, text)
    return text
  }
}

const CONCURRENCY = 4

type AddressedMessage = { readonly audience: Audience; readonly message: StreamMessage }

/** Completes the messages with the recipient's own data: notifications as they may see them now, and the number of unread ones. */
const messagesOf = async (
  ctx: ReadContext,
  viewer: Viewer,
  addressed: readonly AddressedMessage[],
  serialize: ReturnType<typeof createSerializer>,
) => {
  const viewerCtx = { ...ctx, actor: viewer.actor }
  const ids = addressed.flatMap(({ message }) => (message.name === 'notification' ? message.id : []))
  const shown = new Map<number, NotificationView>()
  for (const notification of ids.length > 0 ? await presentNotifications(viewerCtx, [...new Set(ids)]) : [])
    shown.set(notification.id, notification)
  const needsUnreadCount = addressed.some(({ message }) => message.name === 'notification' || message.name === 'unread')
  const unread_count = needsUnreadCount ? await unreadCount(ctx.db, viewer.actor) : 0
  return addressed.flatMap(({ audience: { event }, message }): MemberEvent[] => {
    if (message.name === 'unread') return [{ event, name: message.name, data: serialize('unread', { unread_count }) }]
    if (message.name !== 'notification') return [{ event, name: message.name, data: serialize(message.name, message.data) }]
    const notification = shown.get(message.id)
    return notification ? [{ event, name: message.name, data: serialize('notification', { notification, unread_count }) }] : []
  })
}

const recipientsOf = (audiences: readonly Audience[]): ReadonlySet<number> | null => {
  const named = audiences.map(({ recipientId }) => recipientId)
  return named.includes(null) ? null : new Set(named.flatMap((id) => id ?? []))
}

/** Turns events into messages for each recipient, according to what they may see now. */
export const streamSource: StreamSource = {
  loadBatch: async (ctx, events): Promise<EventBatch> => {
    const decoded = decodeEvents(events)
    const facts = await loadFacts(ctx.db, decoded)
    const audiences = audiencesOf(decoded, facts)
    return {
      audience: recipientsOf(audiences),
      eventsFor: async (actors) => {
        const serialize = createSerializer()
        const messages = new Map<number, readonly MemberEvent[]>()
        const queue = await loadViewers(ctx, facts, actors)
        const worker = async () => {
          for (let viewer = queue.shift(); viewer; viewer = queue.shift()) {
            const { id } = viewer.actor
            const me = viewer
            const relevant = audiences.filter(({ recipientId }) => recipientId === null || recipientId === id)
            const addressed = relevant.flatMap((audience) => audience.messagesFor(me).map((message) => ({ audience, message })))
            if (addressed.length > 0) messages.set(id, await messagesOf(ctx, viewer, addressed, serialize))
          }
        }
        await Promise.all(Array.from({ length: CONCURRENCY }, worker))
        return messages
      },
    }
  },
  initialData: async ({ db }, actor) => ({ unread_count: await unreadCount(db, actor) }),
}
