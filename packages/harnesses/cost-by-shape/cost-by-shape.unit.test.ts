import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { slowness, slowShapes } from './measure.ts'
import { READERS as ALL } from './readers.ts'
import type { Shape } from './shapes.ts'

/** In a short run, each reader gets every sixteenth shape, and each shape a sixteenth of the readers. */
const STEP = SOAK > 1 ? 1 : 16
const READERS = ALL.filter(({ onlyLong }) => !onlyLong || SOAK > 1).map((reader, of) => ({
  ...reader,
  shapes: reader.shapes.filter((_, i) => i % STEP === of % STEP),
}))

/** Combinations that were slow before they were fixed. */
const ONCE_SLOW: readonly (readonly [reader: string, pieces: readonly string[]])[] = [
  ['page of a preview', ['<i>', '</z>']],
  ['page of a preview', ['<table><tr><td>']],
  ['lesson content', ['<i>', '</z>']],
  ['lesson content', ['<i></z>']],
  ['lesson content', ['<p><b>']],
  ['lesson content', ['<']],
  ['text of a question', ['<p><b>']],
  ['message: text', ['a|b\n-|-\n']],
  ['screening: text', ['a.']],
  ['screening: text', ['xn--a.']],
]
const TIMEOUT_MS = 60_000 + SOAK * 30_000

test.each(READERS)('$name: no structure of the longest text takes long', { timeout: TIMEOUT_MS }, (reader) => {
  expect(slowShapes(reader)).toEqual([])
})

test.each(ONCE_SLOW)('%s: %j is fast since it was fixed', (name, pieces) => {
  const reader = ALL.find((one) => one.name === name)
  expect(reader && slowness(reader, { name, pieces })).toBeNull()
})

/** Combines two shapes in one text: the second may close or search what the first opens. */
const joined = (a: Shape, b: Shape): Shape => ({
  name: `${a.name} then ${b.name}`,
  start: a.start ?? '',
  pieces: [...a.pieces, ...b.pieces],
  end: b.end ?? '',
})

test('combinations of two structures are fast', { timeout: TIMEOUT_MS * 10 }, () => {
  const pairs = SOAK > 1 ? 2 * SOAK : 1
  const found: string[] = []
  for (const reader of READERS) {
    const { shapes, name } = reader
    for (let i = 0; i < pairs; i++) {
      const [a, b] = [shapes[(i * 7919) % shapes.length] as Shape, shapes[(i * 104_729 + 13) % shapes.length] as Shape]
      const shape = joined(a, b)
      const problem = slowness(reader, shape)
      if (problem) found.push(`${name}: ${shape.name}: ${problem}`)
    }
  }
  expect(found).toEqual([])
  report({ readers: READERS.length, shapes: READERS.reduce((sum, { shapes }) => sum + shapes.length, 0), pairs: pairs * READERS.length })
})

test('control: a parser that builds a tree and a quadratic one are detected', () => {
  const tree = (text: string) => new Parser({ onopentag: () => {} }).end(text)
  const openers: Shape = { name: '<i> + </z>', pieces: ['<i>', '</z>'] }
  expect(slowness({ read: tree, most: 240_000 }, openers)).toMatch(/ms/)
  const quadratic = (text: string) => {
    let sum = 0
    for (let i = 0; i < text.length; i += 1) for (let j = 0; j < text.length; j += 1) sum += (i ^ j) & 1
    return sum
  }
  expect(slowness({ read: quadratic, most: 12_000 }, { name: 'a', pieces: ['a'] })).toMatch(/for a quarter of it|^\d{2,} ms$/)
})
