import type { NotificationType } from '@lyceum/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeSchool, type School } from '#test/course-fixtures.ts'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** The effects of every action: one row per event. */
const PEOPLE = ['author', 'commenter', 'replier', 'mentioned', 'bystander', 'spaceAdmin', 'spaceModerator', 'newcomer', 'outsider'] as const
type Person = (typeof PEOPLE)[number]

interface Stage {
  readonly people: Record<Person, Member>
  readonly space: Space
  readonly closed: Space
  /** A space where posts are held for moderation. */
  readonly guarded: Space
  /** A course taught by spaceAdmin. */
  readonly course: School
  /** Creates a feed before the effects are recorded. */
  post(body?: object, who?: Person): Promise<number>
  comment(who: Person, feed: number, text?: string, parent?: number): Promise<number>
}

interface Row {
  readonly event: string
  /** Prepares data; returns the id for `act`. */
  readonly before?: (stage: Stage) => Promise<number>
  readonly act: (stage: Stage, subject: number) => Promise<unknown>
  /** Activities that are created: actor and action. */
  readonly activities?: readonly `${Person} ${string}`[]
  /** Notifications that are created: recipient, type, actor. */
  readonly told?: readonly `${Person}: ${NotificationType} of ${Person}`[]
  /** Points earned or taken back. A first post earns 50 more. */
  readonly points?: readonly `${Person} ${number}`[]
}

