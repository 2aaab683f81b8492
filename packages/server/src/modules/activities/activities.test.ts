import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { runEventsInOrder } from '#test/jobs/pending-events.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let outsider: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana', displayName: 'Ana' })
  ben = await world.member()
  outsider = await world.member()
  admin = await world.member({ role: 'admin' })
})
afterAll(async () => {
  await world.runPendingJobs()
  await expectSound(world)
  await world.close()
})
beforeEach(async () => {
  await world.runPendingJobs()
  await world.app.write(null, ({ db }) => db.deleteFrom('activities').execute())
})

const ticker = async (who = ben) => {
  await world.runPendingJobs()
  return (await who.api.activities.ticker()).activities
}
const types = async (who = ben) => (await ticker(who)).map(({ type }) => type)
const post = async (body: object = {}, who = ana): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message: 'x', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const bookmark = (who: Member, id: number, remove?: true) =>
  who.raw('POST', `/feeds/${id}/react`, { react_type: 'bookmark', ...(remove && { remove }) })

describe('recorded activities', () => {
  it('of a feed', async () => {
    const id = await post({ title: 'Seeds to swap' })
    const user = { id: ana.id, display_name: 'Ana', username: 'ana', avatar: '' }
    const target = { type: 'feed', id, title: 'Seeds to swap', url: `${world.origin}/feeds/seeds-to-swap` }
    expect(await ticker()).toEqual([{ type: 'post_created', user, action: 'published a post', target, timestamp: 'just now' }])
    world.clock.advance(300)
    expect((await ticker())[0]?.timestamp).toBe('5 minutes ago')
  })

  it('of a comment, a reaction and a bookmark', async () => {
    const space = await makeSpace(world, { members: [ana, ben] })
    const id = await post({ message: `*Long* ${'words '.repeat(40)}`, space_id: space.id })
    const { data } = await ben.api.comments.create({ feed_id: id, comment: 'Well' })
    await ben.api.reactions.toFeed({ feed_id: id, type: 'like' })
    await ana.api.reactions.toComment({ feed_id: id, comment_id: data.id, type: 'love' })
    await bookmark(ben, id)
    const found = await ticker()
    expect(found.map(({ type, user, target }) => [type, user.id, target.type, target.id]).sort()).toEqual(
      [
        ['post_created', ana.id, 'feed', id],
        ['comment_added', ben.id, 'comment', data.id],
        ['reaction_added', ben.id, 'feed', id],
        ['reaction_added', ana.id, 'comment', data.id],
        ['bookmark_added', ben.id, 'feed', id],
      ].sort(),
    )
    const { slug } = (await ana.api.feeds.byId({ feed_id: id })).data
    for (const { type, target } of found) {
      expect(target.title).toMatch(/^Long words words .*…$/)
      expect(target.title.length).toBeLessThanOrEqual(80)
      const url = `${world.origin}/spaces/${space.slug}/feeds/${slug}`
      expect(target.url).toBe(target.type === 'comment' ? `${url}?comment_id=${data.id}` : url)
      expect(type).not.toBe('')
    }
  })

  it('have readable text', async () => {
    const messages = ['**Bold** [link](https://example.org)\n\n> quote', `${'<b>'.repeat(200)}deep`, '<script>x</script>']
    for (const message of messages) await post({ message })
    await post({ message: `<p title="x">Some <b>HTML</b></p>${'<p>more</p>'.repeat(200)}`, content_type: 'html' })
    const titles = (await ticker()).map(({ target }) => target.title)
    for (const words of [/^Bold link quote$/, /^<script>x<\/script>$/, /^<b><b>/, /^Some HTML more more.*…$/]) {
      expect(titles.filter((title) => words.test(title))).toHaveLength(1)
    }
  })

  it('of spaces and profiles', async () => {
    const { data } = await admin.api.spaces.create({ title: 'Orchard', privacy: 'public' })
    await ana.api.spaceMembers.join({ space_slug: data.slug })
    await world.app.write(ben.id, ({ emit }) => emit('user.profile_updated', { user_id: ben.id }))
    const url = `${world.origin}/spaces/${data.slug}`
    const found = await ticker(admin)
    expect(found.map(({ type, user, action, target }) => [type, user.id, action, target.type, target.url]).sort()).toEqual([
      ['profile_updated', ben.id, 'updated their profile', 'user', `${world.origin}/u/${ben.username}`],
      ['space_created', admin.id, 'created the space', 'space', url],
      ['space_joined', ana.id, 'joined', 'space', url],
    ])
    expect((await types(ana)).toSorted()).toEqual(['profile_updated', 'space_created', 'space_joined'])
    // Memberships are visible only to members.
    expect((await types(outsider)).toSorted()).toEqual(['profile_updated', 'space_created'])
    await ana.api.spaceMembers.leave({ space_slug: data.slug })
    await ana.api.spaceMembers.join({ space_slug: data.slug })
    expect((await types(ana)).toSorted()).toEqual(['profile_updated', 'space_created', 'space_joined'])
  })

  it('the ticker has the newest twenty, newest first', async () => {
    const ids: number[] = []
    for (let i = 0; i < 25; i++) {
      world.clock.advance(1)
      ids.push(await post())
      await world.runPendingJobs()
    }
    expect((await ticker()).map(({ target }) => target.id)).toEqual(ids.slice(5).reverse())
    const mine = await Promise.all(Array.from({ length: 3 }, () => post({ privacy: 'private' })))
    expect(
      (await ticker(ana))
        .map(({ target }) => target.id)
        .slice(0, 3)
        .sort(),
    ).toEqual(mine.toSorted())
    expect((await ticker()).map(({ target }) => target.id)).toEqual(ids.slice(5).reverse())
  })

  it('the ticker requires authentication', async () => {
    await refused(world.anonymous.activities.ticker(), 401, 'rest_forbidden')
  })
})

