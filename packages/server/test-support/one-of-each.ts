import { type Actor, makeActors, makePeople, type People } from './actors.ts'
import { makeSchool } from './course-fixtures.ts'
import { makeSpace, type Space } from './fixtures.ts'
import { asFile } from './media.ts'
import { makeQuiz, submit, THREE, truths } from './quiz-stage.ts'
import type { Scene } from './valid-bodies.ts'
import { createWorld, type Member, type World } from './world.ts'

/** Locations of objects: in a space of that privacy, or outside of spaces; courses have none. */
export const PLACES = ['private', 'public', 'secret', 'outside', 'open course', 'secret course'] as const
export type Place = (typeof PLACES)[number]

/** The objects of one location: ids for paths, and a scene for valid bodies. */
export interface Things {
  readonly scene: Scene
  readonly slug: string
  readonly held: { readonly feed: number; readonly comment: number }
  readonly scheduled: number
  readonly report: number
}

/** Objects of one member, by the resource whose paths refer to them. */
export interface Belongings {
  readonly password: number
  readonly notification: number
  readonly request: number
  readonly subscription: number
  readonly export: number
}

export interface Stage {
  readonly world: World
  readonly people: People
  readonly actors: readonly Actor[]
  readonly sets: Readonly<Record<Place, Things>>
  /** Owns objects that the caller does not; a regular member of every space. */
  readonly other: Member
  readonly manager: Member
  readonly suspended: Member
  readonly waiting: Member
  readonly webhook: number
  readonly delivery: number
  readonly belongings: ReadonlyMap<number, Belongings>
}

