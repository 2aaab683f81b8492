import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsWith, makeSpace } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { deleteThread, lastCommentAt, topOfThread } from './repository.ts'

let world: World
let ana: Member
let bob: Member
let moderator: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana' })
  bob = await world.member({ username: 'bob' })
  moderator = await world.member({ role: 'moderator' })
})
afterAll(() => world.close())

const post = async (message = 'A feed'): Promise<number> => (await ana.api.feeds.create({ message })).data.id
const say = async (feed_id: number, comment: string, parent_id?: number): Promise<number> =>
  (await bob.api.comments.create({ feed_id, comment, ...(parent_id && { parent_id }) })).data.id
const read = async (comment_id: number) => (await bob.api.comments.byId({ comment_id })).data
const feedOf = async (feed_id: number) => (await ana.api.feeds.byId({ feed_id })).data

describe('creating', () => {
  it('responds 201 with the record, and stores what was sent', async () => {
    const feed_id = await post()
    const { status, body } = await bob.api.comments.create.answer({ feed_id, comment: ' Well *said* ' })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: body.data.id,
      post_id: feed_id,
      parent_id: null,
      message: ' Well *said* ',
      status: 'published',
      created_at: '2026-03-10 12:00:00',
    })
    expect(await read(body.data.id)).toMatchObject({
      user_id: bob.id,
      post_id: feed_id,
      parent_id: null,
      message: ' Well *said* ',
      message_rendered: '<p>Well <em>said</em></p>',
      type: 'comment',
      content_type: 'text',
      status: 'published',
      reactions_count: 0,
      is_sticky: false,
      meta: {},
      has_user_react: null,
      xprofile: { username: 'bob' },
    })
    expect(await eventsWith(world, { comment_id: body.data.id })).toEqual(['comment.published'])
  })

  it('accepts `message` as an alias of `comment`', async () => {
    const feed_id = await post()
    const gif = { id: 'g1', url: 'https://example.org/g.gif', width: 10, height: 20 }
    const { data } = await bob.api.comments.create({ feed_id, message: 'By alias', meta: { gif } })
    expect(data.message).toBe('By alias')
    expect((await read(data.id)).meta).toEqual({ gif })
    expect((await bob.api.comments.create({ feed_id, comment: 'One', message: 'Two' })).data.message).toBe('One')
  })

  it('needs a text, an image or a GIF', async () => {
    const feed_id = await post()
    for (const body of [{}, { comment: '' }, { comment: ' \n ' }, { comment: 7 }, { comment: null }, { media_images: [] }]) {
      const { status, body: answer } = await bob.raw('POST', `/feeds/${feed_id}/comments`, body)
      expect({ body, status, code: answer.code }).toEqual({ body, status: 400, code: 'invalid_content' })
    }
    const { data } = await bob.api.comments.create({ feed_id, comment: '', media_images: ['https://example.org/a.png'] })
    expect(await read(data.id)).toMatchObject({ message: '', message_rendered: '', meta: { media_images: ['https://example.org/a.png'] } })
    await bob.api.comments.create({ feed_id, meta: { gif: { id: 'g', url: 'https://example.org/g.gif' } } })
  })

  it('accepts at most 20,000 bytes', async () => {
    const feed_id = await post()
    await bob.api.comments.create({ feed_id, comment: 'ä'.repeat(10_000) })
    await refused(bob.api.comments.create({ feed_id, comment: `${'ä'.repeat(10_000)}x` }), 400, 'invalid_content')
  })

  it('accepts only http and https URLs', async () => {
    const feed_id = await post()
    const bad: [object, string][] = [
      [{ media_images: ['javascript:alert(1)'] }, 'media_images'],
      [{ media_images: ['https://example.org/a.png', 'data:text/html,x'] }, 'media_images'],
      [{ meta: { media_images: ['/relative.png'] } }, 'media_images'],
      [{ meta: { media_images: 'https://example.org/a.png' } }, 'media_images'],
      [{ meta: { gif: { id: 'g', url: 'javascript:alert(1)' } } }, 'meta.gif.url'],
    ]
    for (const [body, field] of bad) {
      const { status, body: answer } = await bob.raw('POST', `/feeds/${feed_id}/comments`, { comment: 'x', ...body })
      expect({ status, code: answer.code, field: answer.data.field }).toEqual({ status: 400, code: 'invalid_url', field })
    }
    const many = Array.from({ length: 21 }, () => 'https://example.org/a.png')
    await refused(bob.api.comments.create({ feed_id, comment: 'x', media_images: many }), 400, 'invalid_data')
  })

  it('stores unknown meta keys as plain data, within limits', async () => {
    const feed_id = await post()
    const meta = { mood: '<b>good</b>', deep: { a: { b: { c: 1 } } } }
    const { data } = await bob.api.comments.create({ feed_id, comment: 'x', meta })
    expect(await read(data.id)).toMatchObject({ meta, message_rendered: '<p>x</p>' })
    await refused(
      bob.api.comments.create({ feed_id, comment: 'x', meta: { a: { b: { c: { d: { e: { f: 1 } } } } } } }),
      400,
      'invalid_data',
    )
    await refused(bob.api.comments.create({ feed_id, comment: 'x', meta: { long: 'x'.repeat(16_384) } }), 400, 'invalid_data')
  })

  it('renders safely, and links existing members', async () => {
    const feed_id = await post()
    const markup = await read(await say(feed_id, '<script>alert(1)</script> @ana and @nobody_here'))
    expect(markup.message_rendered).not.toContain('<script')
    expect(markup.message_rendered).toContain('<a class="mention" href="/u/ana"')
    expect(markup.message_rendered).toContain('@nobody_here')
    const { data } = await bob.api.comments.create({
      feed_id,
      comment: '<b onclick="x()">hi</b><img src=x onerror=y>',
      content_type: 'html',
    })
    expect(await read(data.id)).toMatchObject({ message_rendered: '<b>hi</b>', content_type: 'html' })
  })

  it('ignores fields a client may not set', async () => {
    const feed_id = await post()
    const body = {
      comment: 'x',
      user_id: ana.id,
      status: 'spam',
      is_sticky: true,
      reactions_count: 9,
      id: 1,
      created_at: '2001-01-01 00:00:00',
    }
    const { body: answer } = await bob.raw('POST', `/feeds/${feed_id}/comments`, body)
    const comment = await read(answer.data.id)
    expect(comment).toMatchObject({ user_id: bob.id, status: 'published', is_sticky: false, reactions_count: 0 })
    expect(comment.created_at).toBe('2026-03-10 12:00:00')
  })

  it('needs a published feed that accepts comments', async () => {
    const { data: draft } = await ana.api.feeds.create({ message: 'x', status: 'draft' })
    await refused(ana.api.comments.create({ feed_id: draft.id, comment: 'x' }), 403, 'rest_forbidden')
    const { data: closed } = await ana.api.feeds.create({ message: 'x', meta: { comments_disabled: true } })
    for (const who of [ana, bob, moderator]) {
      await refused(who.api.comments.create({ feed_id: closed.id, comment: 'x' }), 403, 'feed_locked')
    }
    const quiet = await makeSpace(world, { settings: { allow_comments: false }, members: [ana, bob] })
    const { data: silent } = await ana.api.feeds.create({ message: 'x', space_id: quiet.id })
    await refused(bob.api.comments.create({ feed_id: silent.id, comment: 'x' }), 403, 'feed_locked')
  })
})

