import { randomInt, randomUUID } from 'node:crypto'
import { connect } from '../kit/connection.ts'
import type { Person } from '../kit/people.ts'

/** One write and all responses to it. */
export interface Write {
  readonly kind: 'post' | 'comment'
  readonly text: string
  readonly key: string
  readonly author: Person
  readonly feed: number | null
  /** Status, code and arrival time of each response, by the clock that all processes share; 0: no response. */
  readonly answers: { readonly status: number; readonly code: string; readonly ms: number; readonly at: bigint }[]
}

export interface Seen {
  readonly writes: Write[]
  /** Reads with a status other than 200. */
  readonly failedReads: string[]
  reads: number
}

export const createSeen = (): Seen => ({ writes: [], failedReads: [], reads: 0 })

const succeeded = ({ status }: { readonly status: number }) => status === 200 || status === 201
export const isAcknowledged = ({ answers }: Write) => answers.some(succeeded)
/** When the first success response arrived. */
export const acknowledgedAt = ({ answers }: Write): bigint | undefined => answers.find(succeeded)?.at
export const isRefused = ({ answers }: Write) => answers.length > 0 && answers.every(({ status }) => status >= 400)

const send = async (connection: ReturnType<typeof connect>, write: Write): Promise<void> => {
  const path = write.kind === 'post' ? '/feeds' : `/feeds/${write.feed}/comments`
  const body = write.kind === 'post' ? { message: write.text } : { comment: write.text }
  const since = performance.now()
  const answer = await connection.send('POST', path, body, write.key)
  const at = process.hrtime.bigint()
  write.answers.push({ status: answer?.status ?? 0, code: String(answer?.body?.code ?? ''), ms: performance.now() - since, at })
}

const read = async (connection: ReturnType<typeof connect>, path: string, seen: Seen): Promise<void> => {
  const answer = await connection.send('GET', path)
  seen.reads += 1
  if (answer?.status !== 200) seen.failedReads.push(`${path}: ${answer?.status ?? 'no answer'} ${answer?.body?.code ?? ''}`)
}

/** Long enough for the log to reach its size limit soon. */
const TEXT = 'x'.repeat(400)

/** Each person writes this often and reads after each write. `until`: stops early once it returns true. */
export const writeAndRead = async (
  base: string,
  people: readonly Person[],
  feeds: readonly number[],
  seen: Seen,
  times: number,
  until: () => boolean = () => false,
): Promise<void> => {
  await Promise.all(
    people.map(async (author) => {
      const connection = connect(base, author.authorization)
      for (let i = 0; i < times && !until(); i++) {
        const kind = feeds.length === 0 || randomInt(2) === 0 ? 'post' : 'comment'
        const feed = kind === 'post' ? null : (feeds[randomInt(feeds.length)] as number)
        const write: Write = { kind, text: `${randomUUID()} ${TEXT}`, key: randomUUID(), author, feed, answers: [] }
        seen.writes.push(write)
        await send(connection, write)
        await read(connection, kind === 'post' ? '/feeds' : `/feeds/${feed}/by-id`, seen)
      }
      connection.close()
    }),
  )
}

/** Repeats the unacknowledged writes with their idempotency keys; afterwards all are acknowledged. */
export const sendAgain = async (base: string, writes: readonly Write[]): Promise<void> => {
  const open = Map.groupBy(
    writes.filter((write) => !isAcknowledged(write)),
    ({ author }) => author,
  )
  await Promise.all(
    [...open].map(async ([author, mine]) => {
      const connection = connect(base, author.authorization)
      for (const write of mine) await send(connection, write)
      connection.close()
    }),
  )
}

interface Written {
  readonly victim: { readonly base: string }
  readonly people: readonly Person[]
  readonly feeds: readonly number[]
  readonly seen: Seen
}

/** The response of a health endpoint. */
export const healthOf = async (base: string, page: 'live' | 'ready'): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(new URL(`/health/${page}`, base))
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** The readiness status while writes are refused. Small writes may still succeed and reset it, so it is requested several times. */
export const healthWhileFull = async ({ victim, people, feeds, seen }: Written) => {
  for (let tries = 0; ; tries++) {
    await writeAndRead(victim.base, people, feeds, seen, 1)
    const health = await healthOf(victim.base, 'ready')
    if (health.body['status'] !== 'ok' || tries === 20) return health
  }
}
