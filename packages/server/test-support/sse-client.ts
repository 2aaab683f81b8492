import type { StreamEvent } from '@lyceum/contract'
import { waitForEvents } from './wait-for-events.ts'
import type { Member, World } from './world.ts'

export type ReceivedEvent = StreamEvent & { readonly id: string }

export interface Listener {
  readonly received: readonly ReceivedEvent[]
  /** The next event of that kind that was not returned before. */
  next<N extends ReceivedEvent['event']>(event: N): Promise<Extract<ReceivedEvent, { event: N }>>
  /** All events since the last call, including everything written before this call. */
  all(): Promise<ReceivedEvent[]>
  /** Settles like the iteration. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** Subscribes with the SDK; resolves once the stream is ready. */
export const listen = async (world: World, who: Pick<Member, 'id' | 'api'>, last_event_id?: string): Promise<Listener> => {
  await waitForEvents(world.app.services.database)
  const abort = new AbortController()
  const received: ReceivedEvent[] = []
  let seen = 0
  let wake = () => {}
  const ended = (async () => {
    for await (const event of who.api.stream.listen({ ...(last_event_id !== undefined && { last_event_id }) }, { signal: abort.signal })) {
      received.push(event)
      wake()
    }
  })()
  ended.catch(() => {}).finally(() => wake())
  let over = false
  void ended.then(
    () => {
      over = true
    },
    () => {
      over = true
    },
  )

  const find = async (matches: (event: ReceivedEvent, index: number) => boolean): Promise<number> => {
    for (;;) {
      const index = received.findIndex(matches)
      if (index >= 0) return index
      if (over) throw new Error(`the stream has ended after ${JSON.stringify(received)}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  const listener: Listener = {
    received,
    next: async (event) => {
      const index = await find((one, i) => i >= seen && one.event === event)
      seen = index + 1
      return received[index] as never
    },
    all: async () => {
      const from = seen
      const before = received.length
      await world.app.write(null, (ctx) => ctx.emit('notification.read', { user_id: who.id }))
      const mark = await find((one, i) => i >= before && one.event === 'unread')
      seen = mark + 1
      return received.slice(from, mark)
    },
    ended,
    stop: async () => {
      abort.abort()
      await ended.catch(() => {})
    },
  }
  seen = (await find((one) => one.event === 'ready')) + 1
  return listener
}

/** Events in short form: name, action and ids. */
export const summaryOf = (events: readonly ReceivedEvent[]): string[] =>
  events.map(({ event, data }) => {
    const { action, comment_id, feed_id, space_id } = data as { action?: string; comment_id?: number; feed_id?: number; space_id?: number }
    const id = comment_id ?? feed_id ?? space_id
    return [event, action, id].filter((part) => part !== undefined && part !== null).join(' ')
  })
