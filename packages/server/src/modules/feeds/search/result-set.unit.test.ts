import { expect, it } from 'vitest'
import { createFeedColumns, type ListedFeed, timestampOf } from './feed-columns.ts'
import { allFeeds, idsOf, intersection, resultSetOf } from './result-set.ts'

const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const byTime = (a: ListedFeed, b: ListedFeed) => timestampOf(a.published_at) - timestampOf(b.published_at) || a.id - b.id

it.each([0, 1000])('a result with a limit of %i equals a naive one after any changes', (mostListed) => {
  const pick = random(mostListed + 7)
  const shelf = createFeedColumns()
  const stands = new Map<number, ListedFeed>()
  const found = new Set<number>()
  const feed = (id: number): ListedFeed => ({
    id,
    space_id: pick(4) || null,
    privacy: pick(2) ? 'public' : 'private',
    published_at: `2026-01-0${1 + pick(9)} 00:00:0${pick(3)}`,
    type: ['text', 'feed', 'question'][pick(3)] ?? '',
    comments_count: pick(2),
  })
  const put = (one: ListedFeed) => {
    shelf.insert(one)
    stands.set(one.id, one)
  }
  for (let id = 1; id <= 300; id++) put(feed(id))
  for (let id = 1; id <= 300; id++) if (pick(2)) found.add(id)
  const hits = resultSetOf(shelf, [...found], mostListed)
  expect(hits.ranked.exact).toBe(mostListed > 0)

  for (let round = 0; round < 60; round++) {
    const changed = [...new Set(Array.from({ length: pick(20) }, () => 1 + pick(2500)))]
    const before = changed.map((id) => shelf.codeOf(id))
    for (const id of changed) {
      if (pick(4)) put(feed(id))
      else {
        shelf.take(id)
        stands.delete(id)
      }
    }
    changed.forEach((id, i) => {
      hits.remove(id, before[i] ?? 0)
      found.delete(id)
    })
    for (const id of changed) {
      if (!pick(2)) continue
      hits.add(id)
      if (stands.has(id)) found.add(id)
    }
    const order = [...stands.values()].sort(byTime)
    expect(Array.from({ length: shelf.size() }, (_, rank) => shelf.at(rank))).toEqual(order.map(({ id }) => id))
    const walked = Array.from({ length: hits.ranked.size() }, (_, rank) => hits.ranked.at(rank)).filter((id) => hits.has(id))
    expect(walked).toEqual(order.filter(({ id }) => found.has(id)).map(({ id }) => id))
    const spots = shelf.facets()
    const tally = [...hits.countByCode].filter(([, n]) => n > 0).map(([code, n]) => [JSON.stringify(spots[code - 1]), n] as const)
    const spotOf = (id: number) => {
      const one = stands.get(id)
      const kind = one?.type === 'question' ? 'question' : null
      return JSON.stringify({ space_id: one?.space_id ?? 0, privacy: one?.privacy, kind, answered: (one?.comments_count ?? 0) > 0 })
    }
    const naive = (ids: Iterable<number>) => new Map([...Map.groupBy(ids, spotOf)].map(([spot, all]) => [spot, all.length]))
    expect(new Map(tally)).toEqual(naive(found))
    const whole = [...shelf.countByCode].filter(([, n]) => n > 0).map(([code, n]) => [JSON.stringify(spots[code - 1]), n] as const)
    expect(new Map(whole)).toEqual(naive(stands.keys()))
    const others = [...stands.keys()].filter((id) => id % 3 === 0)
    const both = idsOf(intersection(shelf, [hits, resultSetOf(shelf, others, mostListed), allFeeds(shelf)]))
    expect(both).toEqual(order.filter(({ id }) => found.has(id) && id % 3 === 0).map(({ id }) => id))
    const some = order[pick(order.length)]
    if (!some) continue
    const rank = hits.ranked.rankOf(timestampOf(some.published_at), some.id)
    const list = hits.ranked.exact ? order.filter(({ id }) => found.has(id)) : order
    expect(rank).toBe(list.filter((one) => byTime(one, some) < 0).length)
  }
})
