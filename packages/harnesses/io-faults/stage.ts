import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Env, lyceumJson, readyEnv } from '#test/command.ts'
import { asFile } from '#test/media.ts'
import { connect } from '../kit/connection.ts'
import { makePeople, type Person } from '../kit/people.ts'
import { type Around, startVictim, type Victim } from '../kit/server-process.ts'
import { createSeen, type Seen, sendAgain } from './clients.ts'
import { countTexts, storedTexts, type Verdict, verdictOn } from './verdict.ts'

export const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

export interface Stage {
  readonly env: Env
  readonly dataDir: string
  readonly people: readonly Person[]
  readonly victim: Victim
  readonly feeds: readonly number[]
  readonly seen: Seen
}

const FEEDS = 5

/** A community with this many writers and a running server. `around` and `further` receive the data directory. */
export const setStage = async (
  writers: number,
  further: (dataDir: string) => Env = () => ({}),
  around: (dataDir: string) => Around = () => ({}),
): Promise<Stage> => {
  const ready = await readyEnv()
  const dataDir = ready['LYCEUM_DATA_DIR'] ?? ''
  const env = { ...ready, LYCEUM_RATE_LIMIT: 'off' }
  const people = await makePeople(env, writers)
  const victim = await startVictim({ ...env, ...further(dataDir) }, around(dataDir))
  const { send, close } = connect(victim.base, (people[0] as Person).authorization)
  const feeds: number[] = []
  for (let i = 0; i < FEEDS; i++) {
    const answer = await send('POST', '/feeds', { message: `Feed ${i}` })
    if (answer?.status === 201) feeds.push(answer.body.data.id)
  }
  close()
  return { env, dataDir, people, victim, feeds, seen: createSeen() }
}

const grained = (edge: number) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: edge, height: edge, channels: 3, background: '#fff', noise } })
}

/** A picture that hardly compresses, about 3 bytes per pixel. */
export const noise = (edge: number): Promise<Buffer> => grained(edge).png().toBuffer()

/** A picture so small that its variants are larger than it. */
export const poorNoise = (edge: number): Promise<Buffer> => grained(edge).jpeg({ quality: 5 }).toBuffer()

/** Uploads a picture; returns status and code. */
export const upload = async ({ victim, people }: Stage, picture: Buffer): Promise<string> => {
  const form = new FormData()
  form.set('file', asFile(new Uint8Array(picture), `${randomUUID()}.png`))
  const headers = { authorization: (people[0] as Person).authorization }
  const answer = await fetch(`${victim.base}/feeds/media-upload`, { method: 'POST', headers, body: form })
  const { code = '' } = (await answer.json()) as { code?: string }
  return `${answer.status} ${code}`.trim()
}

/** Orphaned or incomplete upload files. */
export const halfFiles = (dataDir: string): string[] =>
  ['uploads', 'media']
    .map((folder) => join(dataDir, folder))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    .filter((name) => /\.(tmp|whole|small)$/.test(name))

export interface Judged {
  readonly verdict: Verdict
  /** After every refused write was repeated with its key. */
  readonly afterwards: Verdict
}

/**
 * Kills the server, starts a healthy one and compares its data with the responses. Then repeats every refused write, after which each must
 * exist once, and runs the doctor.
 */
export const judge = async ({ env, people, victim, seen }: Stage, refusals: readonly string[]): Promise<Judged> => {
  await victim.end('SIGKILL')
  const sound = await startVictim(env)
  const verdict = verdictOn(seen, await storedTexts(env), refusals)
  await sendAgain(sound.base, seen.writes)
  const code = await sound.end('SIGTERM')
  if (code !== 0) throw new Error(`the server ended with ${code}: ${sound.output()}`)
  const afterwards = verdictOn(seen, await storedTexts(env), refusals)
  const { violations } = await lyceumJson<{ violations: unknown[] }>(env, 'doctor')
  if (violations.length > 0) throw new Error(`the doctor finds ${JSON.stringify(violations)}`)
  if (people.length === 0) throw new Error('nobody wrote')
  return { verdict, afterwards }
}

/** The verdict of a run with the given acknowledged, refused and stored writes; for the controls. */
export const verdictOf = (answers: readonly (readonly [status: number, code: string, times: number])[]): Verdict => {
  const seen = createSeen()
  const rows: { message: string }[] = []
  for (const [i, [status, code, times]] of answers.entries()) {
    const text = `text ${i}`
    const author = { id: 1, authorization: '' }
    seen.writes.push({ kind: 'post', text, key: text, author, feed: null, answers: [{ status, code, ms: 1, at: 0n }] })
    for (let n = 0; n < times; n++) rows.push({ message: text })
  }
  return verdictOn(seen, countTexts(rows), ['503 storage_full'])
}
