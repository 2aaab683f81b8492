import { randomInt, randomUUID } from 'node:crypto'
import type { Seen, Write } from '../io-faults/clients.ts'
import type { Person } from '../kit/people.ts'
import { type Exchange, type Line, type Outcome, openLine } from './line.ts'

/** What clients met, in all. */
export interface Met {
  readonly outcomes: Record<Outcome, number>
  /** Answers that said that they were the last of their connection. */
  announced: number
  /** Answers that nobody expects of a sound server. */
  readonly odd: string[]
}

export const createMet = (): Met => ({ outcomes: { answered: 0, refused: 0, unaccepted: 0, dropped: 0, cut: 0 }, announced: 0, odd: [] })

/** Counts an exchange; whether its answer came. */
export const note = (met: Met, what: string, { outcome, status, body, last }: Exchange): boolean => {
  met.outcomes[outcome] += 1
  if (outcome !== 'answered') return false
  if (last) met.announced += 1
  if (status >= 400) met.odd.push(`${what}: ${status} ${body?.code ?? ''}`)
  return true
}

const writeOnce = async (line: Line, met: Met, seen: Seen, author: Person, feeds: number[]): Promise<boolean> => {
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

const readOnce = async (line: Line, met: Met, feeds: number[]): Promise<boolean> => {
  const path = feeds.length === 0 || randomInt(2) === 0 ? '/feeds' : `/feeds/${feeds[randomInt(feeds.length)]}/by-id`
  return note(met, path, await line.send('GET', path))
}

/** Feeds that are commented on. */
const FEEDS = 10

/** Lets everybody read and write without a pause until nobody answers any more, or `until` says so. `answered` hears of each answer. */
export const useUntilGone = async (
  base: string,
  people: readonly Person[],
  met: Met,
  seen: Seen,
  answered: () => void,
  until: () => boolean = () => false,
): Promise<void> => {
  const feeds: number[] = []
  await Promise.all(
    people.map(async (person) => {
      const line = openLine(base, person.authorization)
      for (let going = true; going && !until(); ) {
        going = await (randomInt(2) === 0 ? writeOnce(line, met, seen, person, feeds) : readOnce(line, met, feeds))
        if (going) answered()
      }
      line.close()
    }),
  )
}
