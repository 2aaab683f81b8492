import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** Behind a pooler, the same requests take longer. */
const RUNS = (inject('poolerUrl') ? 2 : 4) * SOAK

let world: World
let ana: Member
let ben: Member
let admin: Member
let spaces: Space[]

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  ana = await world.member()
  ben = await world.member()
  admin = await world.member({ role: 'admin' })
  spaces = [await makeSpace(world, { members: [ana, ben] }), await makeSpace(world, { members: [ana], moderators: [ben] })]
})
afterAll(() => world.close())

const expectRight = async () => {
  await world.runPendingJobs()
  await expectSound(world)
  const db = world.app.services.database.read
  const pins = await db.selectFrom('feeds').select('space_id').where('is_sticky', '=', 1).where('listed', '=', 1).execute()
  expect(pins.length).toBe(new Set(pins.map((row) => row.space_id)).size)
}

const survey = (...slugs: string[]) => ({ survey: { question: 'Q', options: slugs.map((slug) => ({ slug, label: slug })) } })
const post = async (body: object = {}): Promise<number> => {
  const answer = await ana.raw('POST', '/feeds', { message: 'x', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

it('a feed that is hidden and published concurrently stays consistent', async () => {
  const feed_id = await post()
  for (const status of ['pending', 'published', 'spam', 'published'] as const) await admin.api.feeds.update({ feed_id, status })
  await expectRight()
})

interface Request {
  readonly who: number
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body: Record<string, unknown>
}

const CHANGES: readonly Record<string, unknown>[] = [
  { status: 'published' },
  { status: 'draft' },
  { status: 'pending' },
  { status: 'scheduled', scheduled_at: '2026-03-10 12:00:30' },
  { privacy: 'private' },
  { privacy: 'public' },
  { space: 0 },
  { space: 1 },
  { space: 2 },
  { is_sticky: true },
  { is_sticky: false },
  { title: 'Other', message: 'Other *words*' },
  { expired_at: '2026-03-10 12:00:30' },
  { expired_at: null },
  { meta: survey('a', 'b') },
  { meta: survey('b', 'c') },
  { meta: { survey: null } },
]
const to = (method: Request['method'], path: string, body: Record<string, unknown> = {}) => ({ method, path, body })
const request: fc.Arbitrary<Request> = fc
  .record({
    who: fc.nat(2),
    what: fc.oneof(
      { weight: 10, arbitrary: fc.constantFrom(...CHANGES).map((body) => to('POST', '/feeds/ID', body)) },
      {
        weight: 2,
        arbitrary: fc.constantFrom('a', 'b', 'c').map((option_slug) => to('POST', '/feeds/ID/apps/survey-vote', { option_slug })),
      },
      { weight: 1, arbitrary: fc.constant(to('POST', '/feeds/ID/comments', { comment: 'x' })) },
      { weight: 1, arbitrary: fc.constant(to('POST', '/feeds/ID/react', { type: 'like' })) },
      { weight: 1, arbitrary: fc.constant(to('DELETE', '/feeds/ID')) },
    ),
  })
  .map(({ who, what }) => ({ who, ...what }))

const ask = async (id: number, { who, method, path, body }: Request) => {
  const { space, ...rest } = body
  const sent = space === undefined ? rest : { ...rest, space_id: spaces[space as number]?.id ?? null }
  const person = [ana, ben, admin][who] as Member
  const answer = await person.raw(method, path.replace('ID', String(id)), method === 'POST' ? sent : undefined)
  expect([200, 201, 400, 403, 404], `${method} ${path} ${JSON.stringify(sent)}: ${answer.text}`).toContain(answer.status)
}

it('counts, lists, pins and surveys match the rows after concurrent changes to a few feeds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.tuple(fc.nat(2), request), { minLength: 4, maxLength: 14 }), { minLength: 1, maxLength: 4 }),
      async (batches) => {
        const ids = [await post({ space_id: spaces[0]?.id }), await post({ space_id: spaces[1]?.id, meta: survey('a', 'b') }), await post()]
        for (const batch of batches) {
          await Promise.all(batch.map(([index, what]) => ask(ids[index] as number, what)))
          world.clock.advance(20)
          await expectRight()
        }
      },
    ),
    { numRuns: RUNS },
  )
})

