import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from '../kit/people.ts'
import { type Caller, callerOf, type Reply, succeeded } from './caller.ts'
import type { Server } from './stage.ts'

/** A response, as checked later. */
export interface Call {
  readonly what: 'post' | 'comment' | 'list' | 'feed' | 'secret'
  readonly status: number
  readonly code: string
  readonly retryAfter: boolean
  readonly begun: number
  readonly ms: number
}

/** A write with all its responses. */
export interface Write {
  readonly kind: 'post' | 'comment'
  readonly text: string
  readonly key: string
  readonly author: Person
  readonly feed: number | null
  readonly answers: Call[]
  /** Ids in the responses; more than one is a violation. */
  readonly ids: Set<number>
}

export interface Seen {
  readonly writes: Write[]
  readonly calls: Call[]
}

export const createSeen = (): Seen => ({ writes: [], calls: [] })

export const isAcknowledged = ({ answers }: Write) => answers.some(succeeded)

const callOf = (what: Call['what'], { status, code, headers, begun, ms }: Reply): Call => ({
  what,
  status,
  code,
  retryAfter: Number(headers['retry-after']) > 0,
  begun,
  ms,
})

/** Pause between rounds of a client, to stay within the rate limits. */
const PAUSE_MS = 400
const AGAIN_AFTER_MS = 250
/** A transaction left open by a broken connection blocks a key for this long. */
const GIVE_UP_MS = 20_000

const send = async (caller: Caller, seen: Seen, write: Write): Promise<Call> => {
  const path = write.kind === 'post' ? '/feeds' : `/feeds/${write.feed}/comments`
  const body = write.kind === 'post' ? { message: write.text } : { comment: write.text }
  const reply = await caller.call('POST', path, body, { 'idempotency-key': write.key })
  const call = callOf(write.kind, reply)
  if (succeeded(reply) && typeof reply.body?.data?.id === 'number') write.ids.add(reply.body.data.id)
  write.answers.push(call)
  seen.calls.push(call)
  return call
}

const newWrite = (author: Person, feeds: readonly number[]): Write => {
  const kind = randomInt(3) === 0 ? 'comment' : 'post'
  const feed = kind === 'comment' ? (feeds[randomInt(feeds.length)] as number) : null
  return { kind, text: `${kind} ${randomUUID()}`, key: randomUUID(), author, feed, answers: [], ids: new Set() }
}

export interface Places {
  /** Feeds that everyone may comment on. */
  readonly feeds: readonly number[]
  /** A feed that none of them may see. */
  readonly secret: number
}

export interface Load {
  readonly seen: Seen
  /** Stops after the requests in progress. */
  stop(): Promise<void>
}

/** All clients write with keys, read, and try forbidden reads, each at one of the instances, until stopped. */
export const startLoad = (servers: readonly Server[], people: readonly Person[], { feeds, secret }: Places): Load => {
  const seen = createSeen()
  let stopped = false
  const goOn = async (author: Person, i: number) => {
    const { base } = servers[i % servers.length] as Server
    const caller = callerOf(base, { authorization: author.authorization })
    const read = async (what: Call['what'], path: string) => void seen.calls.push(callOf(what, await caller.call('GET', path)))
    while (!stopped) {
      const write = newWrite(author, feeds)
      seen.writes.push(write)
      await send(caller, seen, write)
      await read(write.feed ? 'feed' : 'list', write.feed ? `/feeds/${write.feed}/by-id` : '/feeds')
      await read('secret', `/feeds/${secret}/by-id`)
      await pause(PAUSE_MS)
    }
    caller.close()
  }
  const ended = Promise.all(people.map(goOn))
  return {
    seen,
    stop: async () => {
      stopped = true
      await ended
    },
  }
}

/** Repeats unacknowledged writes with their keys, at another instance if there is one; returns how many there were. */
export const sendAgain = async (servers: readonly Server[], people: readonly Person[], seen: Seen): Promise<number> => {
  const open = seen.writes.filter((write) => !isAcknowledged(write))
  const byAuthor = Map.groupBy(open, ({ author }) => author)
  await Promise.all(
    [...byAuthor].map(async ([author, mine]) => {
      const { base } = servers[(people.indexOf(author) + 1) % servers.length] as Server
      const caller = callerOf(base, { authorization: author.authorization })
      for (const write of mine) {
        const until = performance.now() + GIVE_UP_MS
        while (!succeeded(await send(caller, seen, write)) && performance.now() < until) await pause(AGAIN_AFTER_MS)
      }
      caller.close()
    }),
  )
  return open.length
}
