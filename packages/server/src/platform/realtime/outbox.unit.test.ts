import { expect, test } from 'vitest'
import { MOST_SIGNAL_BYTES } from '../../db/index.ts'
import { createOutbox, packed } from './outbox.ts'

const many = (count: number) => new Set(Array.from({ length: count }, (_, n) => `setting:ключ-${n}`))

test('subjects go into as few texts as carry them, and none is lost', () => {
  const subjects = many(1000)
  const texts = packed(subjects)
  expect(texts.length).toBeGreaterThan(2)
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(MOST_SIGNAL_BYTES - 50)
  expect(new Set(texts.flatMap((text) => text.split('\n')))).toEqual(subjects)
  expect(packed(new Set())).toEqual([])
  expect(packed(many(10_000))).toEqual(['*'])
})

test('what is committed in one turn is told together, once; what is left is told at the end', async () => {
  const told: string[][] = []
  const outbox = createOutbox(async (texts) => void told.push([...texts]))
  outbox.add(new Set(['feed:1', 'lists']))
  outbox.add(new Set(['feed:2', 'lists']))
  await outbox.close()
  expect(told).toEqual([['feed:1\nlists\nfeed:2']])
})

test('what could not be told is told as everything later', async () => {
  const told: string[][] = []
  let fails = 1
  const later = Promise.withResolvers<void>()
  const outbox = createOutbox(async (texts) => {
    fails -= 1
    if (fails >= 0) throw new Error('away')
    told.push([...texts])
    later.resolve()
  })
  outbox.add(new Set(['feed:1']))
  await later.promise
  expect(told).toEqual([['*']])
  await outbox.close()
})

test('a process that cannot tell anything ends all the same', async () => {
  const outbox = createOutbox(() => Promise.reject(new Error('away')))
  outbox.add('everything')
  await outbox.close()
})
