import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { MESSAGE_BYTES } from '@lyceum/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpuTime, slowdown } from '#test/cpu-time.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { HTML_SHAPES, textOf } from './shapes.ts'

/** Maximum turn of the event loop in milliseconds, the best of several attempts, since other work on the machine may disturb some. */
const MAX_TURN_MS = 50
const ATTEMPTS = 3

let world: World
let member: Member
let site: Server
let base: string
let page = Buffer.alloc(0)
let asked = 0

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_OUTBOUND_ALLOW: '127.0.0.1/32' } })
  member = await world.member()
  site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).end(page),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await world.close()
})

/** The longest turn of the event loop during `work`, or its CPU time if other processes delayed it. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < ATTEMPTS && best >= MAX_TURN_MS; i++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const started = cpuTime()
    await work()
    const used = cpuTime() - started
    delay.disable()
    best = Math.min(best, delay.max / 1e6, used)
  }
  return best
}

test('no page of 1 MB blocks the event loop while its preview is created', async () => {
  const preview = async (text: string) => {
    page = gzipSync(text, { level: 1 })
    const url = () => `${base}/${asked++}`
    await member.raw('GET', `/feeds/oembed?url=${encodeURIComponent(url())}`)
    return longestTurn(() => member.raw('GET', `/feeds/oembed?url=${encodeURIComponent(url())}`))
  }
  const slow: string[] = []
  for (const shape of HTML_SHAPES.filter((_, i) => SOAK > 1 || i % 3 === 0)) {
    const ms = await preview(`<title>x</title>${textOf(shape, 2 ** 20)}`)
    if (ms >= MAX_TURN_MS && ms >= MAX_TURN_MS * slowdown()) slow.push(`${shape.name}: ${ms.toFixed(0)} ms`)
  }
  expect(slow).toEqual([])
})

test('no message blocks it while it is stored', async () => {
  const slow: string[] = []
  for (const piece of ['a@b.c ', '`a` ', '![', '> - ', '@bob ', 'a.', '&', '#\n', '>'.repeat(60), '\ufdfa', '- -\n']) {
    const message = textOf({ name: piece, pieces: [piece] }, MESSAGE_BYTES)
    const post = () => member.raw('POST', '/feeds', { message })
    await post()
    const ms = await longestTurn(post)
    if (ms >= MAX_TURN_MS && ms >= MAX_TURN_MS * slowdown()) slow.push(`${piece}: ${ms.toFixed(0)} ms`)
  }
  expect(slow).toEqual([])
})

test('the metrics name a job or operation that blocks the event loop', async () => {
  await world.app.services.loop.during('test.slow', async () => {
    const end = performance.now() + 500
    while (performance.now() < end);
  })
  await expect
    .poll(async () => (await fetch(`${world.origin}/metrics`)).text(), { interval: 50 })
    .toMatch(/^lyceum_event_loop_blocked_seconds_total\{operation="test\.slow"\} \d+(\.\d+)?$/m)
})