/** Creates every kind of private object for a member. */
const equip = (world: World, who: Member, follower: Member): Promise<Belongings> =>
  world.app.write(null, async ({ db, now }) => {
    const insert = async (
      table: 'notifications' | 'notification_actors' | 'followers' | 'push_subscriptions' | 'data_exports',
      values: object,
    ) =>
      (
        await db
          .insertInto(table)
          .values(values as never)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const stamps = { created_at: now, updated_at: now }
    const password = await db.selectFrom('application_passwords').select('id').where('user_id', '=', who.id).executeTakeFirstOrThrow()
    const object = { object_id: 1, object_type: 'feed', space_id: null, feed_id: null, comment_id: null, read_at: null }
    const notification = await insert('notifications', { user_id: who.id, type: 'mention', dedup_key: `x:${who.id}`, ...object, ...stamps })
    await insert('notification_actors', { notification_id: notification, actor_id: follower.id, comment_id: null, created_at: now })
    return {
      password: password.id,
      notification,
      request: await insert('followers', { follower_id: follower.id, following_id: who.id, status: 'pending', ...stamps }),
      subscription: await insert('push_subscriptions', {
        user_id: who.id,
        endpoint: `https://push.example/of/${who.id}`,
        p256dh: 'x',
        auth: 'x',
        created_at: now,
        last_used_at: null,
      }),
      export: await insert('data_exports', {
        user_id: who.id,
        requested_by: who.id,
        key: `key${who.id}`,
        status: 'failed',
        store: 'disk',
        path: null,
        size: null,
        locked_until: null,
        created_at: now,
        completed_at: null,
        expires_at: null,
      }),
    }
  })

type Common = Pick<Scene, 'password' | 'group' | 'topic' | 'school' | 'quiz' | 'other'>

/** Feeds in a space or outside: a question with a survey, a comment, and held and scheduled ones. */
const converse = async ({ author, administrator }: People, common: Common, space: Space | null): Promise<Things> => {
  const { feeds, comments, reactions, media } = author.api
  const { data: file } = await media.upload({ file: asFile('%PDF-1.7 nothing', 'notes.pdf') })
  const survey = { question: 'Q', show_results: 'never', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
  const place = space ? { space_id: space.id } : {}
  const meta = { survey, media_items: [{ url: file.file_url }] }
  const { id: feed, slug } = (await feeds.create({ message: 'A question', type: 'question', ...place, meta })).data
  const comment = (await comments.create({ feed_id: feed, comment: 'A comment' })).data.id
  const { reaction } = (await reactions.toFeed({ feed_id: feed, type: 'love' })).data as { reaction: { id: number } }
  const held = (await feeds.create({ message: 'Held', ...place })).data.id
  await administrator.api.feeds.update({ feed_id: held, status: 'pending' })
  const heldComment = (await comments.create({ feed_id: feed, comment: 'Held' })).data.id
  await administrator.api.comments.update({ feed_id: feed, comment_id: heldComment, status: 'pending' })
  const scheduled = (await feeds.create({ message: 'Later', ...place, status: 'scheduled', scheduled_at: '2030-01-01 00:00:00' })).data.id
  const { id: report } = await common.other.api.moderation.report({ object_id: feed, object_type: 'feed', reason: 'spam' })
  return {
    scene: { ...common, space: space ?? { id: 0, slug: 'none' }, feed, comment, reaction: reaction.id, media: file.id },
    slug,
    held: { feed: held, comment: heldComment },
    scheduled,
    report,
  }
}

/** A course, and one with a quiz that `other` has submitted. */
const teach = async (world: World, { teacher, student, administrator }: People, other: Member, privacy: 'public' | 'secret') => {
  const students = [student, other]
  const school = await makeSchool(administrator, { lessons: 1, students, instructor_id: teacher.id, privacy })
  const quiz = await makeQuiz(world, { questions: THREE, students, owner: teacher })
  await submit(student, quiz, truths(true, false, false))
  const quiz_id = (await submit(other, quiz, truths(true, false, false))).quiz_result.id
  await world.app.write(null, async ({ db }) => {
    await db.updateTable('courses').set({ privacy }).where('id', '=', quiz.course_id).execute()
  })
  return { school, quiz: { ...quiz, quiz_id } }
}

/** A discussion under a lesson, with a report. */
const discuss = async ({ app }: World, { student }: People, things: Things): Promise<Things> => {
  const { scene } = things
  const db = app.services.database.read
  const lesson = await db
    .selectFrom('lessons')
    .select('feed_id')
    .where('id', '=', scene.school.lessons[0] ?? 0)
    .executeTakeFirstOrThrow()
  const feed = lesson.feed_id as number
  const comment = (await scene.other.api.comments.create({ feed_id: feed, comment: 'A comment' })).data.id
  const { id: report } = await student.api.moderation.report({ object_id: comment, object_type: 'comment', reason: 'spam' })
  return { ...things, scene: { ...scene, feed, comment }, report }
}

/** A webhook whose endpoint cannot be reached, with a failed delivery. */
const makeWebhook = async ({ app }: World, { administrator }: People): Promise<{ webhook: number; delivery: number }> => {
  const fields = { name: 'Hook', url: 'https://93.184.215.14/', events: ['feed.deleted'], status: 'inactive' } as const
  await administrator.api.migrations.saveConfig({ source: 'fluentcommunity', url: 'https://93.184.215.14/' })
  const { id } = await administrator.api.webhooks.create({ ...fields, events: ['feed.deleted'] })
  return app.write(null, async ({ db, now }) => {
    await db.updateTable('webhooks').set({ url: 'http://127.0.0.1:9/', status: 'active' }).where('id', '=', id).execute()
    const delivery = await db
      .insertInto('webhook_deliveries')
      .values({
        webhook_id: id,
        event_id: 1,
        event: 'feed.deleted',
        name: 'feed.deleted',
        payload: '{}',
        actor_id: null,
        occurred_at: now,
        status: 'failed',
        next_try_at: null,
        locked_until: null,
        attempted_at: null,
        response_code: null,
        response_time: null,
        last_error: null,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { webhook: id, delivery: delivery.id }
  })
}

const banFrom = (world: World, spaces: readonly Space[], { id }: Member) =>
  world.app.write(null, async ({ db, now }) => {
    for (const space of spaces)
      await db
        .insertInto('space_members')
        .values({ space_id: space.id, user_id: id, role: 'member', status: 'banned', joined_at: now, updated_at: now })
        .execute()
  })

const setStatus = (world: World, { id }: Member, status: 'suspended' | 'pending') =>
  world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set({ status }).where('id', '=', id).execute()
  })

/** A community with every object that API paths refer to, in each location, and all actors. */
export const makeStage = async (): Promise<Stage> => {
  const world = await createWorld({ env: { LYCEUM_GIF_API_URL: 'http://127.0.0.1:9' } })
  const people = await makePeople(world)
  const { author, spaceMember, spaceModerator, spaceAdmin, administrator } = people
  await administrator.api.settings.saveFeatures({ gif_enabled: true, gif_api_key: 'key' })
  const [other, manager, suspended, waiting] = [
    await world.member(),
    await world.member({ role: 'moderator' }),
    await world.member(),
    await world.member(),
  ]
  const inside = { members: [author, spaceMember, other], moderators: [spaceModerator], admins: [spaceAdmin] }
  const spaces = {
    private: await makeSpace(world, { privacy: 'private', ...inside }),
    public: await makeSpace(world, { privacy: 'public', ...inside }),
    secret: await makeSpace(world, { privacy: 'secret', ...inside }),
  }
  const elsewhere = await makeSpace(world, { privacy: 'private' })
  const password = (await other.api.account.applicationPasswords()).data[0]?.id as number
  const { space_group } = await administrator.api.spaceGroups.create({ title: 'Group' })
  const topic = (await administrator.api.adminTopics.create({ title: 'Topic' })).id
  const common = { password, group: space_group.id, topic, other, ...(await teach(world, people, other, 'public')) }
  const outside = await converse(people, common, null)
  const sets = {
    outside,
    private: await converse(people, common, spaces.private),
    public: await converse(people, common, spaces.public),
    secret: await converse(people, common, spaces.secret),
    'open course': await discuss(world, people, outside),
    'secret course': await discuss(world, people, {
      ...outside,
      scene: { ...outside.scene, ...(await teach(world, people, other, 'secret')) },
    }),
  }
  await banFrom(world, Object.values(spaces), people.bannedFromSpaces)
  // Lazily created data must exist before the first rollback.
  await administrator.api.leaderboard.list()
  const hook = await makeWebhook(world, people)
  const actors = await makeActors(world, people, { here: Object.values(spaces), elsewhere })
  await setStatus(world, suspended, 'suspended')
  await setStatus(world, waiting, 'pending')
  const belongings = new Map<number, Belongings>()
  for (const who of new Set([other, ...actors.flatMap(({ member }) => member ?? [])]))
    belongings.set(who.id, await equip(world, who, manager))
  return { world, people, actors, sets, other, manager, suspended, waiting, ...hook, belongings }
}
