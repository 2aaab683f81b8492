import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createStore, createTags, type Entry, entryBytes, estimateBytes } from './clock-store.ts'

const entryOf = (key: string, bytes = 1): Entry => ({
  key,
  value: key,
  version: null,
  tags: [],
  since: 0,
  made: 0,
  bytes,
  used: false,
  before: null,
  after: null,
})

const open = (room: { entries: number; bytes: number }, isAlive = (_entry: Entry) => true) => {
  const left: (string | number)[] = []
  const store = createStore(room, isAlive, ({ key }) => void left.push(key))
  const use = (key: string) => {
    const found = store.get(key)
    if (found) found.used = true
  }
  return { store, left, use }
}

test('recently used entries stay when the cache is full, the others are evicted in turn', () => {
  const { store, left, use } = open({ entries: 3, bytes: 1000 })
  for (const key of ['a', 'b', 'c']) store.add(entryOf(key))
  use('a')
  for (const key of ['d', 'e']) store.add(entryOf(key))
  expect([left, store.size().entries]).toEqual([['b', 'c'], 3])
  store.add(entryOf('f'))
  expect(left).toEqual(['b', 'c', 'a'])
})

test('evicts an entry even if all were used recently', () => {
  const { store, left, use } = open({ entries: 100, bytes: 1000 })
  for (let n = 0; n < 150; n++) {
    store.add(entryOf(`k${n}`))
    use(`k${n}`)
  }
  expect([left.length, store.size().entries]).toEqual([50, 100])
})

test('an invalidated entry is evicted although it was used recently', () => {
  const { store, left, use } = open({ entries: 2, bytes: 1000 }, ({ key }) => key !== 'a')
  for (const key of ['a', 'b']) {
    store.add(entryOf(key))
    use(key)
  }
  store.add(entryOf('c'))
  expect(left).toEqual(['a'])
})

test('the capacity also limits bytes; a value larger than the capacity is not cached', () => {
  const { store, left } = open({ entries: 100, bytes: 10 })
  for (const key of ['a', 'b', 'c']) store.add(entryOf(key, 4))
  expect([left, store.size()]).toEqual([['a'], { entries: 2, bytes: 8 }])
  store.add(entryOf('huge', 11))
  expect([left, store.size()]).toEqual([['a', 'huge'], { entries: 2, bytes: 8 }])
  store.add(entryOf('b', 1))
  expect(store.size()).toEqual({ entries: 2, bytes: 5 })
  store.clear()
  store.add(entryOf('d', 10))
  expect(store.size()).toEqual({ entries: 1, bytes: 10 })
})

test('the estimated size of a value includes its parts, and a shared buffer once', () => {
  const closed = Buffer.alloc(4000)
  const fragment = { open: closed.subarray(0, 3900), closed }
  expect(estimateBytes(fragment)).toBeLessThan(4200)
  expect(estimateBytes(fragment)).toBeGreaterThan(4000)
  expect(estimateBytes({ value: ['x'.repeat(1000), 'y'.repeat(1000)] })).toBeGreaterThan(2000)
  expect(estimateBytes(Array.from({ length: 1000 }, (_, n) => n))).toBeGreaterThan(8000)
  expect(estimateBytes(new Map([['a', 'b'.repeat(500)]]))).toBeGreaterThan(500)
  expect(entryBytes('key', 10, 0)).toBeGreaterThan(500)
})

test('a value is not cached if one of its tags changed since it was read, however long ago', () => {
  const subjects = createTags()
  subjects.changed('feed:1', 5)
  expect(subjects.take(['feed:1'], 4)).toBeNull()
  expect(subjects.take(['feed:1', 'feed:2'], 5)).toHaveLength(2)
  expect(subjects.take(['feed:2'], 4)).toHaveLength(1)
  // So many changes that the first are forgotten: what was begun before them is not taken at all.
  for (let n = 0; n < 10_000; n++) subjects.changed(`user:${n}`, 6 + n)
  expect(subjects.take(['feed:3'], 4)).toBeNull()
  expect(subjects.take(['user:9999'], 10_004)).toBeNull()
  expect(subjects.take(['user:9999'], 10_005)).toHaveLength(1)
})

test('a tag is removed with its last entry', () => {
  const subjects = createTags()
  const [first, second] = [subjects.take(['a', 'b'], 1) ?? [], subjects.take(['a'], 1) ?? []]
  subjects.release(first)
  expect(subjects.count()).toBe(1)
  subjects.changed('a', 3)
  expect(second[0]?.changed).toBe(3)
  subjects.release(second)
  expect(subjects.count()).toBe(0)
  expect(subjects.take(['a'], 2)).toBeNull()
})

test('after an invalidation of everything, no value read before is cached', () => {
  const subjects = createTags()
  const before = subjects.take(['a'], 1) ?? []
  subjects.everything(7)
  expect(subjects.take(['b'], 6)).toBeNull()
  const after = subjects.take(['a'], 7) ?? []
  subjects.release(before)
  subjects.changed('a', 8)
  expect(after[0]?.changed).toBe(8)
})

test('evicted entries are released, wherever the clock hand is', async () => {
  const { store } = open({ entries: 1000, bytes: 1e6 })
  store.add(entryOf('stays'))
  const gone = Array.from({ length: 5000 }, (_, n) => {
    const entry = entryOf(`k${n % 50}`)
    store.add(entry)
    return new WeakRef(entry)
  })
  setFlagsFromString('--expose-gc')
  // What a WeakRef has told of stays until the end of a turn.
  await new Promise(setImmediate)
  ;(runInNewContext('gc') as () => void)()
  expect([store.size().entries, gone.filter((ref) => ref.deref()).length]).toEqual([51, 50])
})
