import { LyceumError } from '@lyceum/sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsWith } from '#test/fixtures.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** Each step is a transaction, which takes five times as long on PostgreSQL. */
const RUNS = SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? 25 : 8
const AT_ONCE = SOAK > 1 ? 200 : 100

let world: World
let people: Member[]
let moderator: Member

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  people = [await world.member(), await world.member(), await world.member()]
  moderator = await world.member({ role: 'moderator' })
})
afterAll(() => world.close())

const person = (index: number): Member => people[index % people.length] as Member
const post = async (): Promise<number> => (await person(0).api.feeds.create({ message: 'A feed' })).data.id
const say = async (feed_id: number, parent_id = 0): Promise<number> =>
  (await person(1).api.comments.create({ feed_id, comment: 'x', parent_id })).data.id

const stored = async (feedId: number) => {
  const db = world.app.services.database.read
  const feed = await db.selectFrom('feeds').selectAll().where('id', '=', feedId).executeTakeFirstOrThrow()
  const comments = await db.selectFrom('comments').selectAll().where('post_id', '=', feedId).orderBy('id').execute()
  const reactions = await db.selectFrom('reactions').selectAll().where('feed_id', '=', feedId).execute()
  return { feed, comments, reactions }
}

/** Asserts that the counters match the rows. */
const expectSound = async (feedId: number) => {
  const { feed, comments, reactions } = await stored(feedId)
  const of = (commentId: number | null) => reactions.filter((row) => row.comment_id === commentId).length
  expect(feed.comments_count).toBe(comments.filter((row) => row.status === 'published').length)
  expect(feed.reactions_count).toBe(of(null))
  expect(comments.map((row) => row.reactions_count)).toEqual(comments.map((row) => of(row.id)))
  const ids = new Set(comments.map((row) => row.id))
  expect(comments.filter((row) => row.parent_id !== null && !ids.has(row.parent_id))).toEqual([])
}

type Op =
  | { kind: 'create'; by: number }
  | { kind: 'reply' | 'remove' | 'hold' | 'publish'; by: number; which: number }
  | { kind: 'react'; by: number; type: 'like' | 'love' }
  | { kind: 'reactTo'; by: number; which: number; type: 'like' | 'love' }

const by = fc.nat(2)
const which = fc.nat(5)
const type = fc.constantFrom('like' as const, 'love' as const)
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), by }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('reply' as const, 'remove' as const, 'hold' as const, 'publish' as const), by, which }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('react' as const), by, type }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reactTo' as const), by, which, type }) },
)

interface Comment {
  readonly id: number
  readonly parent: number | null
  readonly by: number
  published: boolean
  readonly reactions: Map<number, string>
}

/** A simple model of the expected state of a feed. */
const createModel = () => {
  const comments: Comment[] = []
  const reactions = new Map<number, string>()
  const toggle = (map: Map<number, string>, who: number, kind: string) => (map.get(who) === kind ? map.delete(who) : map.set(who, kind))
  return {
    comments,
    reactions,
    pick: (index: number) => comments[index % Math.max(1, comments.length)],
    toggle,
    remove: (id: number) => {
      const staying = comments.filter((comment) => comment.id !== id && comment.parent !== id)
      comments.splice(0, comments.length, ...staying)
    },
  }
}
type Model = ReturnType<typeof createModel>

/** Performs one allowed step on the server and in the model. */
const step = async (feed_id: number, model: Model, what: Op) => {
  const { api } = person(what.by)
  if (what.kind === 'create') {
    const { data } = await api.comments.create({ feed_id, comment: 'x' })
    model.comments.push({ id: data.id, parent: null, by: what.by, published: true, reactions: new Map() })
    return
  }
  if (what.kind === 'react') {
    await api.reactions.toFeed({ feed_id, type: what.type })
    model.toggle(model.reactions, what.by, what.type)
    return
  }
  const comment = model.pick(what.which)
  if (!comment) return
  const path = { feed_id, comment_id: comment.id }
  if (what.kind === 'remove') {
    await person(comment.by).api.comments.remove(path)
    model.remove(comment.id)
  } else if (what.kind === 'hold' || what.kind === 'publish') {
    comment.published = what.kind === 'publish'
    await moderator.api.comments.update({ ...path, status: comment.published ? 'published' : 'pending' })
  } else if (comment.published && what.kind === 'reply') {
    const { data } = await api.comments.create({ feed_id, comment: 'x', parent_id: comment.id })
    expect(data.parent_id).toBe(comment.parent ?? comment.id)
    model.comments.push({ id: data.id, parent: data.parent_id, by: what.by, published: true, reactions: new Map() })
  } else if (comment.published && what.kind === 'reactTo') {
    await api.reactions.toComment({ ...path, type: what.type })
    model.toggle(comment.reactions, what.by, what.type)
  }
}

