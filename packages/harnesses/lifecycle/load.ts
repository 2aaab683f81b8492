import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Seen, Write } from '../io-faults/clients.ts'
import type { Person } from '../kit/people.ts'
import { type Exchange, type Line, type Outcome, openLine } from './line.ts'

/** Totals of what clients experienced. */
export interface Totals {
  readonly outcomes: Record<Outcome, number>
  /** Responses that announced the end of their connection. */
  announced: number
  /** Responses that a healthy server never sends. */
  readonly odd: string[]
}

export const createTotals = (): Totals => ({
  outcomes: { answered: 0, refused: 0, unaccepted: 0, dropped: 0, cut: 0 },
  announced: 0,
  odd: [],
})

/** Counts a request; returns whether its response arrived. */
export const note = (met: Totals, what: string, { outcome, status, body, last }: Exchange): boolean => {
  met.outcomes[outcome] += 1
  if (outcome !== 'answered') return false
  if (last) met.announced += 1
  if (status >= 400) met.odd.push(`${what}: ${status} ${body?.code ?? ''}`)
  return true
}

const writeOnce = async (line: Line, met: Totals, seen: Seen, author: Person, feeds: number[]): Promise<boolean> => {
  const kind = feeds.length === 0 || randomInt(3) === 0 ? 'post' : 'comment'
  const feed = kind === 'post' ? null : (feeds[randomInt(feeds.length)] as number)
  const write: Write = { kind, text: `load ${randomUUID()}`, key: randomUUID(), author, feed, answers: [] }
  seen.writes.push(write)
  const body = JSON.stringify(kind === 'post' ? { message: write.text } : { comment: write.text })
  const exchange = await line.send('POST', kind === 'post' ? '/feeds' : `/feeds/${feed}/comments`, { body, key: write.key })
  const code = String(exchange.body?.code ?? '')
  write.answers.push({ status: exchange.status, code, ms: 0, at: process.hrtime.bigint() })
  if (kind === 'post' && exchange.status === 201 && feeds.length < FEEDS) feeds.push(exchange.body.data.id)
  return note(met, kind, exchange)
}

const readOnce = async (line: Line, met: Totals, feeds: number[]): Promise<boolean> => {
  const path = feeds.length === 0 || randomInt(2) === 0 ? '/feeds' : `/feeds/${feeds[randomInt(feeds.length)]}/by-id`
  return note(met, path, await line.send('GET', path))
}

/** Feeds that receive comments. */
const FEEDS = 10

/**
 * Every client reads and writes until the server no longer responds or `until` returns true, with a pause after each response, for which
 * `answered` is called.
 */
export const requestUntilStopped = async (
  base: string,
  people: readonly Person[],
  met: Totals,
  seen: Seen,
  answered: () => void,
  until: () => boolean = () => false,
  pauseMs = 0,
): Promise<void> => {
  const feeds: number[] = []
  await Promise.all(
    people.map(async (person) => {
      const line = openLine(base, person.authorization)
      for (let going = true; going && !until(); ) {
        going = await (randomInt(2) === 0 ? writeOnce(line, met, seen, person, feeds) : readOnce(line, met, feeds))
        if (going) answered()
        if (pauseMs > 0) await pause(pauseMs)
      }
      line.close()
    }),
  )
}
