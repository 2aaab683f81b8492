import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsWith, grant, makeSpace, type Space } from '#test/fixtures.ts'
import { asFile } from '#test/media.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

let world: World
let admin: Member
let moderator: Member
let keeper: Member
let author: Member
let reader: Member
let space: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  keeper = await world.member()
  author = await world.member()
  reader = await world.member()
  space = await makeSpace(world, { members: [author, reader, moderator], moderators: [keeper] })
})
afterAll(() => world.close())

const OFF = { spam_detection: false, profanity_filter: false, link_moderation: false }
beforeEach(async () => {
  await admin.api.moderation.saveConfig({
    auto_moderation: { ...OFF, enabled: true, profanity_filter: true, link_moderation: true },
    blocked_words: ['foulword'],
    blocked_domains: ['evil.example'],
    trusted_users: [],
  })
})

const create = async (message: string, more = {}, who = author) =>
  (await who.api.feeds.create({ message, space_id: space.id, ...more })).data
const statusOf = async (message: string, more = {}, who = author) => (await create(message, more, who)).status
const setting = (changes: object) => world.app.write(null, (ctx) => saveSettings(ctx, changes))

describe('texts without a status', () => {
  const CLEAN = { display_name: 'Ann Author', bio: '', website: '' }

  test.each([
    ['display_name', { display_name: 'Foul Word the f0ulword' }],
    ['first_name', { first_name: 'Foulword' }],
    ['bio', { bio: 'I like foul\nword, and more' }],
    ['bio', { bio: 'Buy at evil . example' }],
    ['location', { location: 'ꜰᴏᴜʟᴡᴏʀᴅ' }],
    ['website', { website: 'https://shop.evil.example/x' }],
    ['social_links.twitter', { social_links: { twitter: 'https://evil.example/ann' } }],
  ])('a blocked word or domain in %s of a profile is refused', async (field, body) => {
    const before = (await author.api.profiles.get({ username: 'me' })).profile
    const error = await refused(author.api.profiles.update({ username: 'me', ...body }), 400, 'invalid_data')
    expect(Object.keys((error.data as { errors: object }).errors)).toEqual([field])
    expect((await author.api.profiles.get({ username: 'me' })).profile).toEqual(before)
  })

  test('other profiles are saved, and staff are not screened', async () => {
    await author.api.profiles.update({ username: 'me', ...CLEAN, bio: 'Classic assassin, good.example' })
    await admin.api.profiles.update({ username: 'me', bio: 'Do not say foulword' })
  })

  test('a blocked word in a space title is refused for space managers, not for staff', async () => {
    const own = await makeSpace(world, { admins: [keeper] })
    const error = await refused(keeper.api.spaces.updateById({ space_id: own.id, title: 'Foulword club' }), 400, 'invalid_data')
    expect(error.data).toMatchObject({ errors: { title: expect.any(String) } })
    await refused(keeper.api.spaces.updateById({ space_id: own.id, description: 'see evil.example' }), 400, 'invalid_data')
    await keeper.api.spaces.updateById({ space_id: own.id, description: 'A quiet place' })
  })

  test('a blocked word in the name of a file is refused', async () => {
    const upload = (name: string) => author.api.media.upload({ file: asFile('%PDF-1.7 nothing', name) })
    await refused(upload('foulword.pdf'), 400, 'invalid_data')
    expect((await upload('minutes.pdf')).data.id).toBeGreaterThan(0)
  })
})