describe('replying', () => {
  it('attaches a reply to a reply to the top-level comment', async () => {
    const feed_id = await post()
    const top = await say(feed_id, 'top')
    const { data } = await ana.api.comments.create({ feed_id, comment: 'reply', parent_id: top })
    expect(data.parent_id).toBe(top)
    expect((await read(await say(feed_id, 'reply to the reply', data.id))).parent_id).toBe(top)
    expect((await bob.api.comments.create({ feed_id, comment: 'top', parent_id: 0 })).data.parent_id).toBeNull()
    expect((await bob.api.comments.create({ feed_id, comment: 'top', parent_id: null })).data.parent_id).toBeNull()
  })

  it('accepts only published parents on the same feed', async () => {
    const feed_id = await post()
    const elsewhere = await say(await post(), 'elsewhere')
    const pending = await say(feed_id, 'waits')
    await moderator.api.comments.update({ feed_id, comment_id: pending, status: 'pending' })
    const answers = await Promise.all(
      [elsewhere, pending, 987_654_321].map((parent_id) => bob.raw('POST', `/feeds/${feed_id}/comments`, { comment: 'x', parent_id })),
    )
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: answers[2]?.status, body: answers[2]?.body })
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'parent_not_found' } })
    expect((await feedOf(feed_id)).comments_count).toBe(0)
  })
})

