import { tokens } from '@lyceum/content'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readmes, unsafeParts } from '#test/html-oracle.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** Number of texts stored in an ordinary run; safe rendering is tested without a database. */
const STORED = SOAK > 1 ? Number.POSITIVE_INFINITY : 60
/** Real-world texts: the READMEs of installed packages, up to the maximum length of a message. */
const all = readmes()
  .map(({ text }) => text)
  .filter((text) => text.trim() !== '')
const texts = all.filter((_, i) => i % Math.ceil(all.length / STORED) === 0)
const AT_ONCE = 8
const WORDS = 3

let world: World
let ana: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
})
afterAll(() => world.close())

/** Runs `work` for all items with limited concurrency. */
const forAll = async <T>(items: readonly T[], work: (item: T, i: number) => Promise<void>) => {
  const queue = items.map((item, i) => [item, i] as const)
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await work(...next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** Distinctive words from different parts of a text. */
const telling = (text: string): string[] => {
  const long = [...new Set(tokens(text))].filter((word) => /^[a-z]{7,30}$/.test(word))
  return Array.from({ length: Math.min(WORDS, long.length) }, (_, i) => long[Math.floor((i * long.length) / WORDS)] ?? '')
}

it('real-world text is stored unchanged, rendered safely and found by search', { timeout: 60_000 }, async () => {
  expect(all.length).toBeGreaterThan(50)
  expect(texts.length).toBeGreaterThan(20)
  const ids = new Map<number, string>()
  await forAll(texts, async (message, i) => {
    const { data } = await ana.api.feeds.create({ title: `Real text ${i}`, message, content_type: 'markdown' })
    expect(data.message).toBe(message.toWellFormed())
    ids.set(data.id, message)
  })
  let searched = 0
  await forAll([...ids], async ([feed_id, message]) => {
    const { data: feed } = await ana.api.feeds.byId({ feed_id })
    expect(feed.message).toBe(message.toWellFormed())
    expect(unsafeParts(feed.message_rendered)).toEqual([])
    for (const word of telling(feed.message_rendered.replace(/<[^>]*>/g, ' '))) {
      const { feeds } = await ana.api.feeds.list({ search: `${word} real text`, per_page: 100 })
      const found = feeds.data.map((hit) => hit.id)
      if (feeds.total <= 100) expect(found, word).toContain(feed_id)
      searched += 1
    }
  })
  console.log(`${texts.length} texts stored, ${searched} searches`)
})
