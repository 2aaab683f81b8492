import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { earnedBy, pointsOf } from '#test/points.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let space: Space
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const send = async (who: Member, method: string, path: string, body?: object) => {
  const answer = await who.raw(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const people = async (count: number) => {
  const members = await Promise.all(Array.from({ length: count }, () => world.member()))
  space = await makeSpace(world, { members })
  return members as [Member, Member, Member]
}
const post = async (who: Member, body: object = {}) =>
  (await send(who, 'POST', '/feeds', { message: 'Words', space_id: space.id, ...body })).data.id as number
const comment = async (who: Member, feed: number, text = 'Indeed') =>
  (await send(who, 'POST', `/feeds/${feed}/comments`, { comment: text })).data.id as number
const edit = (who: Member, feed: number, body: object) => send(who, 'POST', `/feeds/${feed}`, body)
const react = (who: Member, feed: number) => send(who, 'POST', `/feeds/${feed}/react`, { type: 'like' })
const removeFeed = (who: Member, feed: number) => send(who, 'DELETE', `/feeds/${feed}`)

const inSpace = async (id: number, who: Member) => {
  const { leaderboard } = await who.api.leaderboard.list({ space_id: id })
  return leaderboard.at(-1)?.items.map((item) => [item.user_id, item.total_points])
}

describe('posts', () => {
  test('the first earns 100, the next 50, a draft nothing', async () => {
    const [ana] = await people(1)
    expect(await earnedBy(world, ana, () => post(ana))).toBe(100)
    expect(await earnedBy(world, ana, () => post(ana))).toBe(50)
    expect(await earnedBy(world, ana, () => post(ana, { status: 'draft' }))).toBe(0)
  })

  test('a draft earns points when published, and none when published again', async () => {
    const [ana] = await people(1)
    await post(ana)
    const draft = await post(ana, { status: 'draft' })
    expect(await earnedBy(world, ana, () => edit(ana, draft, { status: 'published' }))).toBe(50)
    expect(await earnedBy(world, ana, () => edit(ana, draft, { status: 'draft' }))).toBe(-50)
    expect(await earnedBy(world, ana, () => edit(ana, draft, { status: 'published' }))).toBe(50)
    expect(await earnedBy(world, ana, () => edit(ana, draft, { message: 'Other words' }))).toBe(0)
  })

  test('a scheduled post earns points at its time, a pending one when approved', async () => {
    const [ana] = await people(1)
    await post(ana)
    expect(await earnedBy(world, ana, () => post(ana, { status: 'scheduled', scheduled_at: '2026-03-10 13:00:00' }))).toBe(0)
    expect(await earnedBy(world, ana, async () => world.clock.advance(3600))).toBe(50)
    const guarded = await makeSpace(world, { members: [ana], settings: { require_approval: true } })
    let feed = 0
    expect(await earnedBy(world, ana, async () => (feed = await post(ana, { space_id: guarded.id })))).toBe(0)
    expect(await earnedBy(world, ana, () => edit(admin, feed, { status: 'published' }))).toBe(50)
    expect(await earnedBy(world, ana, () => edit(admin, feed, { status: 'spam' }))).toBe(-50)
    expect(await earnedBy(world, ana, () => edit(admin, feed, { status: 'published' }))).toBe(50)
  })

  test('deleting and posting again earns nothing in total', async () => {
    const [ana, ben] = await people(2)
    for (let i = 0; i < 3; i++) {
      let feed = 0
      expect(await earnedBy(world, ana, async () => (feed = await post(ana)))).toBe(100)
      await react(ben, feed)
      await comment(ben, feed)
      expect(await earnedBy(world, ana, () => removeFeed(ana, feed))).toBe(-105)
      expect([await pointsOf(world, ana), await pointsOf(world, ben)]).toEqual([0, 0])
    }
  })

  test('the first-post bonus stays while another post exists', async () => {
    const [ana] = await people(1)
    const [one, two] = [await post(ana), await post(ana)]
    expect(await earnedBy(world, ana, () => removeFeed(ana, one))).toBe(-50)
    expect(await earnedBy(world, ana, () => removeFeed(ana, two))).toBe(-100)
  })

  test('points in a deleted space are reversed, but not those for joining it', async () => {
    const [ana, ben] = await people(2)
    const made = (await send(admin, 'POST', '/spaces', { title: 'Passing' })).data
    await send(ana, 'POST', `/spaces/${made.slug}/join`)
    await send(ben, 'POST', `/spaces/${made.slug}/join`)
    const feed = await post(ana, { space_id: made.id })
    await comment(ben, feed)
    await react(ben, feed)
    await world.runPendingJobs()
    expect([await pointsOf(world, ana), await pointsOf(world, ben)]).toEqual([115, 20])
    await send(admin, 'DELETE', `/spaces/${made.slug}`)
    await world.runPendingJobs()
    expect([await pointsOf(world, ana), await pointsOf(world, ben)]).toEqual([10, 10])
  })

  test('points move with a feed', async () => {
    const [ana, ben] = await people(2)
    const feed = await post(ana)
    await comment(ben, feed)
    await react(ben, feed)
    await world.runPendingJobs()
    const [from, to] = [space, await makeSpace(world, { members: [ana, ben] })]
    expect(await inSpace(from.id, ana)).toEqual([
      [ana.id, 55],
      [ben.id, 10],
    ])
    expect(await earnedBy(world, ana, () => edit(ana, feed, { space_id: to.id }))).toBe(0)
    expect([await inSpace(from.id, ana), await inSpace(to.id, ana)]).toEqual([
      [],
      [
        [ana.id, 55],
        [ben.id, 10],
      ],
    ])
  })
})

describe('the board of a space', () => {
  const scene = async (privacy: 'public' | 'private' = 'public') => {
    const [ana, ben] = await people(2)
    const elsewhere = await makeSpace(world, { members: [ana, ben] })
    const feed = await post(ana, { privacy })
    await comment(ben, feed)
    await react(ben, feed)
    await world.runPendingJobs()
    const whole = [
      [ana.id, 55],
      [ben.id, 10],
    ]
    expect(await inSpace(space.id, ana)).toEqual(whole)
    return { ana, feed, elsewhere, whole }
  }

  test('includes what others earned with a feed that moves while it is a draft', async () => {
    const { ana, feed, elsewhere, whole } = await scene()
    await edit(ana, feed, { status: 'draft' })
    await edit(ana, feed, { space_id: elsewhere.id })
    await edit(ana, feed, { status: 'published' })
    await world.runPendingJobs()
    expect([await inSpace(space.id, ana), await inSpace(elsewhere.id, ana)]).toEqual([[], whole])
  })

  test('includes what others earned with a private feed that is hidden and shown', async () => {
    const { ana, feed, whole } = await scene('private')
    await edit(ana, feed, { space_id: null })
    await world.runPendingJobs()
    expect(await inSpace(space.id, ana)).toEqual([])
    await edit(ana, feed, { space_id: space.id })
    await world.runPendingJobs()
    expect(await inSpace(space.id, ana)).toEqual(whole)
  })

  test('does not reveal who is merely a member', async () => {
    const [ana] = await people(1)
    const made = (await send(admin, 'POST', '/spaces', { title: 'Hall' })).data
    expect(await earnedBy(world, ana, () => send(ana, 'POST', `/spaces/${made.slug}/join`))).toBe(10)
    expect(await inSpace(made.id, ana)).toEqual([])
  })
})

describe('comments', () => {
  test('each earns 10, the 100th 100 more, and deletion reverses them', async () => {
    const [ana, ben] = await people(2)
    const feed = await post(ana)
    const ids: number[] = []
    const write = async () => ids.push(await comment(ben, feed))
    expect(await earnedBy(world, ben, write)).toBe(10)
    for (let i = 0; i < 98; i++) await write()
    expect(await earnedBy(world, ben, write)).toBe(110)
    const last = `/feeds/${feed}/comments/${ids.at(-1)}`
    expect(await earnedBy(world, ben, () => send(ben, 'DELETE', last))).toBe(-110)
    expect(await earnedBy(world, ben, write)).toBe(110)
    expect(await earnedBy(world, ben, write)).toBe(10)
    expect(await earnedBy(world, ben, () => removeFeed(ana, feed))).toBe(-1110)
  })

  test('a hidden comment earns nothing until it is shown again', async () => {
    const [ana, ben] = await people(2)
    const feed = await post(ana)
    const id = await comment(ben, feed)
    const status = (status: string) => send(admin, 'POST', `/feeds/${feed}/comments/${id}`, { status })
    expect(await earnedBy(world, ben, () => status('pending'))).toBe(-10)
    expect(await earnedBy(world, ben, () => status('spam'))).toBe(0)
    expect(await earnedBy(world, ben, () => status('published'))).toBe(10)
  })

  test('a comment marked as helpful earns 20 once, and nothing if its author marks it', async () => {
    const [ana, ben] = await people(2)
    const feed = await post(ana, { type: 'question' })
    const helpful = async (who: Member, id: number, method = 'POST') => send(who, method, `/feeds/${feed}/comments/${id}/helpful`)
    const [other, own] = [await comment(ben, feed), await comment(ana, feed)]
    expect(await earnedBy(world, ben, () => helpful(ana, other))).toBe(20)
    expect(await earnedBy(world, ben, () => helpful(admin, other))).toBe(0)
    expect(await earnedBy(world, ben, () => helpful(ana, other, 'DELETE'))).toBe(-20)
    expect(await earnedBy(world, ben, () => helpful(ana, other))).toBe(20)
    expect(await earnedBy(world, ana, () => helpful(ana, own))).toBe(0)
    expect(await earnedBy(world, ben, () => send(ben, 'DELETE', `/feeds/${feed}/comments/${other}`))).toBe(-30)
  })
})

describe('reactions', () => {
  test('a received reaction earns 5, reversed with it, any number of times', async () => {
    const [ana, ben] = await people(2)
    const feed = await post(ana)
    for (let i = 0; i < 3; i++) {
      expect(await earnedBy(world, ana, () => react(ben, feed))).toBe(5)
      expect(await earnedBy(world, ana, () => react(ben, feed))).toBe(-5)
    }
    expect(await earnedBy(world, ana, () => react(ben, feed))).toBe(5)
    expect(await earnedBy(world, ana, () => send(ben, 'POST', `/feeds/${feed}/react`, { type: 'love' }))).toBe(0)
  })

  test('a reaction to own content earns nothing; one to a comment is for its author', async () => {
    const [ana, ben, cleo] = await people(3)
    const feed = await post(ana)
    const id = await comment(ben, feed)
    expect(await earnedBy(world, ana, () => react(ana, feed))).toBe(0)
    const reactTo = (who: Member) => send(who, 'POST', `/feeds/${feed}/comments/${id}/reactions`, { type: 'like' })
    expect(await earnedBy(world, ben, () => reactTo(ben))).toBe(0)
    expect(await earnedBy(world, ben, () => reactTo(cleo))).toBe(5)
    expect(await earnedBy(world, ben, () => send(ben, 'DELETE', `/feeds/${feed}/comments/${id}`))).toBe(-15)
  })

  test('an action undone before the job ran leaves no row', async () => {
    const [ana, ben] = await people(2)
    const feed = await post(ana)
    await world.runPendingJobs()
    await react(ben, feed)
    await react(ben, feed)
    await world.runPendingJobs()
    const rows = await world.app.services.database.read
      .selectFrom('points_ledger')
      .select('id')
      .where('user_id', '=', ana.id)
      .where('kind', '=', 'reaction_received')
      .execute()
    expect(rows).toEqual([])
  })
})

describe('a deleted account', () => {
  test.each(['anonymise', 'remove'] as const)('removes its reactions’ points from others, and has no points (%s)', async (content) => {
    const [ana, ben, cleo] = await people(3)
    const feed = await post(ana)
    const id = await comment(cleo, feed)
    await comment(ben, feed)
    await react(ben, feed)
    await send(ben, 'POST', `/feeds/${feed}/comments/${id}/reactions`, { type: 'like' })
    await world.runPendingJobs()
    expect([await pointsOf(world, ana), await pointsOf(world, cleo)]).toEqual([105, 15])
    await send(admin, 'DELETE', `/members/${ben.id}`, { content })
    await world.runPendingJobs()
    expect([await pointsOf(world, ana), await pointsOf(world, cleo), await pointsOf(world, ben)]).toEqual([100, 10, 0])
    const { leaderboard } = await ana.api.leaderboard.list({ space_id: space.id })
    expect(leaderboard.flatMap(({ items }) => items).some((item) => item.user_id === ben.id)).toBe(false)
  })
})

describe('spaces', () => {
  test('joining earns 10, once; being added does too, creating does not', async () => {
    const [ana, ben] = await people(2)
    const made = (await send(admin, 'POST', '/spaces', { title: 'Garden' })).data
    const joins = () => send(ana, 'POST', `/spaces/${made.slug}/join`)
    expect(await earnedBy(world, ana, joins)).toBe(10)
    await send(ana, 'POST', `/spaces/${made.slug}/leave`)
    expect(await earnedBy(world, ana, joins)).toBe(0)
    const added = () => send(admin, 'POST', `/spaces/${made.slug}/members`, { user_id: ben.id })
    expect(await earnedBy(world, ben, added)).toBe(10)
    expect(await earnedBy(world, admin, () => send(admin, 'POST', '/spaces', { title: 'Orchard' }))).toBe(0)
  })
})

describe('learning', () => {
  test('a course earns 100, each further one 150, each once', async () => {
    const [ana] = await people(1)
    for (const points of [100, 150, 150]) {
      const { courseId, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
      const complete = () => send(ana, 'POST', `/courses/${courseId}/lessons/${lessons[0]}/complete`)
      expect(await earnedBy(world, ana, complete)).toBe(points)
      await send(ana, 'POST', `/courses/${courseId}/lessons/${lessons[0]}/incomplete`)
      expect(await earnedBy(world, ana, complete)).toBe(0)
    }
  })
})

describe('in lessons', () => {
  const lesson = async () => {
    const [ana, ben] = await people(2)
    const school = await makeSchool(admin, { lessons: 1, students: [ana, ben] })
    const { data } = await ana.api.lessons.byId({ course_id: school.courseId, lesson_id: school.lessons[0] as number })
    const feed = data.feed_id as number
    const id = await comment(ana, feed)
    await send(ben, 'POST', `/feeds/${feed}/comments/${id}/reactions`, { type: 'like' })
    await world.runPendingJobs()
    expect(await pointsOf(world, ana)).toBe(15)
    return { ana, ...school }
  }

  test('comments are reversed with the course', async () => {
    const { ana, courseId } = await lesson()
    expect(await earnedBy(world, ana, () => send(admin, 'DELETE', `/courses/${courseId}`))).toBe(-15)
  })

  test('and with the section', async () => {
    const { ana, courseId, sectionId } = await lesson()
    expect(await earnedBy(world, ana, () => send(admin, 'DELETE', `/admin/courses/${courseId}/sections/${sectionId}`))).toBe(-15)
  })
})

describe('profiles', () => {
  test('a complete profile earns 50, once', async () => {
    const [ana] = await people(1)
    const web = 'https://example.org/x'
    const half = { first_name: 'Ana', last_name: 'Gil', bio: 'About me', location: 'Here', website: web }
    expect(await earnedBy(world, ana, () => send(ana, 'POST', '/profile/me', half))).toBe(0)
    const rest = { avatar: web, cover_photo: web, social_links: { twitter: web } }
    expect(await earnedBy(world, ana, () => send(ana, 'POST', '/profile/me', rest))).toBe(50)
    expect(await earnedBy(world, ana, () => send(ana, 'POST', '/profile/me', { bio: '' }))).toBe(0)
    expect(await earnedBy(world, ana, () => send(ana, 'POST', '/profile/me', { bio: 'Again' }))).toBe(0)
  })
})
