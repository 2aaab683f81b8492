import { FEED_ORDERS } from '@lyceum/contract'
import { pages } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const post = async (message: string, title = '', body: object = {}): Promise<number> => {
  const answer = await ana.raw('POST', '/feeds', { message, title, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const search = async (text: string, who = ben, query: object = {}): Promise<number[]> => {
  const { feeds, sticky } = await who.api.feeds.list({ search: text, per_page: 100, ...query })
  expect([feeds.total, sticky]).toEqual([feeds.data.length, null])
  return feeds.data.map(({ id }) => id)
}

const TEXTS = {
  garden: ['The gardeners plant beans & peas', 'Spring in the Garden'],
  soup: ['Bean soup, slowly cooked', ''],
  accents: ['Crème brûlée à l’Élysée, Ångström, naïve façade', ''],
  german: ['Straße, Größe und Übermut', ''],
  vietnamese: ['Nguyễn đã đến Hà Nội', ''],
  polish: ['Łódź i żółw', ''],
  turkish: ['İstanbul ve ışık', ''],
  cyrillic: ['Привет, дорогой мой Ёжик', ''],
  greek: ['Ὀδυσσεύς, Καλημέρα', ''],
  arabic: ['مُحَمَّدٌ يقرأ الكتـاب', ''],
  hebrew: ['שָׁלוֹם עולם', ''],
  hindi: ['नमस्ते दुनिया', ''],
  chinese: ['我們在花園裡種豆子', '春天'],
  japanese: ['庭でトマトを育てる', 'ガーデニング'],
  korean: ['정원에서 콩을 심는다', ''],
  thai: ['สวัสดีชาวโลก', ''],
  mixed: ['Lyceum2026 runs on SQLite3 使用中文 ok', ''],
  emoji: ['🌱🌱 grow 🧑‍🌾', '🌻'],
  code: ['`const bean = new Map()` and https://example.org/path/to?bean=1', ''],
  html: ['<p>hidden<b>inside</b></p>', ''],
  wide: ['ＦＵＬＬＷＩＤＴＨ ﬁne ①②', ''],
  long: [`begin ${'z'.repeat(70)}ending`, ''],
} as const
type Name = keyof typeof TEXTS

describe('words', () => {
  const ids = {} as Record<Name, number>
  beforeAll(async () => {
    for (const [name, [message, title]] of Object.entries(TEXTS)) {
      ids[name as Name] = await post(message, title, name === 'html' ? { content_type: 'html' } : {})
    }
  })

  const cases: readonly (readonly [text: string, ...found: Name[]])[] = [
    // all words, in any order, from title and message; the last word also as a prefix
    ['gardeners', 'garden'],
    ['beans', 'garden'],
    ['bean', 'garden', 'soup', 'code'],
    ['bean soup', 'soup'],
    ['soup bean', 'soup'],
    ['spring peas', 'garden'],
    ['peas bean', 'garden'],
    ['soup peas'],
    ['plan', 'garden'],
    ['plan gardeners'],
    ['gard', 'garden'],
    ['garden', 'garden'],
    ['ardeners'],
    ['planting'],
    // case and accents
    ['GARDENERS PLANT', 'garden'],
    ['creme brulee', 'accents'],
    ['CRÈME', 'accents'],
    ['cre\u0300me', 'accents'],
    ['elysee', 'accents'],
    ['angstrom', 'accents'],
    ['l’élysée', 'accents'],
    ['strasse', 'german'],
    ['STRASSE', 'german'],
    ['grosse', 'german'],
    ['ubermut', 'german'],
    ['nguyen da den', 'vietnamese'],
    ['lodz', 'polish'],
    ['zolw', 'polish'],
    ['istanbul isik', 'turkish'],
    ['fullwidth fine', 'wide'],
    // scripts
    ['привет', 'cyrillic'],
    ['ПРИВЕТ дорог', 'cyrillic'],
    ['ежик', 'cyrillic'],
    ['мои'],
    ['καλημερα', 'greek'],
    ['οδυσσευς', 'greek'],
    ['محمد', 'arabic'],
    ['الكتاب', 'arabic'],
    ['الكتا', 'arabic'],
    ['שלום', 'hebrew'],
    ['नमस्ते', 'hindi'],
    ['花園', 'chinese'],
    ['種豆', 'chinese'],
    ['豆子', 'chinese'],
    ['豆', 'chinese'],
    ['春天 花園', 'chinese'],
    ['園花'],
    ['トマト', 'japanese'],
    ['庭で', 'japanese'],
    ['ガーデ', 'japanese'],
    ['정원', 'korean'],
    ['콩을', 'korean'],
    ['สวัสดี', 'thai'],
    ['中文', 'mixed'],
    ['lyceum2026', 'mixed'],
    ['sqlite3 中文', 'mixed'],
    ['sqlite', 'mixed'],
    // text, not markup
    ['hiddeninside', 'html'],
    ['inside'],
    ['strong'],
    ['example.org', 'code'],
    ['grow', 'emoji'],
    [`begin ${'z'.repeat(64)}`, 'long'],
    [`begin ${'z'.repeat(70)}ending`, 'long'],
    // nothing searchable
    ['🌱'],
    ['🌻 🧑‍🌾'],
    ['!!! ??? …'],
    ['™ ®'],
    ['%'],
    ['_'],
    ['\\'],
  ]
  it.each(cases)('%j', async (text, ...found) => {
    expect(await search(text)).toEqual((found as Name[]).map((name) => ids[name]).sort((a, b) => b - a))
  })

  it.each([
    '"bean soup',
    '"bean" "soup"',
    'bean* soup*',
    'bean, soup!',
    '(bean) & soup:*',
    'bean | soup',
    '-bean +soup',
    'bean\tsoup\n',
    '{bean soup}',
    'bean\\ soup\\',
    'bean <-> soup',
    '^bean soup',
    '\u202Ebean\u200B \uFEFFsoup',
  ])('signs mean nothing: %j', async (text) => {
    expect(await search(text)).toEqual([ids.soup])
  })

  it.each(['bean AND soup', 'bean OR soup', 'bean NOT soup', 'NEAR(bean soup, 5)', 'document:bean soup', "')) or 1=1--", '$1 ? :x'])(
    'words of a query language are words: %s',
    async (text) => {
      expect(await search(text)).toEqual([])
    },
  )

  it('accepts at most 200 characters', async () => {
    expect(await search(`soup ${'x'.repeat(195)}`)).toEqual([])
    expect(await search(`${'🌱'.repeat(199)}x`)).toEqual([])
    expect(await search(`  soup${' '.repeat(250)}`)).toEqual([ids.soup])
    for (const text of ['x'.repeat(201), '漢'.repeat(201), '🌱'.repeat(201)]) {
      const { data } = await refused(ana.api.feeds.list({ search: text }), 400, 'invalid_parameter')
      expect(data.field).toBe('search')
    }
    expect(await search(Array.from({ length: 100 }, () => 'z').join(' '))).toEqual([])
  })

  it('treats a search of spaces as none', async () => {
    const all = (await ana.api.feeds.list({ per_page: 100 })).feeds
    expect((await ana.api.feeds.list({ search: '   ', per_page: 100 })).feeds).toEqual(all)
    expect((await ana.api.feeds.list({ search: '', per_page: 100 })).feeds).toEqual(all)
  })
})

describe('results', () => {
  it('reflect the current text', async () => {
    const id = await post('firstmessage', 'firsttitle')
    await ana.api.feeds.update({ feed_id: id, title: 'secondtitle' })
    expect([await search('firsttitle'), await search('secondtitle'), await search('firstmessage')]).toEqual([[], [id], [id]])
    await ana.api.feeds.update({ feed_id: id, message: 'secondmessage' })
    expect([await search('firstmessage'), await search('secondmessage secondtitle')]).toEqual([[], [id]])
    await ana.api.feeds.update({ feed_id: id, title: null })
    expect(await search('secondtitle')).toEqual([])
    await ana.api.feeds.update({ feed_id: id, content_type: 'html', message: '<i title="invisibleword">visibleword</i>' })
    expect([await search('invisibleword'), await search('visibleword')]).toEqual([[], [id]])
    await ana.api.feeds.remove({ feed_id: id })
    expect(await search('visibleword')).toEqual([])
    const again = await post('another visibleword')
    expect(await search('visibleword')).toEqual([again])
  })

  it('contain only what the searcher may see, and so does the total', async () => {
    const space = await makeSpace(world, { privacy: 'private', members: [ana] })
    const admin = await world.member({ role: 'admin' })
    const hidden = await post('xylophone in a space', '', { space_id: space.id })
    const own = await post('xylophone for me', '', { privacy: 'private' })
    const draft = await post('xylophone draft', '', { status: 'draft' })
    const spam = await post('xylophone spam')
    await admin.api.feeds.update({ feed_id: spam, status: 'spam' })
    const expired = await post('xylophone gone', '', { expired_at: '2026-03-01 00:00:00' })
    const open = await post('xylophone for all')
    expect(await search('xylophone')).toEqual([open])
    expect(await search('xylophone', ana)).toEqual([open, own, hidden])
    expect(await search('xylophone', admin)).toEqual([open, own, hidden])
    expect(await search('xylophone', ana, { status: 'draft', user_id: ana.id })).toEqual([draft])
    expect(await search('xylophone', admin, { status: 'spam' })).toEqual([spam])
    expect(await search('xylophone', ana, { space: space.slug })).toEqual([hidden])
    expect(await search('xylophone', ben, { space: space.slug })).toEqual([])
    expect((await ana.api.feeds.byId({ feed_id: expired })).data.id).toBe(expired)
  })

  it('immediately include a private post of a followed member, until it moves to a space the follower cannot see', async () => {
    const kim = await world.member()
    const den = await makeSpace(world, { privacy: 'secret', members: [ana] })
    await kim.api.followers.follow({ username: ana.username })
    expect(await search('marimba', kim)).toEqual([])
    const first = await post('marimba for friends', '', { privacy: 'private' })
    expect([await search('marimba', kim), await search('marimba')]).toEqual([[first], []])
    const second = await post('marimba for friends', '', { privacy: 'private' })
    expect(await search('marimba', kim)).toEqual([second, first])
    await ana.api.feeds.update({ feed_id: first, space_id: den.id })
    expect(await search('marimba', kim)).toEqual([second])
    await kim.api.followers.unfollow({ username: ana.username })
    expect(await search('marimba', kim)).toEqual([])
  })

  it('come in the requested order, by pages and by cursors', async () => {
    const made: number[] = []
    for (const title of ['c', 'a', 'b', 'a', 'e', 'd', 'f']) made.push(await post('quagga', title))
    for (const order_by_type of FEED_ORDERS) {
      const whole = await search('quagga', ben, { order_by_type })
      expect(whole.toSorted((a, b) => a - b)).toEqual(made)
      const byPage: number[] = []
      for (let page = 1; page <= 4; page++) {
        const { feeds } = await ben.api.feeds.list({ search: 'quagga', order_by_type, per_page: 2, page })
        expect([feeds.total, feeds.has_more]).toEqual([7, page < 4])
        byPage.push(...feeds.data.map(({ id }) => id))
      }
      const byCursor: number[] = []
      for await (const { feeds } of pages(ben.api.feeds.list, { search: 'quagga', order_by_type, per_page: 3 })) {
        expect(feeds.total).toBe(7)
        byCursor.push(...feeds.data.map(({ id }) => id))
      }
      expect([byPage, byCursor]).toEqual([whole, whole])
    }
    const titles = (await ben.api.feeds.list({ search: 'quagga', order_by_type: 'alphabetical' })).feeds.data.map(({ title }) => title)
    expect(titles).toEqual(['a', 'a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('immediately include a new feed despite concurrent writes', async () => {
    const words = Array.from({ length: 30 }, (_, i) => `parallel${'abcdefghij'[i % 10]}${i}`)
    const ids = await Promise.all(words.map((word) => post(word)))
    for (const [i, word] of words.entries()) expect(await search(word)).toContain(ids[i])
    await Promise.all(
      ids.map((feed_id, i) => (i % 2 ? ana.api.feeds.remove({ feed_id }) : ana.api.feeds.update({ feed_id, message: `changed${i}` }))),
    )
    expect(await search('parallel')).toEqual([])
    expect(await search('changed')).toHaveLength(15)
  })
})
