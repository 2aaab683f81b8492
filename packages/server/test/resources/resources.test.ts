import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryOf } from '../load/watch.ts'
import { tell } from '../soak.ts'
import { memoryUnder, readAll, SLOW_READERS } from './slow-readers.ts'
import { isShort, type Stage, setResources, startedAnew, UNLIMITED } from './stage.ts'

const CONNECTIONS = isShort ? 300 : 1000
const SECONDS = isShort ? 2.5 : 10
/** MiB above what the server has at rest. */
const MOST_GROWTH = isShort ? 100 : 150
const PATIENT = { timeout: 600_000 }

let stage: Stage
beforeAll(async () => {
  stage = await setResources()
}, 120_000)
afterAll(() => stage.strike())

const memoryAtRest = async () => {
  await readAll(stage, isShort ? 5 : 60)
  return memoryOf(stage.server.pid)
}

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' || !isShort)('clients that do not read', () => {
  test('cost bounded memory, whatever they ask for and however many accounts they have', PATIENT, async () => {
    const rest = await memoryAtRest()
    const runs = isShort ? [SLOW_READERS] : [...SLOW_READERS.map((each) => [each]), SLOW_READERS]
    for (const readers of runs)
      for (const accounts of isShort ? [6] : [1, 6]) {
        const growth = (await memoryUnder(stage, readers, CONNECTIONS, accounts, SECONDS)) - rest
        const what = readers.length === 1 ? (readers[0]?.name ?? '') : 'all of them'
        tell({ resources: what.replaceAll(' ', '-'), connections: CONNECTIONS, accounts, 'memory MiB': `+${Math.round(growth)}` })
        expect(growth, what).toBeLessThan(MOST_GROWTH)
      }
  })

  test('would cost much more without the limits', PATIENT, async () => {
    stage = await startedAnew(stage, UNLIMITED)
    const rest = await memoryAtRest()
    const readers = SLOW_READERS.filter(({ name }) => name === 'pages that differ')
    const enough = rest + MOST_GROWTH
    expect(await memoryUnder(stage, readers, 1000, 6, 60, enough)).toBeGreaterThan(enough)
  })
})
