import type { Inputs } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { eventsWith, grant, makeSpace, type Space } from '#test/fixtures.ts'
import { unsafeParts } from '#test/html-oracle.ts'
import { createWorld, type Member, type RawAnswer, refused, type World } from '#test/world.ts'

type Create = Inputs['feeds']['create']

const ROLES = ['outsider', 'member', 'spaceModerator', 'spaceAdmin', 'moderator', 'manager', 'elsewhere', 'admin'] as const
type Role = (typeof ROLES)[number]

let world: World
let people: Record<Role, Member>
let space: Space

const spaceOf = (options: Parameters<typeof makeSpace>[1] = {}) =>
  makeSpace(world, { members: [people.member], moderators: [people.spaceModerator], admins: [people.spaceAdmin], ...options })

beforeAll(async () => {
  world = await createWorld()
  people = {
    outsider: await world.member(),
    member: await world.member({ username: 'mia' }),
    spaceModerator: await world.member(),
    spaceAdmin: await world.member(),
    moderator: await world.member({ role: 'moderator' }),
    manager: await world.member({ role: 'manager' }),
    elsewhere: await world.member({ role: 'manager' }),
    admin: await world.member({ role: 'admin' }),
  }
  await grant(world, people.elsewhere, ['manage_feeds', 'pin_feeds', 'resolve_reports', 'moderate_spaces'], [await makeSpace(world)])
  space = await spaceOf()
})
afterAll(async () => {
  await world.runPendingJobs()
  await expectSound(world)
  await world.close()
})