/** Performs one step without knowing the current state; the comment may be deleted, held or somebody else's. */
const attempt = async (feed_id: number, ids: readonly number[], what: Op) => {
  const { api } = person(what.by)
  const comment_id = 'which' in what ? ids[what.which % Math.max(1, ids.length)] : undefined
  const act = async () => {
    if (what.kind === 'create') return api.comments.create({ feed_id, comment: 'x' })
    if (what.kind === 'react') return api.reactions.toFeed({ feed_id, type: what.type })
    if (comment_id === undefined) return
    if (what.kind === 'reply') return api.comments.create({ feed_id, comment: 'x', parent_id: comment_id })
    if (what.kind === 'reactTo') return api.reactions.toComment({ feed_id, comment_id, type: what.type })
    if (what.kind === 'remove') return moderator.api.comments.remove({ feed_id, comment_id })
    return moderator.api.comments.update({ feed_id, comment_id, status: what.kind === 'hold' ? 'spam' : 'published' })
  }
  await act().catch((error: unknown) => {
    if (!(error instanceof LyceumError) || ![403, 404].includes(error.status)) throw error
  })
}

describe('counters', () => {
  it('match after every sequence of steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 5, maxLength: 25 }), async (ops) => {
        const feedId = await post()
        const model = createModel()
        for (const what of ops) await step(feedId, model, what)
        const { feed, comments, reactions } = await stored(feedId)
        expect(feed.comments_count).toBe(model.comments.filter((comment) => comment.published).length)
        expect(feed.reactions_count).toBe(model.reactions.size)
        expect(comments.map((row) => [row.id, row.parent_id, row.status === 'published', row.reactions_count])).toEqual(
          model.comments.map((comment) => [comment.id, comment.parent, comment.published, comment.reactions.size]),
        )
        expect(reactions.length).toBe(model.reactions.size + model.comments.reduce((sum, comment) => sum + comment.reactions.size, 0))
      }),
      { numRuns: RUNS },
    )
  })

  it('match after concurrent steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(op, { minLength: 2, maxLength: 10 }), { minLength: 1, maxLength: 5 }), async (batches) => {
        const feedId = await post()
        await Promise.all([say(feedId), say(feedId)])
        for (const batch of batches) {
          const ids = (await stored(feedId)).comments.map((row) => row.id)
          await Promise.all(batch.map((what) => attempt(feedId, ids, what)))
          await expectSound(feedId)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('count each of many concurrent comments', async () => {
    const feedId = await post()
    const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => say(feedId)))
    expect(new Set(ids).size).toBe(AT_ONCE)
    expect((await stored(feedId)).feed.comments_count).toBe(AT_ONCE)
  })
})

describe('deleting', () => {
  it('deletes the replies and their reactions', async () => {
    const feedId = await post()
    const [top, other] = [await say(feedId), await say(feedId)]
    const replies = await Promise.all(Array.from({ length: 5 }, () => say(feedId, top)))
    await person(0).api.reactions.toComment({ feed_id: feedId, comment_id: replies[0] as number, type: 'like' })
    await moderator.api.comments.update({ feed_id: feedId, comment_id: replies[1] as number, status: 'spam' })
    await person(1).api.comments.remove({ feed_id: feedId, comment_id: top })
    const { feed, comments, reactions } = await stored(feedId)
    expect([feed.comments_count, comments.map((row) => row.id), reactions]).toEqual([1, [other], []])
    for (const comment_id of [top, ...replies]) {
      expect((await eventsWith(world, { comment_id, user_id: person(1).id })).at(-1)).toBe('comment.deleted')
    }
    expect((await person(1).raw('DELETE', `/feeds/${feedId}/comments/${top}`)).status).toBe(404)
  })

  it('leaves no concurrent reply behind', async () => {
    const feedId = await post()
    const top = await say(feedId)
    const reply = () => person(2).raw('POST', `/feeds/${feedId}/comments`, { comment: 'x', parent_id: top })
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, reply),
      person(1).raw('DELETE', `/feeds/${feedId}/comments/${top}`),
      ...Array.from({ length: 10 }, reply),
    ])
    for (const { status, body } of answers) expect([200, 201, body?.code === 'parent_not_found' ? status : 404]).toContain(status)
    const late = await reply()
    expect([late.status, late.body.code]).toEqual([404, 'parent_not_found'])
    expect((await stored(feedId)).comments).toEqual([])
    await expectSound(feedId)
  })

  it('sets the activity time of the feed to that of the remaining comments', async () => {
    const activeAt = async (feedId: number) => (await stored(feedId)).feed.active_at
    const feedId = await post()
    const published = await activeAt(feedId)
    const moments: string[] = []
    const ids: number[] = []
    for (let i = 0; i < 3; i++) {
      world.clock.advance(60)
      ids.push(await say(feedId))
      moments.push(await activeAt(feedId))
    }
    expect(moments).toEqual([...new Set(moments)].toSorted())
    const [first, second, third] = ids as [number, number, number]
    const remove = (comment_id: number) => person(1).api.comments.remove({ feed_id: feedId, comment_id })
    await remove(second)
    expect(await activeAt(feedId)).toBe(moments[2])
    await remove(third)
    expect(await activeAt(feedId)).toBe(moments[0])
    await moderator.api.comments.update({ feed_id: feedId, comment_id: first, status: 'spam' })
    expect(await activeAt(feedId)).toBe(published)
    world.clock.advance(60)
    await person(0).api.feeds.update({ feed_id: feedId, message: 'Edited' })
    const edited = await activeAt(feedId)
    world.clock.advance(60)
    await remove(await say(feedId))
    expect(await activeAt(feedId)).toBe(edited)
  })
})