describe('feeds', () => {
  test('a blocked word holds the feed, visible only to author and moderators', async () => {
    const { id, status } = await create('a FoulWord here')
    expect(status).toBe('pending')
    expect((await author.api.feeds.byId({ feed_id: id })).data.status).toBe('pending')
    for (const who of [moderator, keeper, admin]) expect((await who.api.feeds.byId({ feed_id: id })).data.status).toBe('pending')
    await refused(reader.api.feeds.byId({ feed_id: id }), 404, 'feed_not_found')
    expect(await eventsWith(world, { feed_id: id })).toEqual([])
    await refused(author.api.feeds.update({ feed_id: id, status: 'published' }), 403, 'rest_forbidden')
    await moderator.api.feeds.update({ feed_id: id, status: 'published' })
    await reader.api.feeds.byId({ feed_id: id })
    expect(await eventsWith(world, { feed_id: id })).toEqual(['feed.published'])
  })

  test.each([
    ['the title', 'Hello', { title: 'A foulword' }],
    ['a word with markup inside', 'foul**word**', { content_type: 'markdown' }],
    ['HTML', '<p>foul<b>word</b></p>', { content_type: 'html' }],
    [
      'the question of a survey',
      'Hello',
      {
        meta: {
          survey: {
            question: 'foulword?',
            options: [
              { slug: 'a', label: 'A' },
              { slug: 'b', label: 'B' },
            ],
          },
        },
      },
    ],
    [
      'an option of a survey',
      'Hello',
      {
        meta: {
          survey: {
            question: 'Q',
            options: [
              { slug: 'a', label: 'foulword' },
              { slug: 'b', label: 'B' },
            ],
          },
        },
      },
    ],
    ['the title of a GIF', 'Hello', { meta: { gif: { url: 'https://good.example/x.gif', title: 'foulword' } } }],
    ...['// foulword', 'https://good.example foulword', '//foulword'].map(
      (label) =>
        [
          `an option that begins like an address: ${label}`,
          'Hello',
          {
            meta: {
              survey: {
                question: 'Q',
                options: [
                  { slug: 'a', label },
                  { slug: 'b', label: 'B' },
                ],
              },
            },
          },
        ] as [string, string, object],
    ),
    ['what stands for a picture', '![a foulword](https://good.example/x.png)', { content_type: 'markdown' }],
    ['the title of a link', '<a href="https://good.example" title="foulword">x</a>', { content_type: 'html' }],
    ['a long form', '<abbr title="see evil.example">x</abbr>', { content_type: 'html' }],
    ['a blocked domain', 'see https://sub.evil.example/x', {}],
    ['a link to one', '[good](https://evil.example)', { content_type: 'markdown' }],
    ['a picture from one', 'Hello', { featured_image: 'https://evil.example/x.png' }],
    ['a GIF from one', 'Hello', { meta: { gif: { url: 'https://evil.example/x.gif' } } }],
  ])('%s', async (_name, message, more) => {
    expect(await statusOf(message, more)).toBe('pending')
  })

  test('anything else is published', async () => {
    for (const message of ['Hello', 'Scunthorpe', 'see https://good.example', 'two https://a.example https://b.example'])
      expect(await statusOf(message), message).toBe('published')
  })

  test('an edit is screened if it changes the content', async () => {
    const { id } = await create('Good')
    const { message } = await author.api.feeds.update({ feed_id: id, message: 'now a foulword' })
    expect(message).toBe('The feed is waiting for approval.')
    expect((await author.api.feeds.byId({ feed_id: id })).data.status).toBe('pending')
    expect(await eventsWith(world, { feed_id: id })).toEqual(['feed.published', 'feed.hidden'])
    await refused(reader.api.feeds.byId({ feed_id: id }), 404, 'feed_not_found')
    const other = await create('Good')
    await author.api.feeds.update({ feed_id: other.id, title: 'foulword' })
    expect((await author.api.feeds.byId({ feed_id: other.id })).data.status).toBe('pending')
  })

  test('content approved by a moderator stays published until it changes', async () => {
    const { id } = await create('foulword')
    await moderator.api.feeds.update({ feed_id: id, status: 'published' })
    await author.api.feeds.update({ feed_id: id, expired_at: '2031-01-01 00:00:00' })
    expect((await reader.api.feeds.byId({ feed_id: id })).data.status).toBe('published')
    await author.api.feeds.update({ feed_id: id, message: 'foulword once more' })
    expect((await author.api.feeds.byId({ feed_id: id })).data.status).toBe('pending')
  })

  test('the URL of an image is not text', async () => {
    const url = 'https://good.example/foulword.png'
    expect(await statusOf('Hello', { meta: { gif: { url }, media_items: [{ url }], preview: { url, image: url } } })).toBe('published')
  })

  test('a feed moved out of the moderator’s space is screened', async () => {
    const { id, status } = await create('foulword', {}, keeper)
    expect(status).toBe('published')
    await keeper.api.feeds.update({ feed_id: id, space_id: null })
    expect((await keeper.api.feeds.byId({ feed_id: id })).data).toMatchObject({ status: 'pending', space_id: null })
    await refused(reader.api.feeds.byId({ feed_id: id }), 404, 'feed_not_found')
    const harmless = await create('Good', {}, keeper)
    await keeper.api.feeds.update({ feed_id: harmless.id, space_id: null })
    expect((await reader.api.feeds.byId({ feed_id: harmless.id })).data.status).toBe('published')
  })

  test('drafts are screened when published', async () => {
    const { id, status } = await create('foulword', { status: 'draft' })
    expect(status).toBe('draft')
    await author.api.feeds.update({ feed_id: id, status: 'published' })
    expect((await author.api.feeds.byId({ feed_id: id })).data.status).toBe('pending')
  })

  test('scheduled feeds are screened when due', async () => {
    const { id, status } = await create('foulword', { status: 'scheduled', scheduled_at: '2026-03-10 13:00:00' })
    expect(status).toBe('scheduled')
    world.clock.advance(2 * 3600)
    await world.runPendingJobs()
    expect((await author.api.feeds.byId({ feed_id: id })).data.status).toBe('pending')
    expect((await moderator.api.moderation.queue({ per_page: 100 })).items.find(({ object_id }) => object_id === id)?.reason).toBe('word')
  })

  test('newcomers may link to two sites', async () => {
    const message = 'https://a.example https://b.example https://c.example'
    expect(await statusOf(message, {}, reader)).toBe('pending')
    for (let i = 0; i < 4; i++) await create(`Hello ${i}`, {}, reader)
    expect(await statusOf(message, {}, reader)).toBe('published')
  })
})