type Method = 'POST' | 'PUT' | 'DELETE'
const send = async (who: Member, path: string, body?: object, method: Method = 'POST'): Promise<number> => {
  const answer = await who.raw(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data?.id ?? 0
}
const react = (who: Member, feed: number) => send(who, `/feeds/${feed}/react`, { type: 'like' })
const reactTo = (who: Member, feed: number, comment: number) => send(who, `/feeds/${feed}/comments/${comment}/reactions`, { type: 'like' })
const edit = (who: Member, feed: number, body: object) => send(who, `/feeds/${feed}`, body)

const ROWS: readonly Row[] = [
  {
    event: 'feed published',
    act: ({ post, space }) => post({ space_id: space.id, message: 'Hello @mentioned and @outsider' }),
    activities: ['author post_created'],
    told: ['mentioned: mention of author', 'outsider: mention of author'],
    points: ['author 100'],
  },
  {
    event: 'feed published where not all who are mentioned see it',
    act: ({ post, closed }) => post({ space_id: closed.id, message: 'Hello @mentioned and @outsider' }),
    activities: ['author post_created'],
    told: ['mentioned: mention of author'],
    points: ['author 100'],
  },
  {
    event: 'private feed published outside of spaces',
    act: ({ post }) => post({ privacy: 'private', message: 'Hello @mentioned' }),
    activities: ['author post_created'],
    points: ['author 100'],
  },
  { event: 'draft kept', act: ({ post, space }) => post({ space_id: space.id, status: 'draft', message: 'Hello @mentioned' }) },
  {
    event: 'draft published',
    before: ({ post, space }) => post({ space_id: space.id, status: 'draft', message: 'Hello @mentioned' }),
    act: ({ people }, feed) => edit(people.author, feed, { status: 'published' }),
    activities: ['author post_created'],
    told: ['mentioned: mention of author'],
    points: ['author 100'],
  },
  {
    event: 'pending feed approved',
    before: ({ post, guarded }) => post({ space_id: guarded.id, message: 'Hello @mentioned' }),
    act: ({ people }, feed) => edit(people.spaceModerator, feed, { status: 'published' }),
    activities: ['author post_created'],
    told: ['mentioned: mention of author'],
    points: ['author 100'],
  },
  {
    event: 'feed that waits for a moderator',
    act: ({ post, guarded }) => post({ space_id: guarded.id, message: 'Hello @mentioned' }),
  },
  {
    event: 'feed for everyone by who moderates the space',
    act: ({ post, space }) => post({ space_id: space.id, message: 'Dear @everyone and @mentioned' }, 'spaceModerator'),
    activities: ['spaceModerator post_created'],
    told: (['author', 'commenter', 'replier', 'mentioned', 'bystander', 'spaceAdmin'] as const).map(
      (name) => `${name}: mention of spaceModerator` as const,
    ),
    points: ['spaceModerator 100'],
  },
  {
    event: 'feed for everyone by who does not',
    act: ({ post, space }) => post({ space_id: space.id, message: 'Dear @everyone' }),
    activities: ['author post_created'],
    points: ['author 100'],
  },
  {
    event: 'feed edited to mention one more',
    before: ({ post, space }) => post({ space_id: space.id, message: 'Hello @mentioned' }),
    act: ({ people }, feed) => edit(people.author, feed, { message: 'Hello @mentioned and @bystander and @author' }),
    told: ['bystander: mention of author'],
  },
  {
    event: 'feed put back and published again',
    before: ({ post, space }) => post({ space_id: space.id, message: 'Hello @mentioned' }),
    act: async ({ people }, feed) => {
      await edit(people.author, feed, { status: 'draft' })
      await edit(people.author, feed, { status: 'published' })
    },
  },
  {
    event: 'comment published',
    before: ({ post, space }) => post({ space_id: space.id }),
    act: ({ comment }, feed) => comment('commenter', feed),
    activities: ['commenter comment_added'],
    told: ['author: new_comment of commenter'],
    points: ['commenter 10'],
  },
  {
    event: 'comment by the author',
    before: ({ post, space }) => post({ space_id: space.id }),
    act: ({ comment }, feed) => comment('author', feed, 'Hello @author'),
    activities: ['author comment_added'],
    points: ['author 10'],
  },
  {
    event: 'reply published',
    before: async ({ post, comment, space }) => {
      const feed = await post({ space_id: space.id })
      await comment('commenter', feed)
      return feed
    },
    act: async ({ comment, people }, feed) => {
      const [parent] = (await people.author.api.comments.list({ feed_id: feed })).comments
      await comment('replier', feed, 'Quite so', parent?.id)
    },
    activities: ['replier comment_added'],
    told: ['author: new_comment of replier', 'commenter: new_reply of replier'],
    points: ['replier 10'],
  },
  {
    event: 'reply that mentions everybody it could tell',
    before: async ({ post, comment, space }) => {
      const feed = await post({ space_id: space.id })
      await comment('commenter', feed)
      return feed
    },
    act: async ({ comment, people }, feed) => {
      const [parent] = (await people.author.api.comments.list({ feed_id: feed })).comments
      await comment('replier', feed, '@author @commenter @mentioned @outsider', parent?.id)
    },
    activities: ['replier comment_added'],
    told: ['author: mention of replier', 'commenter: mention of replier', 'mentioned: mention of replier', 'outsider: mention of replier'],
    points: ['replier 10'],
  },
  {
    event: 'reply to oneself under one’s own feed',
    before: async ({ post, comment, space }) => {
      const feed = await post({ space_id: space.id })
      await comment('author', feed)
      return feed
    },
    act: async ({ comment, people }, feed) => {
      const [parent] = (await people.author.api.comments.list({ feed_id: feed })).comments
      await comment('replier', feed, 'One person, one notification', parent?.id)
    },
    activities: ['replier comment_added'],
    told: ['author: new_reply of replier'],
    points: ['replier 10'],
  },
  {
    event: 'comment edited to mention somebody',
    before: async ({ post, comment, space }) => {
      const feed = await post({ space_id: space.id })
      await comment('commenter', feed)
      return feed
    },
    act: async ({ people }, feed) => {
      const [found] = (await people.author.api.comments.list({ feed_id: feed })).comments
      await send(people.commenter, `/feeds/${feed}/comments/${found?.id}`, { comment: '@author and @mentioned' })
    },
    told: ['mentioned: mention of commenter'],
  },
  {
    event: 'reaction to a feed',
    before: ({ post, space }) => post({ space_id: space.id }),
    act: ({ people }, feed) => react(people.bystander, feed),
    activities: ['bystander reaction_added'],
    told: ['author: new_reaction of bystander'],
    points: ['author 5'],
  },
  {
    event: 'reaction to a comment',
    before: async ({ post, comment, space }) => {
      const feed = await post({ space_id: space.id })
      await comment('commenter', feed)
      return feed
    },
    act: async ({ people }, feed) => {
      const [found] = (await people.author.api.comments.list({ feed_id: feed })).comments
      await reactTo(people.bystander, feed, found?.id as number)
    },
    activities: ['bystander reaction_added'],
    told: ['commenter: new_reaction of bystander'],
    points: ['commenter 5'],
  },
  {
    event: 'reaction to what is one’s own',
    before: ({ post, space }) => post({ space_id: space.id }),
    act: ({ people }, feed) => react(people.author, feed),
    activities: ['author reaction_added'],
  },
  {
    event: 'reaction taken back',
    before: ({ post, space }) => post({ space_id: space.id }),
    act: async ({ people }, feed) => {
      await react(people.bystander, feed)
      await react(people.bystander, feed)
    },
  },
  {
    event: 'bookmark added',
    before: ({ post, space }) => post({ space_id: space.id }),
    act: ({ people }, feed) => send(people.bystander, `/feeds/${feed}/react`, { react_type: 'bookmark' }),
    activities: ['bystander bookmark_added'],
  },
  {
    event: 'follow active',
    act: ({ people }) => send(people.bystander, `/profile/${people.author.username}/follow`),
    activities: ['bystander follow_user'],
    told: ['author: new_follower of bystander'],
  },
  {
    event: 'space joined',
    act: ({ people, space }) => send(people.newcomer, `/spaces/${space.slug}/join`),
    activities: ['newcomer space_joined'],
    told: ['spaceAdmin: space_join of newcomer'],
    points: ['newcomer 10'],
  },
  {
    event: 'asked to join a space',
    act: ({ people, closed }) => send(people.newcomer, `/spaces/${closed.slug}/join`),
    told: ['spaceAdmin: space_join of newcomer'],
  },
  {
    event: 'request to join approved',
    act: async ({ people, closed }) => {
      await send(people.newcomer, `/spaces/${closed.slug}/join`)
      await send(people.spaceAdmin, `/spaces/${closed.slug}/members`, { user_id: people.newcomer.id, status: 'active' })
    },
    activities: ['newcomer space_joined'],
    told: ['newcomer: space_invite of spaceAdmin', 'spaceAdmin: space_join of newcomer'],
    points: ['newcomer 10'],
  },
  {
    event: 'added to a space',
    act: ({ people, closed }) =>
      send(people.spaceAdmin, `/spaces/${closed.slug}/members`, { user_id: people.newcomer.id, status: 'active' }),
    told: ['newcomer: space_invite of spaceAdmin'],
    points: ['newcomer 10'],
  },
  {
    event: 'course enrolled',
    act: ({ people, course }) => send(people.bystander, `/courses/${course.courseId}/enroll`),
    activities: ['bystander course_enrolled'],
    told: ['spaceAdmin: course_enrollment of bystander'],
  },
  {
    event: 'course enrolled by who teaches it',
    act: ({ people, course }) => send(people.spaceAdmin, `/courses/${course.courseId}/enroll`),
    activities: ['spaceAdmin course_enrolled'],
  },
  {
    event: 'course left',
    before: ({ people, course }) => send(people.newcomer, `/courses/${course.courseId}/enroll`),
    act: ({ people, course }) => send(people.newcomer, `/courses/${course.courseId}/unenroll`),
  },
  {
    event: 'lesson completed, and the course with it',
    before: ({ people, course }) => send(people.newcomer, `/courses/${course.courseId}/enroll`),
    act: async ({ people, course }) => {
      for (const lesson of course.lessons) await send(people.newcomer, `/courses/${course.courseId}/lessons/${lesson}/complete`)
    },
    activities: ['newcomer lesson_completed', 'newcomer lesson_completed'],
    told: ['spaceAdmin: lesson_complete of newcomer', 'spaceAdmin: lesson_complete of newcomer'],
    points: ['newcomer 100'],
  },
  {
    event: 'lesson completed and taken back at once',
    before: ({ people, course }) => send(people.newcomer, `/courses/${course.courseId}/enroll`),
    act: async ({ people, course }) => {
      await send(people.newcomer, `/courses/${course.courseId}/lessons/${course.lessons[0]}/complete`)
      await send(people.newcomer, `/courses/${course.courseId}/lessons/${course.lessons[0]}/incomplete`)
    },
  },
  {
    event: 'comment on a lesson',
    before: ({ people, course }) => send(people.newcomer, `/courses/${course.courseId}/enroll`),
    act: async ({ people, course }) => {
      const { data } = (await people.newcomer.raw('GET', `/courses/${course.courseId}/lessons/${course.lessons[0]}`)).body
      await send(people.newcomer, `/feeds/${data.feed_id}/comments`, { comment: 'Thanks @mentioned' })
    },
    activities: ['newcomer comment_added'],
    told: ['spaceAdmin: new_comment of newcomer'],
    points: ['newcomer 10'],
  },
  {
    event: 'profile updated',
    act: ({ people }) => send(people.author, '/profile/me', { display_name: 'Author' }),
    activities: ['author profile_updated'],
  },
  {
    event: 'comment marked as helpful by who asked',
    before: async ({ post, comment, space }) => {
      const feed = await post({ space_id: space.id, type: 'question' })
      await comment('commenter', feed)
      return feed
    },
    act: async ({ people }, feed) => {
      const [found] = (await people.author.api.comments.list({ feed_id: feed })).comments
      await send(people.author, `/feeds/${feed}/comments/${found?.id}/helpful`)
    },
    points: ['commenter 20'],
  },
  {
    event: 'feed deleted with all that hangs on it',
    before: async ({ people, post, comment, space }) => {
      const feed = await post({ space_id: space.id })
      await comment('commenter', feed)
      await react(people.bystander, feed)
      return feed
    },
    act: ({ people }, feed) => send(people.author, `/feeds/${feed}`, undefined, 'DELETE'),
    points: ['author -105', 'commenter -10'],
  },
]

let world: World
let stage: Stage

beforeAll(async () => {
  world = await createWorld()
  const people = {} as Record<Person, Member>
  for (const name of PEOPLE) people[name] = await world.member({ username: name.toLowerCase(), displayName: name })
  const { author, commenter, replier, mentioned, bystander, spaceAdmin, spaceModerator } = people
  const places = { members: [author, commenter, replier, mentioned, bystander], moderators: [spaceModerator], admins: [spaceAdmin] }
  stage = {
    people,
    space: await makeSpace(world, places),
    closed: await makeSpace(world, { ...places, privacy: 'private' }),
    guarded: await makeSpace(world, { ...places, settings: { require_approval: true } }),
    course: await makeSchool(await world.member({ username: 'dean', role: 'admin' }), { instructor_id: spaceAdmin.id }),
    post: (body = {}, who = 'author') => send(people[who], '/feeds', { message: 'Some words', ...body }),
    comment: (who, feed, text = 'Well said', parent_id) =>
      send(people[who], `/feeds/${feed}/comments`, { comment: text, ...(parent_id && { parent_id }) }),
  }
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.app.write(null, async ({ db }) => {
    for (const table of ['notifications', 'activities', 'followers'] as const) await db.deleteFrom(table).execute()
    for (const table of ['space_members', 'enrolments', 'lesson_completions'] as const)
      await db.deleteFrom(table).where('user_id', '=', stage.people.newcomer.id).execute()
    for (const table of ['points_ledger', 'daily_scores', 'period_scores', 'contribution_counts', 'achievements'] as const)
      await db.deleteFrom(table).execute()
    await db.updateTable('users').set({ total_points: 0 }).execute()
  })
})

const nameOf = (id: number): Person => PEOPLE.find((name) => stage.people[name].id === id) ?? ('nobody' as Person)

const toldNow = async () => {
  const lines: string[] = []
  for (const name of PEOPLE) {
    const { data, total } = (await stage.people[name].api.notifications.list({ per_page: 100 })).notifications
    expect(data.length).toBe(total)
    for (const one of data) {
      expect([one.user_id, one.is_read, one.xprofile.user_id]).toEqual([stage.people[name].id, false, one.actor_id])
      lines.push(`${name}: ${one.type} of ${nameOf(one.actor_id)}`)
    }
  }
  return lines.sort()
}

const activitiesNow = async () => {
  const rows = await world.app.services.database.read.selectFrom('activities').select(['user_id', 'action_type']).execute()
  return rows.map(({ user_id, action_type }) => `${nameOf(user_id)} ${action_type}`).sort()
}

const pointsNow = async () => {
  const { read } = world.app.services.database
  const sums = await read.selectFrom('points_ledger').select(['user_id', 'points']).execute()
  const rows = await read.selectFrom('users').select(['id', 'total_points']).execute()
  const given = (id: number) => sums.reduce((total, row) => (row.user_id === id ? total + row.points : total), 0)
  for (const { id, total_points } of rows) expect([id, total_points]).toEqual([id, given(id)])
  return new Map(rows.map(({ id, total_points }) => [nameOf(id), total_points]))
}

test.each(ROWS)('$event', async ({ before, act, activities = [], told = [], points = [] }) => {
  const subject = (await before?.(stage)) ?? 0
  await world.runPendingJobs()
  const [toldBefore, doneBefore, pointsBefore] = [await toldNow(), await activitiesNow(), await pointsNow()]
  await act(stage, subject)
  await world.runPendingJobs()
  const more = (now: readonly string[], was: readonly string[]) => {
    const rest = [...now]
    for (const line of was) if (rest.includes(line)) rest.splice(rest.indexOf(line), 1)
    return rest
  }
  expect(more(await toldNow(), toldBefore)).toEqual([...told].sort())
  expect(more(await activitiesNow(), doneBefore)).toEqual([...activities].sort())
  const changes = [...(await pointsNow())].map(([name, total]) => [name, total - (pointsBefore.get(name) ?? 0)] as const)
  expect(changes.flatMap(([name, by]) => (by === 0 ? [] : [`${name} ${by}`])).sort()).toEqual([...points].sort())
})