const post = (who: Member, body: object): Promise<RawAnswer> => who.raw('POST', '/feeds', body)
const read = async (who: Member, feed_id: number) => (await who.api.feeds.byId({ feed_id })).data
const create = async (who: Member, body: Create) => read(who, (await who.api.feeds.create(body)).data.id)
const countRows = async () => {
  const db = world.app.services.database.read
  const { n } = await db
    .selectFrom('feeds')
    .select((of) => of.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Sends a request that must be refused, and asserts that nothing was stored. */
const refuse = async (who: Member, body: object, status: number, code: string): Promise<RawAnswer> => {
  const before = await countRows()
  const answer = await post(who, body)
  expect({ body, status: answer.status, code: answer.body?.code }).toEqual({ body, status, code })
  expect(await countRows()).toBe(before)
  return answer
}

describe('the fields sent', () => {
  it('are returned unchanged', async () => {
    const sent = {
      title: 'Which bed first?',
      message: 'The **north** one',
      content_type: 'markdown',
      type: 'question',
      space_id: space.id,
      privacy: 'private',
      status: 'published',
      featured_image: 'https://example.org/bed.png',
      expired_at: '2026-04-01T09:30:00',
      meta: { color: 'green' },
    } as const
    const { status, body } = await people.member.api.feeds.create.answer(sent)
    expect(status).toBe(201)
    const { id } = body.data
    const created_at = '2026-03-10 12:00:00'
    expect(body).toEqual({
      message: 'The feed was published.',
      data: {
        id,
        title: sent.title,
        slug: expect.stringMatching(/^which-bed-first/),
        message: sent.message,
        status: 'published',
        created_at,
      },
    })
    const feed = await read(people.member, id)
    expect(feed).toMatchObject({
      ...sent,
      id,
      user_id: people.member.id,
      expired_at: '2026-04-01 09:30:00',
      parent_id: 0,
      is_sticky: false,
      priority: 0,
      scheduled_at: null,
      comments_count: 0,
      reactions_count: 0,
      created_at,
      updated_at: created_at,
      permalink: `${world.origin}/spaces/${space.slug}/feeds/${feed.slug}`,
      space: { id: space.id, slug: space.slug },
      xprofile: { user_id: people.member.id, username: 'mia' },
      terms: [],
      comments: [],
      reactions: [],
      has_user_react: null,
      bookmarked: false,
    })
    expect(feed.message_rendered).toBe('<p>The <strong>north</strong> one</p>')
    expect((await people.member.api.feeds.bySlug({ feed_slug: feed.slug })).data).toEqual(feed)
  })

  it('have defaults', async () => {
    const feed = await create(people.outsider, { message: 'Just this' })
    expect(feed).toMatchObject({ title: '', slug: 'just-this', type: 'feed', content_type: 'text', privacy: 'public', status: 'published' })
    expect(feed).toMatchObject({ space_id: null, space: null, featured_image: null, expired_at: null, scheduled_at: null, meta: {} })
    expect(feed.permalink).toBe(`${world.origin}/feeds/just-this`)
    expect(await create(people.outsider, { message: 'x', title: null, space_id: null, featured_image: '' })).toMatchObject({
      title: '',
      space_id: null,
      featured_image: null,
    })
  })

  it('include both type names of a plain feed', async () => {
    expect((await create(people.member, { message: 'x', type: 'feed' })).type).toBe('feed')
    expect((await create(people.member, { message: 'x', type: 'text' })).type).toBe('text')
  })

  it('cannot set the author or the parent', async () => {
    const body = { message: 'x', user_id: people.admin.id, parent_id: 1, reactions_count: 9, comments_count: 9, slug: 'mine', id: 1 }
    const feed = await read(people.member, (await post(people.member, body)).body.data.id)
    expect(feed).toMatchObject({ user_id: people.member.id, parent_id: 0, reactions_count: 0, comments_count: 0 })
    expect(feed.slug).not.toBe('mine')
  })

  it.each([
    'plain',
    '  spaces around  \n',
    'line\r\nbreaks\r\n\ttabs',
    '<script>alert(1)</script>',
    '&lt;b&gt; &amp; "quotes" \'\'',
    "Robert'); drop table feeds;--",
    '$1 $2 ? :name %s {0} %1',
    'Ünïcode e\u0301 ﬁ Ⅷ ㎏',
    '漢字かな交じり文',
    'مرحبا بالعالم',
    'Привет, мир',
    '🧑‍🚀👩🏽‍🌾🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '\u202Eright to left\u202C \u200B\u2060',
    'Ť̷͉h̴̰e̷ ̸c̵o̴m̷b̶',
    'a'.repeat(12_000),
    '\\ \\n \\u0000',
  ])('a text is stored as it was sent: %j', async (text) => {
    const feed = await create(people.member, { message: text, title: text.slice(0, 100).toWellFormed() })
    expect([feed.message, feed.title]).toEqual([text, text.slice(0, 100).toWellFormed()])
  })
})

describe('limits', () => {
  it('a title has at most 192 characters, counted as code points', async () => {
    for (const letter of ['a', 'é', '漢', '🌱']) {
      const title = letter.repeat(192)
      expect((await create(people.member, { message: 'x', title })).title).toBe(title)
      const { body } = await refuse(people.member, { message: 'x', title: title + letter }, 400, 'invalid_content')
      expect(body.data).toEqual({ status: 400, field: 'title' })
    }
  })

  it('a message has at most 64,000 bytes', async () => {
    for (const letter of ['a', 'é', '漢', '🌱']) {
      const message = letter.repeat(Math.floor(64_000 / Buffer.byteLength(letter)))
      expect((await create(people.member, { message })).message).toBe(message)
      const { body } = await refuse(people.member, { message: `${message}aaa` }, 400, 'invalid_content')
      expect(body.data).toEqual({ status: 400, field: 'message' })
    }
  })

  it.each([
    {},
    { message: '' },
    { message: '   ' },
    { message: '\n\t \u00a0\ufeff' },
    { message: null },
    { message: 5 },
    { message: ['x'] },
  ])('a message must say something: %j', async (body) => {
    await refuse(people.member, { title: 'T', ...body }, 400, 'invalid_content')
  })

  it.each([
    ['type', 'nonsense'],
    ['type', 'constructor'],
    ['type', 'course_lesson'],
    ['content_type', 'pdf'],
    ['content_type', 7],
    ['privacy', 'secret'],
    ['status', 'deleted'],
    ['status', 'PUBLISHED'],
    ['space_id', 'x'],
    ['space_id', 0],
    ['space_id', 1.5],
    ['priority', '1.5'],
    ['priority', '1001'],
    ['priority', 1001],
    ['is_sticky', 'yes'],
    ['expired_at', 'tomorrow'],
    ['expired_at', '2026-02-30 10:00:00'],
    ['expired_at', '2026-03-10 25:00:00'],
    ['topics', 'x'],
    ['topics', [0]],
    ['meta', [1]],
    ['meta', 'x'],
  ])('%s cannot be %j', async (field, value) => {
    const { body } = await refuse(people.admin, { message: 'x', [field]: value }, 400, 'invalid_data')
    expect(Object.keys(body.data.errors).map((name) => name.split('.')[0])).toEqual([field])
  })

  it.each([
    'type',
    'content_type',
    'privacy',
    'status',
    'meta',
    'space_id',
    'space',
    'scheduled_at',
    'expired_at',
    'topics',
    'is_sticky',
    'priority',
  ])('%s may be sent as null or empty, which says nothing', async (field) => {
    const plain = await create(people.member, { message: 'x' })
    for (const value of field === 'meta' ? [null, '', []] : [null, '']) {
      const { status, body } = await post(people.member, { message: 'x', [field]: value })
      expect([field, value, status]).toEqual([field, value, 201])
      const { id, slug, permalink, ...rest } = await read(people.member, body.data.id)
      expect({ id, slug, permalink, ...rest }).toEqual({ ...plain, id, slug, permalink })
    }
  })

  it.each([
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    'file:///etc/passwd',
    'ftp://example.org/a',
    '//example.org/a.png',
    '/a.png',
    'x',
  ])('featured_image cannot be %s', async (featured_image) => {
    const { body } = await refuse(people.member, { message: 'x', featured_image }, 400, 'invalid_url')
    expect(body.data).toEqual({ status: 400, field: 'featured_image' })
  })

  it.each(['http://example.org/a.png', 'https://example.org:8443/a%20b.png?x=1#y', 'https://пример.example/a.png'])(
    'featured_image can be %s',
    async (featured_image) => {
      expect((await create(people.member, { message: 'x', featured_image })).featured_image).toBe(featured_image)
    },
  )
})

describe('status', () => {
  const HOLDERS: readonly Role[] = ['spaceModerator', 'spaceAdmin', 'manager', 'admin']

  it.each(['draft', 'scheduled', 'pending', 'spam'] as const)('%s can be set by those with permission', async (status) => {
    const body = { message: 'x', space_id: space.id, status, scheduled_at: '2026-03-10 12:00:01' }
    for (const role of ['member', ...HOLDERS] as const) {
      const free = status === 'draft' || status === 'scheduled' || role !== 'member'
      const answer = await post(people[role], body)
      expect({ role, status: answer.status }).toEqual({ role, status: free ? 201 : 403 })
      if (!free) continue
      expect(answer.body.data.status).toBe(status)
      const feed = await read(people[role], answer.body.data.id)
      expect([feed.status, feed.scheduled_at]).toEqual([status, status === 'scheduled' ? body.scheduled_at : null])
      expect(await eventsWith(world, { feed_id: feed.id })).toEqual([])
    }
  })

  it.each([
    undefined,
    null,
    '2026-03-10 11:59:59',
    '2026-03-10 12:00:00',
    '2026-02-30 10:00:00',
    '2026-04-01',
    'soon',
    5,
    '2026-04-01 10:00:00+02',
  ])('scheduled refuses scheduled_at %j', async (scheduled_at) => {
    await refuse(people.member, { message: 'x', status: 'scheduled', scheduled_at }, 400, 'invalid_scheduled_time')
  })

  it('accepts both datetime formats', async () => {
    const feed = await create(people.member, { message: 'x', status: 'scheduled', scheduled_at: '2026-04-01T10:00:00' })
    expect(feed.scheduled_at).toBe('2026-04-01 10:00:00')
  })

  it('emits an event only for published feeds', async () => {
    const published = await create(people.member, { message: 'x' })
    expect(await eventsWith(world, { feed_id: published.id })).toEqual(['feed.published'])
    const draft = await create(people.member, { message: 'x', status: 'draft' })
    expect(await eventsWith(world, { feed_id: draft.id })).toEqual([])
  })
})

describe('highlights', () => {
  const marks = [{ is_sticky: true }, { is_sticky: 1 }, { type: 'announcement' }, { priority: 9 }, { priority: -1 }] as const

  it.each(marks)('%j needs pin permission in the space', async (mark) => {
    for (const role of ['member', 'spaceModerator', 'spaceAdmin', 'moderator', 'manager', 'admin'] as const) {
      // A moderator who only approves content cannot post in spaces they have not joined.
      const posts = !['moderator'].includes(role)
      const allowed = posts && role !== 'member'
      const answer = await post(people[role], { message: 'x', space_id: space.id, ...mark })
      expect({ role, status: answer.status }).toEqual({ role, status: allowed ? 201 : 403 })
      if (allowed)
        expect(await read(people[role], answer.body.data.id)).toMatchObject({ ...mark, ...('is_sticky' in mark && { is_sticky: true }) })
    }
  })

  it.each(marks)('%j outside of spaces needs pin permission everywhere', async (mark) => {
    for (const role of ROLES) {
      const answer = await post(people[role], { message: 'x', ...mark })
      expect({ role, status: answer.status }).toEqual({ role, status: role === 'manager' || role === 'admin' ? 201 : 403 })
    }
  })

  it('a permission counts only in the spaces it is limited to', async () => {
    const here = await spaceOf()
    const pinner = await world.member({ role: 'manager' })
    await grant(world, pinner, ['pin_feeds', 'manage_feeds'], [here])
    expect((await post(pinner, { message: 'x', space_id: here.id, is_sticky: true })).status).toBe(201)
    await refuse(pinner, { message: 'x', space_id: space.id, is_sticky: true }, 403, 'rest_forbidden')
    await refuse(pinner, { message: 'x', is_sticky: true }, 403, 'rest_forbidden')
    expect((await post(pinner, { message: 'x', is_sticky: false, priority: 0, type: 'question' })).status).toBe(201)
  })
})

describe('in a space', () => {
  const place = (where: Space, who: Member, status: 'pending' | 'banned') =>
    world.app.write(null, async ({ db, now }) => {
      await db
        .insertInto('space_members')
        .values({ space_id: where.id, user_id: who.id, status, joined_at: now, updated_at: now })
        .execute()
    })
  const statuses = async (where: Space) => {
    const found: Partial<Record<Role, number>> = {}
    for (const role of ROLES) {
      const answer = await post(people[role], { message: `by ${role}`, space_id: where.id })
      found[role] = answer.status
      if (answer.status === 404) {
        const missing = await post(people[role], { message: `by ${role}`, space_id: 987_654_321 })
        expect({ status: answer.status, text: answer.text }).toEqual({ status: missing.status, text: missing.text })
        expect(answer.body.code).toBe('space_not_found')
      } else if (answer.status !== 201) expect(answer.body.code).toBe('rest_forbidden')
    }
    return found
  }
  const insiders = { member: 201, spaceModerator: 201, spaceAdmin: 201, manager: 201, admin: 201 }

  it.each(['public', 'private', 'secret'] as const)('a %s one accepts posts of members and content staff', async (privacy) => {
    const stranger = privacy === 'secret' ? 404 : 403
    expect(await statuses(await spaceOf({ privacy }))).toEqual({ ...insiders, moderator: 403, outsider: stranger, elsewhere: stranger })
  })

  it('an archived one accepts no posts', async () => {
    expect(new Set(Object.values(await statuses(await spaceOf({ status: 'archived' }))))).toEqual(new Set([403]))
  })

  it('a draft one is visible to its staff and accepts no posts', async () => {
    const found = await statuses(await spaceOf({ status: 'draft' }))
    expect(found).toEqual({
      spaceModerator: 403,
      spaceAdmin: 403,
      moderator: 403,
      manager: 403,
      admin: 403,
      outsider: 404,
      member: 404,
      elsewhere: 404,
    })
  })

  it.each([{ restricted_post_only: 'yes' }, { allow_posts: false }, { post_permissions: ['moderator'] }, { verified_post_only: 'yes' }])(
    'with %j members only read',
    async (settings) => {
      expect(await statuses(await spaceOf({ settings }))).toEqual({
        ...insiders,
        member: 403,
        outsider: 403,
        moderator: 403,
        elsewhere: 403,
      })
    },
  )

  it('pending and banned members cannot post', async () => {
    const here = await spaceOf({ privacy: 'secret' })
    const [waiting, banned] = [await world.member(), await world.member()]
    await place(here, waiting, 'pending')
    await place(here, banned, 'banned')
    await refuse(waiting, { message: 'x', space_id: here.id }, 404, 'space_not_found')
    await refuse(banned, { message: 'x', space_id: here.id }, 404, 'space_not_found')
  })

  it('posts wait for approval where the space requires it', async () => {
    const here = await spaceOf({ settings: { require_approval: true } })
    for (const role of ['member', 'spaceModerator', 'spaceAdmin', 'manager', 'admin'] as const) {
      const { body } = await post(people[role], { message: 'x', space_id: here.id })
      expect({ role, status: body.data.status }).toEqual({ role, status: role === 'member' ? 'pending' : 'published' })
      if (role !== 'member') continue
      expect(body.message).toBe('The feed is waiting for approval.')
      expect(await eventsWith(world, { feed_id: body.data.id })).toEqual([])
    }
    const { body } = await post(people.member, { message: 'x', space_id: here.id, status: 'draft' })
    expect(body.data.status).toBe('draft')
  })

  it('requires authentication', async () => {
    await refused(world.anonymous.feeds.create({ message: 'x' }), 401, 'rest_forbidden')
  })
})

describe('the slug', () => {
  it('does not reveal hidden feeds: they never take the plain slug', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [people.member] })
    const title = 'Merger with the northern branch'
    const hidden = [
      { space_id: secret.id },
      { privacy: 'private' },
      { status: 'draft' },
      { status: 'scheduled', scheduled_at: '2031-01-01 00:00:00' },
    ] as const
    for (const where of hidden)
      expect((await create(people.member, { message: 'x', title, ...where })).slug).toMatch(/^merger-with-the-northern-branch-[a-z2-7]{6}$/)
    const stranger = await world.member()
    expect((await create(stranger, { message: 'x', title })).slug).toBe('merger-with-the-northern-branch')
  })

  it('is derived from the title or, without one, from the first words', async () => {
    expect((await create(people.member, { message: 'x', title: 'Grüße & Küsse!' })).slug).toBe('grusse-kusse')
    expect((await create(people.member, { message: 'one two three four five six seven eight nine ten' })).slug).toBe(
      'one-two-three-four-five-six-seven-eight',
    )
    expect((await create(people.member, { message: 'First words', title: '   ' })).slug).toBe('first-words')
  })

  it('is generated if the text has no usable characters', async () => {
    for (const title of ['漢字', '🌱🌱', '!!!', 'مرحبا']) {
      const { slug } = await create(people.member, { message: title, title })
      expect(slug).toMatch(/^feed-[a-z2-7]{6}$/)
      expect((await people.member.api.feeds.bySlug({ feed_slug: slug })).data.title).toBe(title)
    }
  })

  it('is unique for 50 concurrent requests', async () => {
    const before = await countRows()
    const made = await Promise.all(Array.from({ length: 50 }, () => people.member.api.feeds.create({ message: 'x', title: 'At once' })))
    const slugs = made.map(({ data }) => data.slug)
    expect(new Set(slugs).size).toBe(50)
    expect(slugs.filter((slug) => slug === 'at-once')).toHaveLength(1)
    for (const slug of slugs) expect(slug).toMatch(/^at-once(-[a-z2-7]{6})?$/)
    expect(await countRows()).toBe(before + 50)
  })

  it('may look like a number, but an id never matches it', async () => {
    const feed = await create(people.member, { message: 'x', title: '2026' })
    expect((await people.member.api.feeds.bySlug({ feed_slug: '2026' })).data.id).toBe(feed.id)
    await refused(people.member.api.feeds.byId({ feed_id: 2_026_000 }), 404, 'feed_not_found')
  })
})

