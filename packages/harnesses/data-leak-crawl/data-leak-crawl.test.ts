import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { createWorld, type World } from '#test/world.ts'
import { type Community, makeCommunity } from './community.ts'
import { crawl, type Fault } from './crawl.ts'
import { ACTORS, type ActorName, isListed, seesFeed } from './rules.ts'
import { listenToAll } from './stream.ts'

const TIMEOUT_MS = 120_000

/** The actors with most access first, so that their cached responses are available to leak. */
const CRAWLERS = ACTORS.toReversed().filter((_, i) => SOAK > 1 || i % 6 === 0)

let world: World
let community: Community
let requests = 0
let compared = 0
let leaked = 0

beforeAll(async () => {
  world = await createWorld()
  community = await makeCommunity(world)
}, TIMEOUT_MS)
afterAll(async () => {
  report({ secrets: community.secrets.size, readers: ACTORS.length, requests, 'equal to missing': compared, leaked })
  await world.close()
})

describe('every GET of the contract, with every object, filter, order and page', () => {
  test.each(CRAWLERS)('shows %s only what they may see', { timeout: TIMEOUT_MS }, async (actor) => {
    const result = await crawl(world, community, actor)
    requests += result.requests
    compared += result.compared
    leaked += result.faults.length
    expect(result.faults.slice(0, 20)).toEqual([])
    // Everything visible must have been seen somewhere, or the crawl did not cover it.
    const unmet = [...community.secrets.values()].filter(({ token, seenBy }) => seenBy(actor) && !result.met.has(token))
    expect(unmet.map(({ of, sort }) => `${sort}: ${of}`)).toEqual([])
  })

  test.each(ACTORS.filter((actor) => actor !== 'anonymous'))('lists for %s everything they may see', async (actor) => {
    const who = community.people[actor as Exclude<ActorName, 'anonymous'>]
    const expected = community.feeds.filter((feed) => isListed(feed) && seesFeed(actor, feed)).map(({ id }) => id)
    const found: number[] = []
    for (let page = 1; ; page++) {
      const { feeds, sticky } = await who.api.feeds.list({ page, per_page: 9 })
      found.push(...feeds.data.map(({ id }) => id), ...(sticky ? [sticky.id] : []))
      if (!feeds.has_more) break
    }
    expect(found.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b))
    const { data } = await who.api.bookmarks.list({ per_page: 100 })
    const kept = ['member', 'left', 'banned'].includes(actor) ? expected.filter((id) => community.bookmarked.has(id)) : []
    expect(data.map(({ feed_id }) => feed_id).sort((a, b) => a - b)).toEqual(kept)
  })
})

// This tests the crawl itself, independently of the database.
test.runIf(SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')(
  'control: the crawl detects a server that confuses users',
  { timeout: TIMEOUT_MS },
  async () => {
    const outsider = await crawl(world, community, 'administrator', { as: 'outsider', every: SOAK > 1 ? 1 : 2 })
    const sortsFound = new Set(outsider.faults.flatMap(({ sort }) => sort ?? []))
    const sorts: Fault['sort'][] = [
      'feed',
      'comment',
      'space',
      'topic',
      'link',
      'settings',
      'lock screen',
      'vote',
      'membership',
      'address',
      'course',
      'lesson',
      'history',
      'results',
      'reference',
    ]
    expect([...sortsFound].sort()).toEqual(sorts.sort())
    expect(outsider.faults.some(({ what }) => what === 'is answered otherwise than what does not exist')).toBe(true)
    const member = await crawl(world, community, 'left', { as: 'member', every: 8 })
    expect(member.faults.some(({ what }) => what === 'is not there')).toBe(true)
  },
)

describe('the stream', () => {
  test('shows everyone only what they may see', { timeout: TIMEOUT_MS }, async () => {
    const { faults, events } = await listenToAll(world, community)
    expect(faults.slice(0, 20)).toEqual([])
    expect(events).toBeGreaterThan(1000)
  })

  test('control: confused users are detected', { timeout: TIMEOUT_MS }, async () => {
    const confused: Partial<Record<ActorName, ActorName>> = { administrator: 'outsider', left: 'member' }
    const { faults } = await listenToAll(world, community, (actor) => confused[actor] ?? actor)
    expect(
      faults.some(
        ({ what }) => what.startsWith('tells the text') || what.startsWith('tells of the draft') || what.startsWith('tells pending'),
      ),
    ).toBe(true)
    expect(faults.some(({ actor, what }) => actor === 'left' && what.startsWith('is silent'))).toBe(true)
  })
})
