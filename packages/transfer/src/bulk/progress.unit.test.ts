import { expect, test } from 'vitest'
import { createProgress } from './progress.ts'

const totals = { posts: 1_000, comments: 3_000 }

function watch(tty: boolean) {
  const written: string[] = []
  let now = 0
  const progress = createProgress({ tty, write: (text) => written.push(text) }, totals, () => now)
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  return { written, progress, wait }
}

test('a terminal gets one line that is drawn anew, with share, rate and time left', () => {
  const { written, progress, wait } = watch(true)
  progress.show('posts', 0)
  wait(1_000)
  progress.show('posts', 500)
  expect(written.at(-1)).toContain('12 %  posts 50 %, 500/s, 7 s left')
  expect(written.every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(true)
  progress.clear()
  expect(written.at(-1)).toBe('\r\u001b[K')
})

test('it is not drawn more often than anybody can read, but the end is always shown', () => {
  const { written, progress, wait } = watch(true)
  for (let done = 0; done <= 1_000; done += 10) {
    progress.show('posts', done)
    wait(1)
  }
  expect(written.length).toBeLessThan(4)
  expect(written.at(-1)).toContain('posts 100 %')
})

test('elsewhere there are whole lines, few of them', () => {
  const { written, progress, wait } = watch(false)
  for (let done = 0; done <= 1_000; done += 100) {
    progress.show('posts', done)
    wait(1_000)
  }
  progress.show('comments', 3_000)
  progress.clear()
  expect(written.length).toBeLessThanOrEqual(4)
  expect(written.every((text) => text.endsWith('\n') && !text.includes('\r'))).toBe(true)
  expect(written.at(-1)).toContain('comments 100 %')
  expect(written.at(-1)).toContain('(3,000 of 3,000)')
})

test('long waits are told in minutes', () => {
  const { written, progress, wait } = watch(true)
  progress.show('posts', 0)
  wait(60_000)
  progress.show('posts', 1_000)
  expect(written.at(-1)).toContain('3 min 00 s left')
})