describe('listing', () => {
  it('returns comments oldest first, or in the requested order', async () => {
    const feed_id = await post()
    const ids: number[] = []
    for (const text of ['one', 'two', 'three']) {
      ids.push(await say(feed_id, text))
      world.clock.advance(60)
    }
    const [one, two, three] = ids as [number, number, number]
    await ana.api.reactions.toComment({ feed_id, comment_id: two, type: 'like' })
    const order = async (query: object) => (await bob.api.comments.list({ feed_id, ...query })).comments.map((comment) => comment.id)
    expect(await order({})).toEqual([one, two, three])
    expect(await order({ order: 'desc' })).toEqual([three, two, one])
    expect(await order({ orderby: 'created_at', order: 'asc' })).toEqual([one, two, three])
    expect(await order({ orderby: 'reactions_count' })).toEqual([one, three, two])
    expect(await order({ orderby: 'likes' })).toEqual([two, three, one])
    expect(await order({ orderby: 'latest', order: 'asc' })).toEqual([three, two, one])
    expect(await order({ orderby: 'newest' })).toEqual([three, two, one])
    expect(await order({ orderby: 'oldest', order: 'desc' })).toEqual([one, two, three])
    for (const query of ['orderby=message', 'orderby=__proto__', 'order=up', 'parent_id=-1', 'parent_id=x', 'page=0', 'per_page=0']) {
      const { status, body } = await bob.raw('GET', `/feeds/${feed_id}/comments?${query}`)
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'invalid_parameter' })
    }
  })

  it('returns top-level comments or the replies to one', async () => {
    const feed_id = await post()
    const top = await say(feed_id, 'top')
    const other = await say(feed_id, 'other')
    const reply = await say(feed_id, 'reply', top)
    const list = async (parent_id?: number) => {
      const { comments, pagination } = await bob.api.comments.list({ feed_id, ...(parent_id !== undefined && { parent_id }) })
      return [comments.map((comment) => comment.id), pagination.total]
    }
    expect(await list()).toEqual([[top, other, reply], 3])
    expect(await list(0)).toEqual([[top, other], 2])
    expect(await list(top)).toEqual([[reply], 1])
    expect(await list(other)).toEqual([[], 0])
    expect((await bob.api.comments.list({ feed_id: await post(), parent_id: top })).comments).toEqual([])
  })

  it('has pages of 50, at most 100, without overlap', async () => {
    const feed_id = await post()
    await Promise.all(Array.from({ length: 104 }, (_, i) => say(feed_id, `number ${i}`)))
    const page = async (query: object) => (await bob.api.comments.list({ feed_id, ...query })).comments.map((comment) => comment.id)
    const pages = [await page({}), await page({ page: 2 }), await page({ page: 3 }), await page({ page: 4 })]
    expect(pages.map((ids) => ids.length)).toEqual([50, 50, 4, 0])
    expect(new Set(pages.flat()).size).toBe(104)
    const { body } = await bob.raw('GET', `/feeds/${feed_id}/comments?per_page=500`)
    expect([body.comments.length, body.pagination]).toEqual([100, { total: 104, per_page: 100, current_page: 1, total_pages: 2 }])
  })

  it('puts the pinned comment first, on the first page only', async () => {
    const feed_id = await post()
    const ids = await Promise.all(Array.from({ length: 5 }, (_, i) => say(feed_id, `number ${i}`)))
    const sorted = ids.toSorted((a, b) => a - b)
    const pinned = sorted[3] as number
    await moderator.api.comments.update({ feed_id, comment_id: pinned, is_sticky: true })
    const all: number[] = []
    for (const page of [1, 2, 3]) {
      const { comments, pagination } = await bob.api.comments.list({ feed_id, page, per_page: 2, parent_id: 0 })
      expect(pagination.total).toBe(5)
      all.push(...comments.map((comment) => comment.id))
    }
    expect(all).toEqual([pinned, ...sorted.filter((id) => id !== pinned)])
    expect((await bob.api.comments.list({ feed_id, page: 1, per_page: 1 })).comments.map((comment) => comment.id)).toEqual([pinned])
  })

  it('shows the caller’s reaction', async () => {
    const feed_id = await post()
    const comment_id = await say(feed_id, 'x')
    await ana.api.reactions.toComment({ feed_id, comment_id, type: 'wow' })
    expect((await ana.api.comments.list({ feed_id })).comments[0]).toMatchObject({ has_user_react: 'wow', reactions_count: 1 })
    expect((await bob.api.comments.list({ feed_id })).comments[0]).toMatchObject({ has_user_react: null, reactions_count: 1 })
  })
})