describe('visibility', () => {
  const furnish = async (space: Space, privacy: 'public' | 'private' = 'public') => {
    const id = await post({ space_id: space.id, title: 'Hidden words', privacy })
    const { data } = await ana.api.comments.create({ feed_id: id, comment: 'x' })
    await ana.api.reactions.toFeed({ feed_id: id, type: 'like' })
    await ana.api.reactions.toComment({ feed_id: id, comment_id: data.id, type: 'like' })
    await world.runPendingJobs()
    return id
  }

  it.each(['private', 'secret'] as const)('in a %s space: its members and staff', async (privacy) => {
    const space = await makeSpace(world, { privacy, members: [ana, ben] })
    const elsewhere = await world.member({ role: 'manager' })
    await grant(world, elsewhere, ['manage_feeds'], [await makeSpace(world)])
    const here = await world.member({ role: 'manager' })
    await grant(world, here, ['manage_feeds'], [space])
    await furnish(space)
    await world.app.write(null, async ({ emit }) => emit('space.member_joined', { space_id: space.id, user_id: ben.id }))
    for (const who of [ana, ben, admin, here]) expect((await types(who)).length).toBe(5)
    for (const who of [outsider, elsewhere]) expect(await types(who)).toEqual([])
    await leaveSpace(world, space, ben)
    expect(await types(ben)).toEqual([])
    expect((await outsider.raw('GET', '/feeds/ticker')).text).not.toMatch(/Hidden|space-/)
  })

  it('of a private feed: those who may see it', async () => {
    const space = await makeSpace(world, { members: [ana, ben] })
    await furnish(space, 'private')
    expect([(await types(ana)).length, (await types(ben)).length, (await types(outsider)).length]).toEqual([4, 4, 0])
  })

  it('of a feed that is hidden, expired or deleted: nobody', async () => {
    for (const body of [
      { status: 'draft' },
      { status: 'spam' },
      { expired_at: '2026-01-01 00:00:00' },
      { privacy: 'private', space_id: null },
    ]) {
      const space = await makeSpace(world, { members: [ana, ben] })
      const id = await furnish(space)
      expect(await types()).toHaveLength(4)
      const who = 'status' in body && body.status === 'spam' ? admin : ana
      expect((await who.raw('POST', `/feeds/${id}`, body)).status).toBe(200)
      expect(await types()).toEqual([])
      await ana.api.feeds.remove({ feed_id: id })
      expect(await types(admin)).toEqual([])
    }
  })

  it('of a held comment: nobody', async () => {
    const id = await post()
    const { data } = await ben.api.comments.create({ feed_id: id, comment: 'x' })
    await ana.api.reactions.toComment({ feed_id: id, comment_id: data.id, type: 'like' })
    expect(await types()).toHaveLength(3)
    await admin.api.comments.update({ feed_id: id, comment_id: data.id, status: 'spam' })
    expect(await types()).toEqual(['post_created'])
    await admin.api.comments.update({ feed_id: id, comment_id: data.id, status: 'published' })
    expect(await types()).toHaveLength(3)
  })

  it('of a bookmark: only its owner', async () => {
    const id = await post()
    await bookmark(ben, id)
    expect((await types(ben)).sort()).toEqual(['bookmark_added', 'post_created'])
    for (const who of [ana, outsider, admin]) expect(await types(who)).toEqual(['post_created'])
  })

  it('of a draft space: its managers', async () => {
    const space = await makeSpace(world, { status: 'draft', members: [ana], moderators: [ben] })
    await world.app.write(null, ({ emit }) => emit('space.created', { space_id: space.id, user_id: ben.id }))
    expect([await types(ben), await types(ana), await types(outsider), await types(admin)]).toEqual([
      ['space_created'],
      [],
      [],
      ['space_created'],
    ])
  })

  it('of a moved feed: only in its current space', async () => {
    const [secret, open] = [await makeSpace(world, { privacy: 'secret', members: [ana] }), await makeSpace(world, { members: [ana] })]
    const id = await post({ space_id: secret.id })
    expect(await ticker(outsider)).toEqual([])
    await ana.api.feeds.update({ feed_id: id, space_id: open.id })
    const [told] = await ticker(outsider)
    expect(told?.target.url).toContain(`/spaces/${open.slug}/feeds/`)
    expect(JSON.stringify(told)).not.toContain(secret.slug)
    await ana.api.feeds.update({ feed_id: id, space_id: null })
    expect((await ticker(outsider))[0]?.target.url).toMatch(/[0-9]\/feeds\//)
  })
})

describe('undone actions', () => {
  it('leave no activity', async () => {
    const id = await post()
    const { data } = await ben.api.comments.create({ feed_id: id, comment: 'x' })
    const twice = async (act: () => Promise<unknown>) => {
      await act()
      await world.runPendingJobs()
      expect(await types()).toHaveLength(3)
      await act()
      expect((await types()).toSorted()).toEqual(['comment_added', 'post_created'])
    }
    await twice(() => ben.api.reactions.toFeed({ feed_id: id, type: 'like' }))
    await twice(() => ben.api.reactions.toComment({ feed_id: id, comment_id: data.id, type: 'like' }))
    await bookmark(ben, id)
    expect(await types()).toContain('bookmark_added')
    await bookmark(ben, id, true)
    expect(await types()).not.toContain('bookmark_added')
    await ben.api.comments.remove({ feed_id: id, comment_id: data.id })
    expect(await types()).toEqual(['post_created'])
  })

  it('leave none even before the first job ran', async () => {
    const id = await post()
    for (let i = 0; i < 2; i++) await ben.api.reactions.toFeed({ feed_id: id, type: 'like' })
    await bookmark(ben, id)
    await bookmark(ben, id, true)
    const { data } = await ben.api.comments.create({ feed_id: id, comment: 'x' })
    await ben.api.comments.remove({ feed_id: id, comment_id: data.id })
    expect(await types()).toEqual(['post_created'])
    await ana.api.feeds.remove({ feed_id: id })
    expect(await types()).toEqual([])
  })

  it('are recorded once if repeated, in any order of the jobs', async () => {
    const id = await post()
    await world.runPendingJobs()
    for (let i = 0; i < 5; i++) await ben.api.reactions.toFeed({ feed_id: id, type: 'like' })
    for (let i = 0; i < 3; i++) {
      await bookmark(ben, id)
      if (i < 2) await bookmark(ben, id, true)
    }
    await runEventsInOrder(world.app, (ids) => ids.toReversed())
    expect((await types()).toSorted()).toEqual(['bookmark_added', 'post_created', 'reaction_added'])
  })

  it('changing the reaction type records nothing', async () => {
    const id = await post()
    await ben.api.reactions.toFeed({ feed_id: id, type: 'like' })
    await ben.api.reactions.toFeed({ feed_id: id, type: 'love' })
    expect((await types()).toSorted()).toEqual(['post_created', 'reaction_added'])
  })

  it('a feed that is hidden and published again is recorded once', async () => {
    const id = await post()
    for (const status of ['draft', 'published', 'draft', 'published'] as const) await ana.api.feeds.update({ feed_id: id, status })
    expect(await types()).toEqual(['post_created'])
  })

  it('concurrent changes end in the current state', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => post()))
    const people = [ana, ben, outsider, admin]
    for (let round = 0; round < 3; round++) {
      const acts = ids.flatMap((feed_id) => people.map((who) => who.api.reactions.toFeed({ feed_id, type: 'like' })))
      await Promise.all([...acts, world.runPendingJobs(), world.runPendingJobs()])
    }
    await world.runPendingJobs()
    const db = world.app.services.database.read
    const told = await db.selectFrom('activities').select(['feed_id', 'user_id']).where('action_type', '=', 'reaction_added').execute()
    const stand = await db.selectFrom('reactions').select(['feed_id', 'user_id']).where('feed_id', 'in', ids).execute()
    const sorted = (rows: readonly { feed_id: number | null; user_id: number }[]) =>
      rows.map((row) => `${row.feed_id} ${row.user_id}`).sort()
    expect(sorted(told)).toEqual(sorted(stand))
  })
})
