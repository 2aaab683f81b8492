import { type Answer, ask } from './ask.ts'
import { PASSWORD, PICTURE, type Stage } from './stage.ts'

export interface Victim {
  readonly name: string
  readonly call: (stage: Stage, n: number) => Promise<Answer>
}

const other = ({ others }: Stage, n: number) => others[n % others.length] ?? ''

/** What ordinary members do while others abuse the server. */
const VICTIMS: readonly Victim[] = [
  {
    name: 'sign-in',
    call: (stage, n) => ask(stage, 'POST', '/auth/login', { body: { login: 'signer', password: PASSWORD }, from: `10.2.1.${n % 250}` }),
  },
  {
    name: 'upload',
    call: (stage, n) => ask(stage, 'POST', '/feeds/media-upload', { authorization: other(stage, n), file: PICTURE }),
  },
  { name: 'feed page', call: (stage, n) => ask(stage, 'GET', '/feeds', { authorization: other(stage, n) }) },
  {
    name: 'comment',
    call: (stage, n) =>
      ask(stage, 'POST', `/feeds/${stage.crowd.feeds[n % stage.crowd.feeds.length]}/comments`, {
        authorization: other(stage, n),
        body: { comment: `What somebody has to say, ${n}` },
      }),
  },
  { name: 'health', call: (stage) => ask(stage, 'GET', '//health/live') },
]

export interface Times {
  readonly median: number
  readonly p99: number
  /** Responses without success. */
  readonly failed: readonly string[]
}

const timesOf = (all: readonly number[], failed: readonly string[]): Times => {
  const sorted = [...all].sort((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, failed }
}

/** The response times of each victim in ms, requesting one after the other for this many rounds. */
export const timeVictims = async (stage: Stage, rounds: number): Promise<ReadonlyMap<string, Times>> => {
  const times = new Map(VICTIMS.map(({ name }) => [name, { ms: [] as number[], failed: [] as string[] }]))
  for (let n = 0; n < rounds; n++)
    for (const { name, call } of VICTIMS) {
      const { status, ms } = await call(stage, n)
      const noted = times.get(name)
      noted?.ms.push(ms)
      if (status >= 300) noted?.failed.push(`${name} was answered with ${status}`)
    }
  return new Map([...times].map(([name, { ms, failed }]) => [name, timesOf(ms, failed)]))
}