it('feeds that move concurrently between the same spaces all arrive', async () => {
  const places = [spaces[0]?.id as number, spaces[1]?.id as number, null]
  const ids = await Promise.all(Array.from({ length: 9 }, (_, i) => post({ space_id: places[i % 3] })))
  for (let round = 1; round <= 4; round++) {
    const moves = ids.map((id, i) => admin.raw('POST', `/feeds/${id}`, { space_id: places[(i + round) % 3], privacy: undefined }))
    for (const { status } of await Promise.all(moves)) expect(status).toBe(200)
  }
  const own = ids.map((id, i) => ana.raw('POST', `/feeds/${id}`, { privacy: i % 2 ? 'private' : 'public' }))
  for (const { status } of await Promise.all(own)) expect(status).toBe(200)
  await expectRight()
  const db = world.app.services.database.read
  const rows = await db.selectFrom('feeds').select(['id', 'space_id']).where('id', 'in', ids).orderBy('id').execute()
  const expected = ids.map((id, i) => ({ id, space_id: places[(i + 4) % 3] })).sort((a, b) => a.id - b.id)
  expect(rows).toEqual(expected)
})

it('concurrent deletes delete a feed once', async () => {
  const id = await post({ space_id: spaces[0]?.id })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => [ana, admin][i % 2]?.raw('DELETE', `/feeds/${id}`)))
  expect(answers.map((answer) => answer?.status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 404)])
  await expectRight()
})

it('deleting a space during concurrent writes deletes all its content', async () => {
  for (let round = 0; round < 2 * SOAK; round++) {
    const space = await makeSpace(world, { members: [ana, ben] })
    const ids = await Promise.all(Array.from({ length: 4 }, () => post({ space_id: space.id })))
    const answers = await Promise.all([
      ...ids.map((id) => ana.raw('POST', `/feeds/${id}`, { title: 'Edited' })),
      ...ids.map((id) => ana.raw('DELETE', `/feeds/${id}`)),
      ...ids.map((id) => ben.raw('POST', `/feeds/${id}/comments`, { comment: 'x' })),
      ...Array.from({ length: 4 }, () => ana.raw('POST', '/feeds', { message: 'x', space_id: space.id })),
      admin.raw('DELETE', `/spaces/${space.id}/by-id`),
      ...Array.from({ length: 4 }, () => ana.raw('POST', '/feeds', { message: 'x', space_id: space.id })),
      ...ids.map((id) => ben.raw('POST', `/feeds/${id}/react`, { type: 'like' })),
    ])
    for (const { status, text } of answers) expect([200, 201, 404], text).toContain(status)
    await expectRight()
    const left = await world.app.services.database.read.selectFrom('feeds').select('id').where('space_id', '=', space.id).execute()
    expect(left).toEqual([])
  }
})

it('nothing is posted by a member after they left the space', async () => {
  for (let round = 0; round < 2 * SOAK; round++) {
    const space = await makeSpace(world, { privacy: 'private', members: [ana, ben] })
    const write = () => ben.raw('POST', '/feeds', { message: 'x', space_id: space.id })
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, write),
      ben.raw('POST', `/spaces/${space.slug}/leave`),
      ...Array.from({ length: 5 }, write),
    ])
    for (const { status, text } of answers) expect([200, 201, 403], text).toContain(status)
    const db = world.app.services.database.read
    const events = await db.selectFrom('events').selectAll().where('actor_id', '=', ben.id).orderBy('id').execute()
    const left = events.findLast(({ name }) => name === 'space.member_left')
    expect(left).toBeDefined()
    expect(events.filter(({ id, name }) => name === 'feed.published' && id > (left?.id ?? 0))).toEqual([])
    expect((await write()).status).toBe(403)
  }
  await expectRight()
})