describe('pinning', () => {
  it('is for those who moderate comments, and unpins the others', async () => {
    const feed_id = await post()
    const [one, two] = [await say(feed_id, 'one'), await say(feed_id, 'two')]
    const pin = (who: Member, comment_id: number, is_sticky: boolean) => who.api.comments.patch({ feed_id, comment_id, is_sticky })
    await refused(pin(ana, one, true), 403, 'rest_forbidden')
    expect((await pin(moderator, one, true)).data).toMatchObject({ id: one, is_sticky: true })
    expect((await pin(moderator, two, true)).data.is_sticky).toBe(true)
    const pinned = async () => (await bob.api.comments.list({ feed_id })).comments.filter(({ is_sticky }) => is_sticky).map(({ id }) => id)
    expect(await pinned()).toEqual([two])
    expect((await pin(moderator, two, false)).data.is_sticky).toBe(false)
    expect(await pinned()).toEqual([])
    expect((await moderator.raw('PATCH', `/feeds/${feed_id}/comments/${one}`, {})).body.code).toBe('missing_required_field')
    const reply = (await bob.api.comments.create({ feed_id, comment: 'reply', parent_id: one })).data.id
    await refused(pin(moderator, reply, true), 400, 'invalid_data')
    await refused(moderator.api.comments.patch({ feed_id: feed_id + 1, comment_id: one, is_sticky: true }), 404, 'comment_not_found')
  })
})

