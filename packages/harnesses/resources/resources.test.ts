import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report } from '#test/scale.ts'
import { memoryOf } from '../load/watch.ts'
import { ABUSERS, type Abuser } from './abusers.ts'
import { memoryUnder, readAll, SLOW_READERS } from './slow-readers.ts'
import { BLOCKING_SERVER, isShort, type Stage, setResources, startedAnew, UNLIMITED } from './stage.ts'
import { type Times, timeVictims } from './victims.ts'

const CONNECTIONS = isShort ? 300 : 1000
const SECONDS = isShort ? 1.5 : 10
/** MiB above the idle server. */
const MOST_GROWTH = isShort ? 80 : 150
const LONG = { timeout: 600_000 }
/** Rounds per victim, and attempts for the whole measurement: other work on this machine also takes time. */
const ROUNDS = isShort ? 3 : 20
const TRIES = 3
/** Rounds in which others must be found delayed. */
const CONTROL_ROUNDS = 5
/**
 * How much longer a victim may wait than on an idle server, as a factor and in additional ms. In a short run other tests run concurrently,
 * so every thread waits for a processor.
 */
const LONGER = { times: 3, ms: isShort ? 1500 : 150 }
/** Time for abusers to start. */
const BEGIN_MS = 500

let stage: Stage
beforeAll(async () => {
  stage = await setResources()
}, 120_000)
afterAll(() => stage.strike())

const memoryAtRest = async () => {
  await readAll(stage, isShort ? 3 : 60)
  return memoryOf(stage.server.pid)
}

const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

describe.runIf(onSqlite || !isShort)('clients that do not read', () => {
  test('use bounded memory, whatever they request and however many accounts they have', LONG, async () => {
    const rest = await memoryAtRest()
    const runs = isShort ? [SLOW_READERS] : [...SLOW_READERS.map((each) => [each]), SLOW_READERS]
    for (const readers of runs)
      for (const accounts of isShort ? [6] : [1, 6]) {
        const growth = (await memoryUnder(stage, readers, CONNECTIONS, accounts, SECONDS)) - rest
        const what = readers.length === 1 ? (readers[0]?.name ?? '') : 'all of them'
        report({ resources: what.replaceAll(' ', '-'), connections: CONNECTIONS, accounts, 'memory MiB': `+${Math.round(growth)}` })
        expect(growth, what).toBeLessThan(MOST_GROWTH)
      }
  })

  test('control: they use much more without the limits', LONG, async () => {
    stage = await startedAnew(stage, UNLIMITED)
    const rest = await memoryAtRest()
    const readers = SLOW_READERS.filter(({ name }) => name === 'pages that differ')
    const enough = rest + MOST_GROWTH
    expect(await memoryUnder(stage, readers, CONNECTIONS, 6, 60, enough)).toBeGreaterThan(enough)
  })
})

/** The victims' times while these abusers are active. */
const timesUnder = async (abusers: readonly Abuser[], rounds = ROUNDS): Promise<ReadonlyMap<string, Times>> => {
  const stops = abusers.map(({ start }) => start(stage))
  try {
    await pause(BEGIN_MS)
    return await timeVictims(stage, rounds)
  } finally {
    for (const stop of stops) stop()
  }
}

/** Victims who waited too long or got errors; empty after a correct run. Short runs compare medians. */
const judge = (quiet: ReadonlyMap<string, Times>, busy: ReadonlyMap<string, Times>): string[] =>
  [...busy].flatMap(([name, { median, p99, failed }]) => {
    const before = quiet.get(name)
    const [took, took0] = isShort ? [median, before?.median ?? 0] : [p99, before?.p99 ?? 0]
    const late = took > took0 * LONGER.times + LONGER.ms ? [`${name} took ${Math.round(took)} ms, ${Math.round(took0)} before`] : []
    return [...new Set(failed), ...late]
  })

const start = async (program?: string) => {
  stage = await startedAnew(stage, { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: '127.0.0.1' }, program)
  await timeVictims(stage, isShort ? 1 : 2)
  return timeVictims(stage, ROUNDS)
}

const named = (...names: readonly string[]) => ABUSERS.filter(({ name }) => names.includes(name))

const threadsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).filter((task) => readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').startsWith('libuv-worker'))
    .length

describe.runIf(onSqlite || !isShort)('a client that floods the server', () => {
  test('does not delay others', LONG, async () => {
    let quiet = await start()
    expect(threadsOf(stage.server.pid)).toBeGreaterThan(20)
    const environment = readFileSync(`/proc/${stage.server.pid}/environ`, 'utf8')
    for (const name of ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_']) expect(environment).toContain(`${name}=`)
    const pair = named('registrations', 'large uploads')
    for (const abusers of isShort ? [pair] : [...ABUSERS.map((each) => [each]), pair, named('large uploads', 'large uploads of another')]) {
      let found: string[] = []
      for (let n = 0; n < TRIES; n++) {
        const busy = await timesUnder(abusers)
        found = judge(quiet, busy)
        const figures = [...busy].map(([name, { median, p99 }]) => [`${name} ms`, `${Math.round(median)}/${Math.round(p99)}`])
        report({ resources: abusers.map(({ name }) => name.replaceAll(' ', '-')).join('+'), ...Object.fromEntries(figures) })
        if (found.length === 0) break
        // The machine may have become slower.
        quiet = await timeVictims(stage, ROUNDS)
      }
      expect(found).toEqual([])
    }
  })

  // Beside other tests every thread waits for a processor, so a short run cannot distinguish this from noise.
  test.skipIf(isShort)('control: it delays others if it can block the main thread', LONG, async () => {
    const quiet = await start(BLOCKING_SERVER)
    const busy = await timesUnder(named('searches'), CONTROL_ROUNDS)
    expect(judge(quiet, busy)).toContainEqual(expect.stringMatching(/^(feed page|health) took/))
  })
})
