import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ApiError } from '../../core/errors.ts'
import { createUnsent } from './unsent-bytes.ts'

/** A response that records whether its connection was aborted. */
const responseOf = () => {
  const emitter = new EventEmitter()
  const response = Object.assign(emitter, {
    isCut: false,
    socket: {
      resetAndDestroy: () => {
        response.isCut = true
        emitter.emit('close')
      },
    },
  })
  return response
}
const asResponse = (response: ReturnType<typeof responseOf>) => response as unknown as ServerResponse

const setUp = () => {
  const clock = { now: 0 }
  const unsent = createUnsent({ perOwner: 100, total: 250, now: () => clock.now })
  const hold = (owner: number, bytes: number, shared?: Buffer) => {
    const response = responseOf()
    return { response, holding: unsent.hold(owner, asResponse(response), bytes, shared) }
  }
  const statusOf = (check: () => void): number => {
    try {
      check()
      return 200
    } catch (error) {
      if (!(error instanceof ApiError) || !error.data.retry_after) throw error
      return error.status
    }
  }
  return { unsent, clock, hold, statusOf }
}

test('an owner with too much unsent is refused, others are not', () => {
  const { unsent, hold, statusOf } = setUp()
  hold(1, 100)
  expect(statusOf(() => unsent.admit(1))).toBe(429)
  expect(statusOf(() => unsent.checkRoom(1, 10))).toBe(429)
  expect(statusOf(() => unsent.admit(2))).toBe(200)
  expect(statusOf(() => unsent.checkRoom(2, 100))).toBe(200)
})

test('bytes that were read, or whose connection ended, no longer count', () => {
  const { unsent, hold, statusOf } = setUp()
  const { response, holding } = hold(1, 100)
  holding.resize(40)
  expect(unsent.figures().bytes).toBe(40)
  expect(statusOf(() => unsent.checkRoom(1, 60))).toBe(200)
  response.emit('close')
  holding.resize(70)
  expect(unsent.figures().bytes).toBe(0)
})

test('a buffer shared by several responses counts once in total, and once per owner', () => {
  const { unsent, hold, statusOf } = setUp()
  const shared = Buffer.alloc(90)
  const [first, second] = [hold(1, 90, shared), hold(2, 90, shared), hold(3, 90, shared)]
  expect(unsent.figures().bytes).toBe(90)
  expect(statusOf(() => unsent.checkRoom(1, 90, shared))).toBe(429)
  first.response.emit('close')
  second?.response.emit('close')
  expect(unsent.figures().bytes).toBe(90)
})

test('at the total limit, only owners without unsent bytes are admitted, and large responses wait', () => {
  const { unsent, hold, statusOf } = setUp()
  for (const owner of [1, 2, 3]) hold(owner, 90)
  expect(statusOf(() => unsent.admit(1))).toBe(503)
  expect(statusOf(() => unsent.admit(4))).toBe(200)
  expect(statusOf(() => unsent.checkRoom(4, 50))).toBe(503)
})

test('slow connections of the owners with the most unsent bytes are closed first', () => {
  const { unsent, clock, hold, statusOf } = setUp()
  const [slow, reading, small] = [hold(1, 100), hold(2, 90), hold(3, 60)]
  clock.now = 4000
  reading.holding.moved()
  expect(statusOf(() => unsent.checkRoom(4, 50))).toBe(200)
  expect([slow.response.isCut, reading.response.isCut, small.response.isCut]).toEqual([true, false, true])
  expect(unsent.figures()).toMatchObject({ bytes: 90, cut: 2, refused: 0 })
})

test('an owner at the limit loses slow connections before a request is refused', () => {
  const { unsent, clock, hold, statusOf } = setUp()
  const { response } = hold(1, 100)
  clock.now = 4000
  expect(statusOf(() => unsent.admit(1))).toBe(200)
  expect(response.isCut).toBe(true)
})

test('a stream with nothing unsent is not slow, and one that only grows is', () => {
  const { unsent, clock, hold, statusOf } = setUp()
  const [idle, growing] = [hold(1, 0), hold(2, 0)]
  growing.holding.resize(60)
  clock.now = 2000
  growing.holding.resize(90)
  hold(3, 100)
  hold(4, 60)
  clock.now = 3500
  expect(statusOf(() => unsent.checkRoom(5, 90))).toBe(200)
  expect([idle.response.isCut, growing.response.isCut]).toEqual([false, true])
})
