import type { Env } from '#test/command.ts'
import { createCore } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { isAcknowledged, isRefused, type Seen, type Write } from './clients.ts'

/** Violations; all lists are empty after a correct run. */
export interface Verdict {
  /** Acknowledged but missing. */
  readonly lost: readonly string[]
  /** Stored more than once. */
  readonly doubled: readonly string[]
  /** Refused but stored. */
  readonly kept: readonly string[]
  /** Responses that are neither a success nor an expected refusal. */
  readonly odd: readonly string[]
  readonly failedReads: readonly string[]
}

export type Texts = ReadonlyMap<string, number>

export const countTexts = (rows: readonly { readonly message: string }[]): Texts => {
  const counts = new Map<string, number>()
  for (const { message } of rows) counts.set(message, (counts.get(message) ?? 0) + 1)
  return counts
}

/** How often each text is stored, read by another process. */
export const storedTexts = async (env: Env): Promise<Texts> => {
  const { services, close } = createCore({ config: readConfig(env) })
  const { read } = services.database
  try {
    const posts = await read.selectFrom('feeds').select('message').execute()
    return countTexts([...posts, ...(await read.selectFrom('comments').select('message').execute())])
  } finally {
    await close()
  }
}

const oddOf = ({ kind, answers }: Write, refusals: readonly string[]): string[] =>
  answers
    .filter(({ status, code }) => status !== 200 && status !== 201 && !refusals.includes(`${status} ${code}`.trim()))
    .map(({ status, code }) => `${kind}: ${status || 'no answer'} ${code}`)

/** `refusals`: the expected statuses and codes of refused writes. */
export const verdictOn = ({ writes, failedReads }: Seen, stored: Texts, refusals: readonly string[]): Verdict => {
  const times = ({ text }: Write) => stored.get(text) ?? 0
  const texts = (found: readonly Write[]) => found.map(({ text }) => text.slice(0, 36))
  return {
    lost: texts(writes.filter((write) => isAcknowledged(write) && times(write) === 0)),
    doubled: texts(writes.filter((write) => times(write) > 1)),
    kept: texts(writes.filter((write) => isRefused(write) && times(write) > 0)),
    odd: writes.flatMap((write) => oddOf(write, refusals)),
    failedReads,
  }
}

export const SOUND: Verdict = { lost: [], doubled: [], kept: [], odd: [], failedReads: [] }
