import { expect, test } from 'vitest'
import { createLimiter } from './fixed-window.ts'
import { createMemoryWindows, type LimitResult } from './memory-window.ts'

const startClock = (start = '2026-11-21T10:00:00.250Z') => {
  let now = Date.parse(start)
  return {
    now: () => new Date(now),
    pass(seconds: number) {
      now += seconds * 1000
    },
  }
}

const local = (clock = startClock(), maxKeys?: number) => {
  const limiter = createLimiter({ clock, maxKeys })
  return { clock, limiter, hit: (key: string, limit: number, seconds: number) => limiter.hit(key, limit, seconds) as LimitResult }
}

test('exactly the limit is allowed from the first hit until the window is over', () => {
  const { clock, hit } = local()
  const resetAt = Date.parse('2026-11-21T10:01:01Z') / 1000
  for (let i = 1; i <= 100; i += 1) {
    expect(hit('api:1', 100, 60)).toEqual({ allowed: true, limit: 100, remaining: 100 - i, resetAt, retryAfter: 0 })
    clock.pass(0.5)
  }
  expect(hit('api:1', 100, 60)).toEqual({ allowed: false, limit: 100, remaining: 0, resetAt, retryAfter: 10 })
  clock.pass(9.999)
  expect(hit('api:1', 100, 60)).toMatchObject({ allowed: false, retryAfter: 1 })
  clock.pass(0.001)
  expect(hit('api:1', 100, 60)).toMatchObject({ allowed: true, remaining: 99, resetAt: resetAt + 60 })
})

test('responds synchronously, without a promise', () => {
  expect(local().limiter.hit('a', 1, 60)).not.toBeInstanceOf(Promise)
})

test('keys and window lengths are counted separately', () => {
  const { hit } = local()
  expect(hit('a', 1, 60).allowed).toBe(true)
  expect(hit('b', 1, 60).allowed).toBe(true)
  expect(hit('a', 1, 10).allowed).toBe(true)
  expect(hit('a', 1, 60).allowed).toBe(false)
  expect(hit('__proto__', 1, 60).allowed).toBe(true)
})

test('a refund takes one hit back, and never more than were counted', () => {
  const { hit, limiter } = local()
  hit('login:ada', 2, 60)
  limiter.refund('login:ada', 60)
  limiter.refund('login:ada', 60)
  limiter.refund('login:nobody', 60)
  limiter.refund('login:ada', 10)
  expect([hit('login:ada', 2, 60), hit('login:ada', 2, 60), hit('login:ada', 2, 60)].map(({ allowed }) => allowed)).toEqual([
    true,
    true,
    false,
  ])
})

test('a limit of zero allows nothing, and an enormous one counts correctly', () => {
  const { hit } = local()
  expect(hit('a', 0, 60)).toMatchObject({ allowed: false, remaining: 0 })
  expect(hit('b', 1_000_000_000, 60)).toMatchObject({ allowed: true, remaining: 999_999_999 })
})

test('a clock that is set back locks nobody out, one set forward ends windows', () => {
  const { clock, hit } = local()
  hit('a', 1, 60)
  expect(hit('a', 1, 60).allowed).toBe(false)
  clock.pass(-86_400)
  const back = hit('a', 1, 60)
  expect(back).toMatchObject({ allowed: true, resetAt: Math.ceil(clock.now().getTime() / 1000) + 60 })
  clock.pass(86_400)
  expect(hit('a', 1, 60).allowed).toBe(true)
})

test('old windows are removed, and a flood of keys evicts the oldest', () => {
  const clock = startClock()
  const windows = createMemoryWindows(clock, 1000)
  for (let i = 0; i < 800; i += 1) windows.hit(`old:${i}`, 1, 60)
  clock.pass(60)
  for (let i = 0; i < 200; i += 1) windows.hit(`new:${i}`, 1, 60)
  expect(windows.size()).toBe(200)
  for (let i = 0; i < 5000; i += 1) windows.hit(`flood:${i}`, 1, 60)
  expect(windows.size()).toBe(1000)
  expect(windows.hit('flood:4999', 1, 60).allowed).toBe(false)
  expect(windows.hit('new:0', 1, 60).allowed).toBe(true)
})

test('a renewed window counts as new', () => {
  const clock = startClock()
  const windows = createMemoryWindows(clock, 2)
  windows.hit('a', 1, 60)
  windows.hit('b', 1, 60)
  clock.pass(60)
  windows.hit('a', 1, 60)
  windows.hit('c', 1, 60)
  expect(windows.hit('a', 1, 60).allowed).toBe(false)
  expect(windows.size()).toBe(2)
})

test('a hit costs less than a microsecond', () => {
  const limiter = createLimiter({ clock: { now: () => new Date() } })
  const keys = Array.from({ length: 1000 }, (_, i) => `api:user:${i}`)
  const round = () => {
    const start = performance.now()
    for (let i = 0; i < 100_000; i += 1) void limiter.hit(keys[i % 1000]!, 1000, 60)
    return (performance.now() - start) / 100
  }
  const microseconds = Math.min(...Array.from({ length: 5 }, round))
  console.info(`one hit: ${microseconds.toFixed(3)} µs`)
  expect(microseconds).toBeLessThan(1)
})
