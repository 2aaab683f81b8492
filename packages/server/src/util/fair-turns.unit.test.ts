import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

test('each owner does one step per turn of the event loop, in order', async () => {
  const inTurn = createFairTurns<string>()
  const steps: string[] = []
  for (const n of [1, 2, 3]) inTurn('many', () => steps.push(`many ${n}`))
  inTurn('one', () => steps.push('one'))
  const seen: string[][] = []
  for (let turn = 0; turn < 4; turn++) {
    await setImmediate()
    seen.push([...steps])
  }
  expect(seen.find((each) => each.includes('one'))).toEqual(['many 1', 'one'])
  expect(steps).toEqual(['many 1', 'one', 'many 2', 'many 3'])
})

test('a step that requests another one waits for the next turn', async () => {
  const inTurn = createFairTurns<number>()
  const turns: number[] = []
  let turn = 0
  const step = () => {
    turns.push(turn)
    if (turns.length < 5) inTurn(1, step)
  }
  inTurn(1, step)
  for (; turn < 10; turn++) await setImmediate()
  expect(turns).toHaveLength(5)
  expect(new Set(turns).size).toBe(5)
})
