import { expect, test } from 'vitest'
import { createEventLoopWatchdog } from './event-loop-watchdog.ts'

type Line = { readonly event: string; readonly ms: number; readonly operations: readonly string[] }

const watched = () => {
  const lines: Line[] = []
  const watch = createEventLoopWatchdog({ warn: (line: Line) => lines.push(line) } as never)
  watch.start()
  return { watch, lines }
}

const block = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('work that blocks the event loop is logged with its duration', async () => {
  const { watch, lines } = watched()
  const waiting = new AbortController()
  const other = watch.during('feeds.list', () => new Promise<void>((resolve) => waiting.signal.addEventListener('abort', () => resolve())))
  await watch.during('media.oembed', async () => {
    await Promise.resolve()
    block(400)
  })
  watch.during('job:feeds.index', () => block(10))
  await expect.poll(() => lines.length, { interval: 20 }).toBeGreaterThan(0)
  waiting.abort()
  await other
  watch.stop()
  expect(lines[0]).toMatchObject({ event: 'event_loop_blocked', operations: ['media.oembed', 'job:feeds.index', 'feeds.list'] })
  expect(watch.blockedSeconds().get('media.oembed')).toBeGreaterThan(0.2)
})

test('work that ends early, fails or throws is no longer pending', async () => {
  const { watch, lines } = watched()
  await watch.during('a', () => Promise.reject(new Error('no'))).catch(() => {})
  expect(() =>
    watch.during('b', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(watch.during('c', () => 7)).toBe(7)
  await new Promise((resolve) => setTimeout(resolve, 250))
  block(400)
  await expect.poll(() => lines.at(-1)?.operations, { interval: 20 }).toEqual([])
  watch.stop()
  expect(watch.blockedSeconds().has('(none)')).toBe(true)
})
