import { expect, test } from 'vitest'
import { createTags } from './tags.ts'

test('what is made from a tag that changed meanwhile is not taken, however long ago it was begun', () => {
  const tags = createTags()
  tags.changed('feed:1', 5)
  expect(tags.take(['feed:1'], 4)).toBeNull()
  expect(tags.take(['feed:1', 'feed:2'], 5)).toHaveLength(2)
  expect(tags.take(['feed:2'], 4)).toHaveLength(1)
  // So many changes that the first are forgotten: what was begun before them is not taken at all.
  for (let n = 0; n < 10_000; n++) tags.changed(`user:${n}`, 6 + n)
  expect(tags.take(['feed:3'], 4)).toBeNull()
  expect(tags.take(['user:9999'], 10_004)).toBeNull()
  expect(tags.take(['user:9999'], 10_005)).toHaveLength(1)
})

test('a tag is forgotten with the last entry that is made from it', () => {
  const tags = createTags()
  const [first, second] = [tags.take(['a', 'b'], 1) ?? [], tags.take(['a'], 1) ?? []]
  tags.release(first)
  expect(tags.count()).toBe(1)
  tags.changed('a', 3)
  expect(second[0]?.changed).toBe(3)
  tags.release(second)
  expect(tags.count()).toBe(0)
  expect(tags.take(['a'], 2)).toBeNull()
})

test('when everything changed, nothing that was begun before is taken', () => {
  const tags = createTags()
  const before = tags.take(['a'], 1) ?? []
  tags.everything(7)
  expect(tags.take(['b'], 6)).toBeNull()
  const after = tags.take(['a'], 7) ?? []
  tags.release(before)
  tags.changed('a', 8)
  expect(after[0]?.changed).toBe(8)
})