describe('updating', () => {
  it('changes only the fields sent', async () => {
    const feed_id = await post()
    const comment_id = await say(feed_id, 'First')
    world.clock.advance(60)
    const { data } = await bob.api.comments.update({ feed_id, comment_id, comment: 'Better @ana', meta: { a: 1, b: 2 } })
    expect(data).toEqual({ id: comment_id, message: 'Better @ana', updated_at: data.updated_at })
    const before = await read(comment_id)
    expect(before.updated_at > before.created_at).toBe(true)
    expect(before.message_rendered).toContain('href="/u/ana"')
    await bob.api.comments.update({ feed_id, comment_id, media_images: ['https://example.org/a.png'], meta: { a: null, c: 3 } })
    expect(await read(comment_id)).toMatchObject({
      message: 'Better @ana',
      meta: { b: 2, c: 3, media_images: ['https://example.org/a.png'] },
    })
    await bob.api.comments.update({ feed_id, comment_id, media_images: [], content_type: 'markdown' })
    const after = await read(comment_id)
    expect(after.meta).toEqual({ b: 2, c: 3 })
    expect(after).toMatchObject({ content_type: 'markdown', message_rendered: before.message_rendered })
    expect(await eventsWith(world, { comment_id })).toEqual(['comment.published', 'comment.updated', 'comment.updated', 'comment.updated'])
  })

  it('refuses an empty or oversized result', async () => {
    const feed_id = await post()
    const { data } = await bob.api.comments.create({ feed_id, comment: 'x', media_images: ['https://example.org/a.png'] })
    const path = { feed_id, comment_id: data.id }
    await bob.api.comments.update({ ...path, comment: '' })
    await refused(bob.api.comments.update({ ...path, media_images: [] }), 400, 'invalid_content')
    await refused(bob.api.comments.update({ ...path, comment: 'x'.repeat(20_001) }), 400, 'invalid_content')
    await refused(bob.api.comments.update({ ...path, comment: 'x', media_images: ['ftp://example.org/a'] }), 400, 'invalid_url')
    await refused(bob.api.comments.update(path), 400, 'invalid_content')
    expect(await read(data.id)).toMatchObject({ message: '', meta: { media_images: ['https://example.org/a.png'] } })
  })

  it('does not change the activity time of the feed', async () => {
    const feed_id = await post()
    const comment_id = await say(feed_id, 'x')
    const activeAt = async () =>
      (await world.app.services.database.read.selectFrom('feeds').select('active_at').where('id', '=', feed_id).executeTakeFirst())
        ?.active_at
    const before = await activeAt()
    world.clock.advance(60)
    await bob.api.comments.update({ feed_id, comment_id, comment: 'y' })
    expect(await activeAt()).toBe(before)
  })
})

describe('query plans', () => {
  it('lists are read from an index in order', async () => {
    if (world.dialect !== 'sqlite') return
    const feed_id = await post()
    const parent_id = await say(feed_id, 'top')
    const queries = [
      {},
      { order: 'desc' },
      { parent_id: 0 },
      { parent_id },
      { orderby: 'likes' },
      { orderby: 'likes', parent_id: 0 },
      { page: 3 },
    ]
    for (const query of queries)
      await expectInOrder(world, () => bob.raw('GET', `/feeds/${feed_id}/comments?${new URLSearchParams(query as Record<string, string>)}`))
    await expectInOrder(world, () => moderator.api.comments.list({ feed_id }))
    await expectNoScan(world, () => bob.api.comments.byId({ comment_id: parent_id }))
    // Held comments have their own index, so many published comments do not slow the query down.
    await say(feed_id, 'more')
    const listed = await plansOf(world.app.services.database.read, () => bob.api.comments.list({ feed_id }))
    const hidden = listed.filter(({ sql }) => sql.includes("c.status <> 'published'")).flatMap(({ steps }) => steps)
    expect(hidden.filter((step) => /^SEARCH c /.test(step)).length).toBeGreaterThan(0)
    for (const step of hidden.filter((line) => /^SEARCH c /.test(line))) expect(step).toContain('COVERING INDEX comments_unpublished')
    await world.app.write(null, async ({ db }) => {
      const plans = await plansOf(db, async () => {
        await topOfThread(db, feed_id, parent_id)
        await lastCommentAt(db, feed_id)
        await deleteThread(db, parent_id)
      })
      expect(plans.length).toBe(4)
      expect(plans.flatMap((plan) => plan.steps).filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
    })
  })
})