describe('rendering', () => {
  it('links mentions of existing members', async () => {
    const { message_rendered } = await create(people.outsider, { message: 'Hi @mia and @nobody-here, write to mia@example.org; `@mia`' })
    expect(message_rendered.match(/class="mention"/g)).toHaveLength(1)
    expect(message_rendered).toContain('href="/u/mia"')
    expect(message_rendered).toContain('@nobody-here')
  })

  it('does not resolve link targets', async () => {
    const secret = await spaceOf({ privacy: 'secret' })
    const hidden = await create(people.member, { message: 'the hidden words', space_id: secret.id, title: 'Hidden' })
    const feed = await create(people.outsider, { message: `see ${hidden.permalink} and /feeds/${hidden.slug}` })
    expect(feed.message_rendered).not.toMatch(/hidden words/)
    await refused(people.outsider.api.feeds.byId({ feed_id: hidden.id }), 404, 'feed_not_found')
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)></svg>',
    '[x](javascript:alert(1)) ![y](data:text/html,x)',
    '<a href="java\nscript:alert(1)">x</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<p style="background:url(javascript:alert(1))" onclick=x()>y</p>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '"><script src=//e.example></script>',
    '<a id=location name=cookie href=https://e.example>x</a>',
  ])('is safe: %s', async (message) => {
    for (const content_type of ['text', 'markdown', 'html'] as const) {
      const feed = await create(people.member, { message, content_type, title: message })
      expect(feed.message).toBe(message)
      expect(unsafeParts(feed.message_rendered)).toEqual([])
    }
  })

  it('keeps harmless HTML of type html', async () => {
    const { message_rendered } = await create(people.member, { message: '<p>Hi <strong>you</strong></p>', content_type: 'html' })
    expect(message_rendered).toBe('<p>Hi <strong>you</strong></p>')
  })

  it('renders the preview like the feed', async () => {
    const { html } = await people.member.api.feeds.preview({ content: 'so **bold** <script>x</script>' })
    expect(html).toContain('<strong>bold</strong>')
    expect(unsafeParts(html)).toEqual([])
    const content = `for @${people.spaceAdmin.username} and @nobody-here`
    const preview = await people.member.api.feeds.preview({ content })
    expect(preview.html).toContain('class="mention"')
    expect(preview.html).toBe((await create(people.member, { message: content, content_type: 'markdown' })).message_rendered)
    const long = `${'word '.repeat(3000)} ${content}`
    const mention = `<a class="mention" href="/u/${people.spaceAdmin.username}"`
    expect((await create(people.member, { message: long })).message_rendered.split(mention)).toHaveLength(2)
    await refused(people.member.api.feeds.preview({ content: 'é'.repeat(32_001) }), 400, 'invalid_content')
    await refused(world.anonymous.feeds.preview({ content: 'x' }), 401, 'rest_forbidden')
  })
})

describe('an idempotency key', () => {
  it('replays the first response', async () => {
    const body = { message: 'Once @mia', title: 'Once' }
    const send = (sent: object) => people.member.raw('POST', '/feeds', sent, { 'idempotency-key': 'create-1' })
    const before = await countRows()
    const [first, second] = [await send(body), await send(body)]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    expect((await send({ ...body, title: 'Twice' })).status).toBe(422)
    expect(await countRows()).toBe(before + 1)
  })

  it('accepts one of many concurrent duplicates', async () => {
    const before = await countRows()
    const twins = await Promise.all(
      Array.from({ length: 12 }, () => people.member.raw('POST', '/feeds', { message: 'Twin' }, { 'idempotency-key': 'create-2' })),
    )
    for (const { status } of twins) expect([201, 409]).toContain(status)
    expect(new Set(twins.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1)
    expect(await countRows()).toBe(before + 1)
  })
})
