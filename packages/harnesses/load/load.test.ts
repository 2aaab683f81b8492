import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import type { Bound } from './flat.ts'
import { endOf, judgeIdle, runBeyond, runIdle } from './idle.ts'
import { judgeOverload, overloadFigures, runOverload } from './overload.ts'
import { judgeSlow, runSlow, type Slowness, slowFigures } from './slow.ts'
import { onSqlite, type Stage, setStage } from './stage.ts'
import { capacityOf, judgeSteady, runSteady, steadyFigures } from './steady.ts'

const isShort = SOAK === 1
const upTo = (most: number, each: number) => Math.min(most, each * SOAK)

const SECONDS = SOAK === 1 ? 3 : upTo(3600, 5)
const MOST_RATE = 2000
/** Share of the initial capacity: after an hour, with thousands of notifications per member, the capacity is lower. */
const SHARE = isShort ? 0.4 : 0.3
/**
 * A short run consists mostly of warm-up: memory fills and code is compiled. For some minutes the caches grow, which are limited to 64 MiB.
 */
const growthOfMemory = isShort ? 128 : SECONDS < 600 ? 64 : 32
const FLAT: Readonly<Record<string, Bound>> = {
  memory: { growth: growthOfMemory, most: 700 },
  descriptors: { growth: 8, most: 300 },
  threads: { growth: 2, most: 40 },
  // The SQLite log, or the WAL that PostgreSQL retains.
  log: onSqlite ? { growth: 64, most: 96 } : { growth: 512, most: 1536 },
  jobs: { growth: 500, most: 5000 },
}

/** The default queue limit of the server. */
const MOST_WAITING = 1000
const TIMES = 5
const pressureOn = (capacity: number) => ({
  capacity,
  times: TIMES,
  seconds: isShort ? 1.5 : upTo(60, 2),
  quietSeconds: isShort ? 0.8 : 3,
  connections: isShort ? 1500 : 2500,
})
/**
 * Refusing ten thousand requests per second takes half of the thread, which halves the useful throughput and delays accepted requests
 * accordingly. A machine that runs other tests is slow as well.
 */
const expected = (capacity: number) => ({
  served: isShort ? 3000 + (1300 * MOST_WAITING) / capacity : 1500 + (2000 * MOST_WAITING) / capacity,
  refused: isShort ? 3000 : 500,
  share: isShort ? 0.1 : 0.2,
  // The default probe timeout of Kubernetes.
  health: isShort ? 5000 : 1000,
  memory: 384,
})

/** A client waiting in the queue is also silent. */
const CLIENT_TIMEOUTS = { head: 700, request: 900, silence: 10_000 }
const NO_TIMEOUTS = { head: 600_000, request: 600_000, silence: 600_000 }
const SLOW: Slowness = {
  clients: isShort ? 80 : upTo(2000, 200),
  seconds: isShort ? 2.5 : 30,
  // Node detects an unread response at its second check, after up to twice the idle timeout. Once some are cut, the system accepts
  // more data for the others, which restarts their timeout.
  graceMs: isShort ? 8000 : 90_000,
  mustEnd: isShort ? ['head', 'body', 'flood'] : ['head', 'body', 'flood', 'stuck', 'sip'],
  rate: 100,
}
/** A delay of 150 ms is not noticeable. */
const SLOW_MOST = { times: 2, ms: isShort ? 5000 : 150, memory: 96 + (SLOW.clients * 64) / 1024 }

const CONNECTIONS = isShort ? 200 : upTo(5000, 500)
const IDLE_MOST = { memory: 64, ms: isShort ? 5000 : 100 }
/** Maximum duration of a shutdown; see main.ts. */
const GRACE_MS = 10_000

const LONG = { timeout: 120_000 + SECONDS * 2000 }

let stage: Stage | null = null
let capacity = 0

/** One server for all tests, including its accumulated state; a repeated test gets a new server after it has ended. */
const onStage = async (): Promise<Stage> => {
  if (stage?.server.running) return stage
  await stage?.strike()
  stage = await setStage(isShort ? { clientTimeouts: CLIENT_TIMEOUTS } : {})
  await capacityOf(stage, isShort ? 1.5 : 10)
  const found = await capacityOf(stage, isShort ? 0.8 : 5)
  expect(found.report.failed).toEqual({})
  capacity = found.perSecond
  return stage
}

afterAll(() => stage?.strike())