describe('comments', () => {
  test('are held without counters or events', async () => {
    const feed = await create('Good')
    const { message, data } = await author.api.comments.create({ feed_id: feed.id, comment: 'f o u l w o r d' })
    expect([message, data.status]).toEqual(['The comment is waiting for approval.', 'pending'])
    expect((await reader.api.feeds.byId({ feed_id: feed.id })).data.comments_count).toBe(0)
    await refused(reader.api.comments.byId({ comment_id: data.id }), 404, 'comment_not_found')
    expect(await eventsWith(world, { comment_id: data.id })).toEqual([])
    await moderator.api.comments.update({ feed_id: feed.id, comment_id: data.id, status: 'published' })
    expect((await reader.api.feeds.byId({ feed_id: feed.id })).data.comments_count).toBe(1)
    await author.api.comments.update({ feed_id: feed.id, comment_id: data.id, comment: 'still a foulword' })
    expect((await author.api.comments.byId({ comment_id: data.id })).data.status).toBe('pending')
    expect((await reader.api.feeds.byId({ feed_id: feed.id })).data.comments_count).toBe(0)
  })

  test('unchanged text is not screened again', async () => {
    const feed = await create('Good')
    const { data } = await author.api.comments.create({ feed_id: feed.id, comment: 'foulword' })
    await moderator.api.comments.update({ feed_id: feed.id, comment_id: data.id, status: 'published' })
    await author.api.comments.update({ feed_id: feed.id, comment_id: data.id, comment: 'foulword' })
    expect((await reader.api.comments.byId({ comment_id: data.id })).data.status).toBe('published')
  })

  test('images from blocked domains are held', async () => {
    const feed = await create('Good')
    const { data } = await author.api.comments.create({ feed_id: feed.id, comment: '', media_images: ['https://evil.example/x.png'] })
    expect(data.status).toBe('pending')
  })
})

describe('exempt from screening', () => {
  test('administrators, moderators, and moderators of the space', async () => {
    for (const who of [admin, moderator, keeper]) expect(await statusOf('foulword', {}, who)).toBe('published')
  })

  test('managers of one space are ordinary members in others, and so are analysts', async () => {
    const scoped = await world.member({ role: 'moderator' })
    const analyst = await world.member({ role: 'manager' })
    const theirs = await makeSpace(world, { members: [scoped] })
    await grant(world, scoped, ['manage_comments', 'resolve_reports'], [theirs])
    await grant(world, analyst, ['view_analytics'])
    expect(await statusOf('foulword', { space_id: theirs.id }, scoped)).toBe('published')
    for (const who of [scoped, analyst]) expect(await statusOf('foulword', { space_id: null }, who)).toBe('pending')
  })

  test('trusted members, unless disabled', async () => {
    await admin.api.moderation.saveConfig({ trusted_users: [author.id] })
    expect(await statusOf('foulword')).toBe('published')
    await setting({ auto_approve_trusted_users: false })
    expect(await statusOf('foulword')).toBe('pending')
    await setting({ auto_approve_trusted_users: true })
  })
})

