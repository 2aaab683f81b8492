import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { eventsWith, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let author: Member
let ana: Member
let ben: Member
let outsider: Member
let spaceModerator: Member
let moderator: Member
let admin: Member
let space: Space

beforeAll(async () => {
  world = await createWorld()
  author = await world.member()
  ana = await world.member({ displayName: 'Ana' })
  ben = await world.member()
  outsider = await world.member()
  spaceModerator = await world.member()
  moderator = await world.member({ role: 'moderator' })
  admin = await world.member({ role: 'admin' })
  space = await makeSpace(world, { members: [author, ana, ben], moderators: [spaceModerator] })
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})

const OPTIONS = ['red', 'green', 'blue'].map((slug) => ({ slug, label: slug.toUpperCase() }))
const survey = (more: object = {}) => ({ survey: { question: 'Which?', options: OPTIONS, ...more } })
const ask = async (more: object = {}, body: object = {}): Promise<number> => {
  const answer = await author.raw('POST', '/feeds', {
    message: 'x',
    content_type: 'survey',
    space_id: space.id,
    meta: survey(more),
    ...body,
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const vote = (who: Member, feed_id: number, option_slug: string | string[]) => who.api.surveys.vote({ feed_id, option_slug })
const voters = (who: Member, feed_id: number, option_slug: string, page = {}) => who.api.surveys.voters({ feed_id, option_slug, ...page })
const change = (feed_id: number, body: object, who = author) => who.raw('POST', `/feeds/${feed_id}`, body)

interface Shown {
  readonly total_votes: number | null
  readonly options: readonly { readonly votes: number | null }[]
  readonly voted: readonly string[]
  readonly is_closed: boolean
}
const shown = async (who: Member, feed_id: number) => (await who.api.feeds.byId({ feed_id })).data.meta.survey as Shown
const counts = ({ total_votes, options }: Pick<Shown, 'total_votes' | 'options'>) => [total_votes, ...options.map(({ votes }) => votes)]

describe('a vote', () => {
  it('is counted, and a later one replaces it', async () => {
    const id = await ask()
    expect(await vote(ana, id, 'red')).toEqual({
      success: true,
      message: 'Your vote was counted.',
      results: {
        total_votes: 1,
        options: [
          { slug: 'red', label: 'RED', votes: 1, percentage: 100 },
          { slug: 'green', label: 'GREEN', votes: 0, percentage: 0 },
          { slug: 'blue', label: 'BLUE', votes: 0, percentage: 0 },
        ],
      },
    })
    await vote(ben, id, 'blue')
    await vote(author, id, 'blue')
    const { results } = await vote(ana, id, 'green')
    expect(counts(results)).toEqual([3, 0, 1, 2])
    expect(results.options.map(({ percentage }) => percentage)).toEqual([0, 33.3, 66.7])
    expect(counts((await vote(ana, id, 'green')).results)).toEqual([3, 0, 1, 2])
    expect([(await shown(ana, id)).voted, (await shown(ben, id)).voted, (await shown(spaceModerator, id)).voted]).toEqual([
      ['green'],
      ['blue'],
      [],
    ])
    expect((await eventsWith(world, { feed_id: id, user_id: ana.id })).length).toBe(3)
  })

  it('may have several options if the survey allows it', async () => {
    const id = await ask({ allow_multiple: true })
    expect(counts((await vote(ana, id, ['blue', 'red', 'blue'])).results)).toEqual([1, 1, 0, 1])
    expect((await shown(ana, id)).voted).toEqual(['red', 'blue'])
    expect(counts((await vote(ben, id, ['red'])).results)).toEqual([2, 2, 0, 1])
    expect(counts((await vote(ana, id, 'green')).results)).toEqual([2, 1, 1, 0])
    const single = await ask()
    expect(counts((await vote(ana, single, ['red'])).results)).toEqual([1, 1, 0, 0])
    await refused(vote(ana, single, ['red', 'blue']), 400, 'invalid_option')
    expect(counts(await shown(author, single))).toEqual([1, 1, 0, 0])
  })

  it('must be for an existing option', async () => {
    const id = await ask({ allow_multiple: true })
    for (const slug of ['purple', '', 'RED', 'constructor', '__proto__', [], ['red', 'purple']]) {
      await refused(vote(ana, id, slug as string), 400, 'invalid_option')
    }
    for (const body of [{}, { option_slug: null }, { option_slug: 5 }, { option_slug: [5] }, { option_slug: { a: 1 } }]) {
      const answer = await ana.raw('POST', `/feeds/${id}/apps/survey-vote`, body)
      expect([answer.status, ['missing_required_field', 'invalid_data'].includes(answer.body.code)]).toEqual([400, true])
    }
    expect(counts(await shown(author, id))).toEqual([0, 0, 0, 0])
  })

  it('must be cast before the end date', async () => {
    const end = new Date(world.clock.now().getTime() + 60_000).toISOString().slice(0, 19)
    const id = await ask({ end_date: end, show_results: 'after_vote' })
    await vote(ana, id, 'red')
    expect((await shown(ana, id)).is_closed).toBe(false)
    world.clock.advance(60)
    await refused(vote(ana, id, 'blue'), 400, 'survey_closed')
    await refused(vote(ben, id, 'blue'), 400, 'survey_closed')
    expect(await shown(ana, id)).toMatchObject({ is_closed: true, total_votes: 1, voted: ['red'] })
    await change(id, { meta: survey({ end_date: '2031-01-01 00:00:00', show_results: 'after_vote' }) })
    await vote(ben, id, 'blue')
  })

  it('needs a survey', async () => {
    const { data } = await author.api.feeds.create({ message: 'x', space_id: space.id })
    await refused(vote(ana, data.id, 'red'), 404, 'survey_not_found')
    await refused(voters(ana, data.id, 'red'), 404, 'survey_not_found')
    await refused(vote(ana, 987_654_321, 'red'), 404, 'feed_not_found')
    await refused(voters(ana, 987_654_321, 'red'), 404, 'feed_not_found')
  })
})

describe('voting', () => {
  it('is for members of the space; other viewers see the survey only', async () => {
    const id = await ask()
    await refused(vote(outsider, id, 'red'), 403, 'rest_forbidden')
    expect(counts(await shown(outsider, id))).toEqual([0, 0, 0, 0])
    await voters(outsider, id, 'red')
    for (const who of [spaceModerator, moderator, admin]) await vote(who, id, 'red')
    await refused(world.anonymous.surveys.vote({ feed_id: id, option_slug: 'red' }), 401, 'rest_forbidden')
    await refused(world.anonymous.surveys.voters({ feed_id: id, option_slug: 'red' }), 401, 'rest_forbidden')
  })

  it.each(['private', 'secret'] as const)('is hidden by a %s space', async (privacy) => {
    const hidden = await makeSpace(world, { privacy, members: [author, ana] })
    const id = await ask({}, { space_id: hidden.id })
    await vote(ana, id, 'red')
    await refused(vote(outsider, id, 'red'), 404, 'feed_not_found')
    await refused(voters(outsider, id, 'red'), 404, 'feed_not_found')
    const [there, missing] = [
      await outsider.raw('GET', `/feeds/${id}/apps/survey-voters/red`),
      await outsider.raw('GET', '/feeds/987654321/apps/survey-voters/red'),
    ]
    expect(there.text).toBe(missing.text)
  })

  it('needs a published feed in an open space', async () => {
    const draft = await ask({}, { status: 'draft' })
    await refused(vote(author, draft, 'red'), 403, 'rest_forbidden')
    await refused(vote(ana, draft, 'red'), 404, 'feed_not_found')
    const held = await ask()
    await moderator.api.feeds.update({ feed_id: held, status: 'pending' })
    await refused(vote(moderator, held, 'red'), 403, 'rest_forbidden')
    const old = await makeSpace(world, { members: [author, ana] })
    const id = await ask({}, { space_id: old.id })
    await world.app.write(null, ({ db }) => db.updateTable('spaces').set({ status: 'archived' }).where('id', '=', old.id).execute())
    await refused(vote(ana, id, 'red'), 403, 'rest_forbidden')
    expect((await shown(ana, id)).total_votes).toBe(0)
  })

  it('is open to everyone outside of spaces', async () => {
    const id = await ask({}, { space_id: null })
    expect(counts((await vote(outsider, id, 'green')).results)).toEqual([1, 0, 1, 0])
  })
})

describe('results', () => {
  const HIDDEN = [null, null, null, null]
  const ways = {
    byId: shown,
    bySlug: async (who: Member, feed_id: number) => {
      const { slug } = (await author.api.feeds.byId({ feed_id })).data
      return (await who.api.feeds.bySlug({ feed_slug: slug })).data.meta.survey as Shown
    },
    list: async (who: Member, feed_id: number) => {
      const { feeds } = await who.api.feeds.list({ per_page: 100 })
      return feeds.data.find(({ id }) => id === feed_id)?.meta.survey as Shown
    },
    search: async (who: Member, feed_id: number) => {
      const { feeds } = await who.api.feeds.list({ per_page: 100, search: 'x' })
      return feeds.data.find(({ id }) => id === feed_id)?.meta.survey as Shown
    },
    sticky: async (who: Member, feed_id: number) => {
      const { sticky } = await who.api.feeds.list({ space: space.slug })
      expect(sticky?.id).toBe(feed_id)
      return sticky?.meta.survey as Shown
    },
    bookmark: async (who: Member, feed_id: number) => {
      await who.raw('POST', `/feeds/${feed_id}/react`, { react_type: 'bookmark' })
      const { data } = await who.api.bookmarks.list()
      return data.find(({ feed }) => feed.id === feed_id)?.feed.meta.survey as Shown
    },
  }

  it.each([
    ['always', true, true],
    ['after_vote', true, false],
    ['never', false, false],
  ] as const)('shown %s', async (show_results, voterSees, otherSees) => {
    const id = await ask({ show_results })
    await spaceModerator.api.feeds.update({ feed_id: id, is_sticky: true })
    const { results } = await vote(ana, id, 'red')
    expect(counts(results)).toEqual(voterSees ? [1, 1, 0, 0] : HIDDEN)
    expect(results.options.map(({ percentage }) => percentage)).toEqual(voterSees ? [100, 0, 0] : [null, null, null])
    const sees: readonly (readonly [Member, boolean])[] = [
      [ana, voterSees],
      [ben, otherSees],
      [outsider, otherSees],
      [author, true],
      [spaceModerator, true],
      [moderator, true],
      [admin, true],
    ]
    for (const [who, visible] of sees) {
      for (const [way, look] of Object.entries(ways)) {
        const found = await look(who, id)
        expect({ who: who.username, way, counts: counts(found) }).toEqual({
          who: who.username,
          way,
          counts: visible ? [1, 1, 0, 0] : HIDDEN,
        })
        expect(found.voted).toEqual(who === ana ? ['red'] : [])
      }
      if (visible) expect((await voters(who, id, 'red')).voters.map((voter) => voter.id)).toEqual([ana.id])
      else await refused(voters(who, id, 'red'), 403, 'rest_forbidden')
    }
    expect(counts((await vote(author, id, 'blue')).results)).toEqual([2, 1, 0, 1])
  })

  it('are not revealed by other endpoints', async () => {
    const id = await ask({ show_results: 'never' })
    await vote(ana, id, 'red')
    expect((await ana.raw('GET', `/feeds/${id}/by-id`)).text).not.toMatch(/"(votes|total_votes|percentage)":[0-9]/)
    await refused(voters(ben, id, 'purple'), 400, 'invalid_option')
  })
})

describe('voters', () => {
  it('are paginated, oldest vote first', async () => {
    const id = await ask({ allow_multiple: true }, { space_id: null })
    const people = await Promise.all(Array.from({ length: 23 }, () => world.member()))
    for (const who of people) {
      world.clock.advance(1)
      await vote(who, id, ['red', 'blue'])
    }
    const pages = await Promise.all([1, 2, 3, 4].map((page) => voters(author, id, 'red', { page, per_page: 10 })))
    expect(pages.flatMap((page) => page.voters.map((voter) => voter.id))).toEqual(people.map((who) => who.id))
    expect(pages.map(({ pagination }) => pagination)).toEqual(
      [1, 2, 3, 4].map((current_page) => ({ total: 23, per_page: 10, current_page, total_pages: 3 })),
    )
    const { voters: first, pagination } = await voters(author, id, 'blue')
    expect([first.length, pagination.per_page]).toEqual([20, 20])
    expect(first[0]).toMatchObject({ id: people[0]?.id, avatar: '', voted_at: expect.stringMatching(/^2026-03-10 \d\d:/) })
    expect((await voters(author, id, 'green')).pagination).toEqual({ total: 0, per_page: 20, current_page: 1, total_pages: 0 })
    expect((await voters(author, id, 'red', { per_page: 1000 })).pagination.per_page).toBe(100)
    const bad = await author.raw('GET', `/feeds/${id}/apps/survey-voters/red?per_page=0`)
    expect([bad.status, bad.body.code]).toEqual([400, 'invalid_parameter'])
  })
})

describe('a survey with votes', () => {
  it('keeps its options; the rest may change', async () => {
    const id = await ask()
    const other = [...OPTIONS, { slug: 'black', label: 'Black' }]
    expect((await change(id, { meta: survey({ options: other }) })).status).toBe(200)
    await vote(ana, id, 'black')
    for (const more of [{}, { options: other.toReversed() }, { options: other.slice(1) }, { options: other, allow_multiple: true }]) {
      const { status, body } = await change(id, { meta: survey(more) })
      expect([status, body.code, Object.keys(body.data.errors)]).toEqual([400, 'invalid_data', ['meta.survey']])
    }
    expect((await change(id, { content_type: 'text', meta: { survey: null } })).status).toBe(400)
    expect((await change(id, { meta: survey({ options: other, question: 'Which then?', show_results: 'never' }) })).status).toBe(200)
    expect((await change(id, { title: 'Titled', meta: { note: 1 } })).status).toBe(200)
    const found = await shown(author, id)
    expect([counts(found), found]).toMatchObject([[1, 0, 0, 0, 1], { question: 'Which then?', show_results: 'never' }])
  })

  it('keeps its votes through draft, spam and a move', async () => {
    const id = await ask()
    await vote(ana, id, 'red')
    for (const body of [{ status: 'draft' }, { status: 'published' }, { space_id: null }]) {
      world.clock.advance(1)
      expect((await change(id, body)).status).toBe(200)
    }
    expect(counts(await shown(ana, id))).toEqual([1, 1, 0, 0])
  })

  it('can be replaced after removal if nobody has voted', async () => {
    const id = await ask()
    await change(id, { content_type: 'text', meta: { survey: null } })
    await refused(vote(ana, id, 'red'), 404, 'survey_not_found')
    await change(id, { meta: survey({ options: OPTIONS.slice(1) }) })
    await refused(vote(ana, id, 'red'), 400, 'invalid_option')
    expect(counts((await vote(ana, id, 'blue')).results)).toEqual([1, 0, 1])
  })
})

describe('concurrent votes', () => {
  it('50 votes of one member count once', async () => {
    const id = await ask()
    const slugs = OPTIONS.map(({ slug }) => slug)
    await Promise.all(Array.from({ length: 50 }, (_, i) => vote(ana, id, slugs[i % 3] as string)))
    const found = await shown(author, id)
    expect([found.total_votes, found.options.reduce((sum, { votes }) => sum + (votes ?? 0), 0)]).toEqual([1, 1])
    expect((await shown(ana, id)).voted).toHaveLength(1)
    const rows = await world.app.services.database.read.selectFrom('survey_votes').selectAll().where('feed_id', '=', id).execute()
    expect(rows).toHaveLength(1)
  })

  it('repeated votes of twenty members are counted exactly', async () => {
    const id = await ask({ allow_multiple: true }, { space_id: null })
    const people = await Promise.all(Array.from({ length: 20 }, () => world.member()))
    const choices = [['red'], ['red', 'blue'], ['green'], ['red', 'green', 'blue']]
    await Promise.all(people.flatMap((who, i) => [0, 1, 2].map((n) => vote(who, id, choices[(i + n) % 4] as string[]))))
    const found = await shown(author, id)
    const mine = await Promise.all(people.map(async (who) => (await shown(who, id)).voted))
    const expected = OPTIONS.map(({ slug }) => mine.filter((voted) => voted.includes(slug)).length)
    expect(counts(found)).toEqual([20, ...expected])
  })

  it('a vote is checked against the current options', async () => {
    for (let i = 0; i < 8; i++) {
      const id = await ask()
      const other = { options: ['red', 'black'].map((slug) => ({ slug, label: slug })) }
      const answers = await Promise.all([
        ...[ana, ben].map((who) => who.raw('POST', `/feeds/${id}/apps/survey-vote`, { option_slug: 'blue' })),
        change(id, { meta: survey(other) }),
        change(id, { content_type: 'text', meta: { survey: null } }),
      ])
      for (const { status, text } of answers) expect([200, 400, 404], text).toContain(status)
      await expectSound(world)
    }
  })
})