describe('a production-like server', () => {
  test('handles an even load without errors or growth', LONG, async () => {
    const there = await onStage()
    const steady = await runSteady(there, Math.min(MOST_RATE, capacity * SHARE), SECONDS, isShort ? 60 : 1000)
    report({ load: 'even', ...steadyFigures(steady) })
    expect(judgeSteady(steady, FLAT)).toEqual([])
  })

  test('under five times its capacity, serves what it can, rejects the rest quickly, and recovers immediately', LONG, async () => {
    const there = await onStage()
    // With more data the capacity is different.
    if (!isShort) capacity = (await capacityOf(there, 10)).perSecond
    const overload = await runOverload(there, pressureOn(capacity))
    report({ load: 'overload', ...overloadFigures(overload) })
    expect(judgeOverload(overload, expected(capacity))).toEqual([])
    expect(overload.report.refused.count).toBeGreaterThan(0)
  })

  test('serves others normally beside many slow clients, and disconnects those', LONG, async () => {
    const slow = await runSlow(await onStage(), SLOW)
    report({ load: 'slow', ...slowFigures(slow) })
    expect(judgeSlow(slow, SLOW_MOST)).toEqual([])
  })

  test('handles as many idle connections as it has descriptors, and still stops in time', LONG, async () => {
    const there = await onStage()
    const { idle } = await runIdle(there, CONNECTIONS, 100, isShort ? 0.8 : 30)
    const beyond = await runBeyond(there, 40, 100)
    const end = await endOf(there, GRACE_MS)
    const { memory, held, during } = idle
    report({
      load: 'idle',
      connections: held,
      'KiB each': Math.round(memory),
      'p99 of other clients ms': Math.round(during.served.p99),
      'ended in ms': Math.round(end.ms),
    })
    expect(judgeIdle(idle, IDLE_MOST)).toEqual([])
    expect(beyond).toMatchObject({ goesOn: true, comesBack: true })
    expect(beyond.refused).toBeGreaterThan(20)
    expect(end.code).toBe(0)
  })
})

/** Opens streams and never closes them, which looks like a leak from outside. */
const leakInto = ({ crowd, port }: Stage) => {
  const open = () => {
    const person = crowd.people[sockets.length % crowd.people.length]
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(`GET ${crowd.root}/stream HTTP/1.1\r\nhost: load\r\nauthorization: ${person}\r\n\r\n`)
    sockets.push(socket)
  }
  const sockets: ReturnType<typeof connect>[] = []
  const timer = setInterval(open, 50)
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

describe('controls: the checks detect', () => {
  const withCareless = async (work: (careless: Stage) => Promise<void>) => {
    const further = { LYCEUM_MAX_QUEUED_REQUESTS: '1000000' }
    const careless = await setStage({ clientTimeouts: NO_TIMEOUTS, further, ...(isShort && { feeds: 30 }) })
    try {
      await work(careless)
    } finally {
      await careless.strike()
    }
  }

  // The unit tests of the judges are the control of short runs.
  test.runIf(!isShort)('a leak, and a server that rejects nobody', LONG, () =>
    withCareless(async (careless) => {
      const [first, second] = [await capacityOf(careless, 1.2), await capacityOf(careless, 0.8)]
      // Other work may have slowed one of them down.
      const perSecond = Math.max(first.perSecond, second.perSecond)

      const stop = leakInto(careless)
      const steady = await runSteady(careless, 50, 3.6, 150)
      stop()
      expect(judgeSteady(steady, FLAT)).toContainEqual(expect.stringMatching(/^descriptors grew by/))

      const pressure = { capacity: perSecond, times: TIMES, seconds: 3, quietSeconds: 0.6, connections: 1500 }
      const most = { ...expected(perSecond), served: pressure.seconds * 700 }
      const overload = await runOverload(careless, pressure)
      expect(judgeOverload(overload, most)).toContainEqual(expect.stringMatching(/^answers took \d+ ms/))
      expect(overload.report.refused.count).toBe(0)
    }),
  )

  test('a server that waits for slow clients, dropped connections, and no end', LONG, () =>
    withCareless(async (careless) => {
      const ways = ['head', 'body', 'stuck', 'sip'] as const
      const slow = await runSlow(careless, {
        ...SLOW,
        clients: 16,
        seconds: 1.5,
        graceMs: isShort ? 500 : 20_000,
        mustEnd: ways,
        ways,
      })
      expect(judgeSlow(slow, SLOW_MOST)).toEqual(expect.arrayContaining(ways.map((way) => `4 of way ${way} were not cut`)))

      const { idle, waiting } = await runIdle(careless, 20, 50, 0.3)
      expect(waiting.every(({ open }) => open)).toBe(true)
      expect(judgeIdle({ ...idle, held: 17 }, { ...IDLE_MOST, memory: 4096 })).toEqual(['3 were cut'])

      process.kill(careless.server.pid, 'SIGSTOP')
      expect((await endOf(careless, 300)).code).toBe(null)
    }),
  )
})