describe('switches', () => {
  test.each([
    ['enabled', { enabled: false }, ['published', 'published']],
    ['profanity_filter', { profanity_filter: false }, ['published', 'pending']],
    ['link_moderation', { link_moderation: false }, ['pending', 'published']],
  ])('%s off', async (_name, auto_moderation, statuses) => {
    await admin.api.moderation.saveConfig({ auto_moderation })
    expect([await statusOf('foulword'), await statusOf('https://evil.example')]).toEqual(statuses)
  })

  test('a changed list applies to the next request', async () => {
    expect(await statusOf('otherword')).toBe('published')
    await admin.api.moderation.saveConfig({ blocked_words: ['otherword'] })
    expect([await statusOf('otherword'), await statusOf('foulword')]).toEqual(['pending', 'published'])
  })

  test('nothing is held while the feature is disabled', async () => {
    await setting({ features: { moderation: false } })
    expect(await statusOf('foulword')).toBe('published')
    for (const call of [
      () => author.api.moderation.report({ object_id: 1, object_type: 'feed', reason: 'spam' }),
      () => admin.api.moderation.reports(),
      () => admin.api.moderation.config(),
      () => admin.api.moderation.saveConfig({}),
      () => admin.api.moderation.queue(),
    ])
      await refused(call(), 403, 'pro_feature_required')
    await setting({ features: { moderation: true } })
    expect(await statusOf('foulword')).toBe('pending')
  })

  test('moderate_posts and moderate_comments hold all content of members', async () => {
    const feed = await create('Good')
    await setting({ moderate_posts: true, moderate_comments: true })
    expect(await statusOf('Good')).toBe('pending')
    expect(await statusOf('Good', {}, moderator)).toBe('published')
    expect((await author.api.comments.create({ feed_id: feed.id, comment: 'Good' })).data.status).toBe('pending')
    await author.api.feeds.update({ feed_id: feed.id, message: 'Better' })
    expect((await reader.api.feeds.byId({ feed_id: feed.id })).data.status).toBe('published')
    await setting({ moderate_posts: false, moderate_comments: false })
    expect(await statusOf('Good')).toBe('published')
  })
})

describe('spam', () => {
  test('repeated content is spam while spam detection is enabled', async () => {
    const text = 'The very best offer in town, come and look at my page today'
    const spammer = await world.member()
    await world.app.write(null, ({ db, now }) =>
      db
        .insertInto('space_members')
        .values({ space_id: space.id, user_id: spammer.id, role: 'member', joined_at: now, updated_at: now })
        .execute(),
    )
    const four = async () => {
      const statuses = []
      for (let i = 0; i < 4; i++) statuses.push(await statusOf(`${text} ${i}`, {}, spammer))
      return statuses
    }
    expect(await four()).toEqual(['published', 'published', 'published', 'published'])
    await admin.api.moderation.saveConfig({ auto_moderation: { spam_detection: true } })
    expect(await statusOf(text, {}, spammer)).toBe('spam')
    const feed = await create('Good')
    expect((await spammer.api.comments.create({ feed_id: feed.id, comment: text })).data.status).toBe('spam')
    expect(await statusOf('Something else entirely', {}, spammer)).toBe('published')
    await setting({ spam_protection: false })
    expect(await statusOf(text, {}, spammer)).toBe('published')
    await setting({ spam_protection: true })
  })
})

test.runIf(process.env['LYCEUM_TEST_DATABASE'] !== 'postgres')(
  'screening an author’s recent content reads rows by index, in order',
  async () => {
    await admin.api.moderation.saveConfig({ auto_moderation: { spam_detection: true } })
    const writer = await world.app.services.database.write(async (db) => db)
    const feed = await create('Good')
    const writes = [
      () => create('Another good one with https://a.example https://b.example https://c.example'),
      () => author.api.comments.create({ feed_id: feed.id, comment: 'foulword' }),
      () => reader.api.moderation.report({ object_id: feed.id, object_type: 'feed', reason: 'spam' }),
    ]
    let seen = 0
    for (const write of writes) {
      for (const { sql, steps } of await plansOf(writer, write)) {
        if (!/holds|reports|moderation_config|as html|as pieces/.test(sql)) continue
        const bad = steps.filter((step) => /^SCAN (?!k$|\(subquery)/.test(step) || step.includes('TEMP B-TREE FOR ORDER'))
        expect({ sql, bad }).toEqual({ sql, bad: [] })
        seen += 1
      }
    }
    expect(seen).toBeGreaterThanOrEqual(8)
  },
)
