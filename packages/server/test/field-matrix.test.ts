import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant, makeSpace, type Space } from './arrange.ts'
import { asFile, fieldPart, filePart, form } from './media.ts'
import { makeQuiz, type QuizPlace, submit, THREE, truths } from './quiz-stage.ts'
import { makeSchool, type School } from './school.ts'
import { everything, type Row, type Tables } from './tables.ts'
import { createWorld, type Member, type World } from './world.ts'

/** Every column and idea that a body might try to set without being asked for it. Each value is one that no honest row has. */
const NUMBER = 777_000_777
const TEXT = 'hostile-zqx'
const DATE = '1991-09-09 09:09:09'
const MORE = {
  id: NUMBER,
  post_id: NUMBER,
  feed_id: NUMBER,
  comment_id: NUMBER,
  object_id: NUMBER,
  author_id: NUMBER,
  created_by: NUMBER,
  assigned_by: NUMBER,
  comments_count: NUMBER,
  reactions_count: NUMBER,
  members_count: NUMBER,
  posts_count: NUMBER,
  students_count: NUMBER,
  lessons_count: NUMBER,
  sections_count: NUMBER,
  completed_lessons: NUMBER,
  enrolled_epoch: NUMBER,
  followers_count: NUMBER,
  followings_count: NUMBER,
  voters: NUMBER,
  votes: NUMBER,
  total_votes: NUMBER,
  total_points: NUMBER,
  serial_no: NUMBER,
  is_verified: NUMBER,
  is_admin: true,
  is_private: NUMBER,
  listed: NUMBER,
  all_spaces: NUMBER,
  created_at: DATE,
  updated_at: DATE,
  published_at: DATE,
  active_at: DATE,
  joined_at: DATE,
  enrolled_at: DATE,
  completed_at: DATE,
  last_activity: DATE,
  last_used_at: DATE,
  expires_at: DATE,
  message_rendered: `<b>${TEXT}</b>`,
  description_rendered: `<b>${TEXT}</b>`,
  short_description: TEXT,
  permalink: TEXT,
  hash: TEXT,
  password_hash: TEXT,
  token_hash: TEXT,
  token: TEXT,
  ip_address: TEXT,
  last_ip: TEXT,
  user_agent: TEXT,
  badge_slugs: [TEXT],
  social_links: { twitter: TEXT },
  permissions: [TEXT],
  managed_spaces: [NUMBER],
  my_role: TEXT,
  space_pivot: { role: TEXT },
  xprofile: { display_name: TEXT, is_verified: NUMBER },
  space: { id: NUMBER, title: TEXT },
  comments: [{ message: TEXT }],
  reactions: [{ type: TEXT }],
  terms: [{ id: NUMBER, title: TEXT }],
  has_user_react: TEXT,
  bookmarked: NUMBER,
  lockscreen_config: { redirect_url: TEXT },
  __proto: TEXT,
  'user.role': TEXT,
  'role[]': TEXT,
  ROLE: TEXT,
  Status: TEXT,
}
/** Names that some operations do take: sent to the others. */
const SOMETIMES = {
  user_id: NUMBER,
  parent_id: NUMBER,
  space_id: NUMBER,
  slug: TEXT,
  role: TEXT,
  status: TEXT,
  type: TEXT,
  privacy: TEXT,
  is_sticky: NUMBER,
  priority: NUMBER,
  serial: NUMBER,
  username: TEXT,
  email: TEXT,
  display_name: TEXT,
  settings: { members_page_status: TEXT },
  meta: { note: TEXT },
  meta_settings: { note: TEXT },
  lockscreen: [{ heading: TEXT }],
  scheduled_at: DATE,
  expired_at: DATE,
  featured_image: TEXT,
  title: TEXT,
  name: TEXT,
  password: TEXT,
}

const ROLES = ['outsider', 'member', 'author', 'spaceModerator', 'spaceAdmin', 'globalModerator', 'manager', 'administrator'] as const
type Role = (typeof ROLES)[number]

interface Scene {
  readonly space: Space
  readonly feed: number
  readonly comment: number
  readonly reaction: number
  readonly password: number
  readonly group: number
  readonly media: number
  readonly topic: number
  readonly school: School
  /** With what the other has submitted to it. */
  readonly quiz: QuizPlace & { readonly quiz_id: number }
}

let world: World
let people: Record<Role, Member>
let other: Member
/** Of the other’s application password. */
let password: number

beforeAll(async () => {
  world = await createWorld()
  await world.app.presence.stop()
  people = {
    outsider: await world.member(),
    member: await world.member(),
    author: await world.member(),
    spaceModerator: await world.member(),
    spaceAdmin: await world.member(),
    globalModerator: await world.member({ role: 'moderator' }),
    manager: await world.member({ role: 'manager' }),
    administrator: await world.member({ role: 'admin' }),
  }
  other = await world.member()
  password = (await other.api.account.applicationPasswords()).data[0]?.id as number
  await grant(world, people.manager, ['manage_feeds', 'manage_spaces', 'manage_space_members', 'pin_feeds', 'feature_content'])
})
afterAll(() => world.close())

const makeScene = async (): Promise<Scene> => {
  const { author, member, spaceModerator, spaceAdmin, administrator } = people
  const space = await makeSpace(world, { members: [author, member, other], moderators: [spaceModerator], admins: [spaceAdmin] })
  const survey = { question: 'Q', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
  const { data: file } = await author.api.media.upload({ file: asFile(PDF, 'notes.pdf') })
  const meta = { survey, media_items: [{ url: file.file_url }] }
  const feed = (await author.api.feeds.create({ message: 'A feed', space_id: space.id, meta })).data.id
  const comment = (await author.api.comments.create({ feed_id: feed, comment: 'A comment' })).data.id
  const { space_group } = await administrator.api.spaceGroups.create({ title: 'Group' })
  const topic = (await administrator.api.adminTopics.create({ title: 'Topic' })).id
  const school = await makeSchool(administrator, { lessons: 1, students: [author, other] })
  const quiz = await makeQuiz(world, { questions: THREE, students: [author, other] })
  const quiz_id = (await submit(other, quiz, truths(true, false, false))).quiz_result.id
  return {
    space,
    feed,
    comment,
    reaction: 1,
    password,
    group: space_group.id,
    media: file.id,
    topic,
    school,
    quiz: { ...quiz, quiz_id },
  }
}

type Look = (tables: { readonly before: Tables; readonly after: Tables }, scene: Scene) => void

/** Sends as every role; a scene is set anew, and looked at, only after somebody was let through. */
const asEverybody = async (send: (role: Role, scene: Scene) => Promise<{ status: number; look: Look }>) => {
  let scene = await makeScene()
  let before = await everything(world)
  for (const role of ROLES) {
    const { status, look } = await send(role, scene)
    const after = await everything(world)
    look({ before, after }, scene)
    before = after
    if (status >= 400) continue
    scene = await makeScene()
    before = await everything(world)
  }
}

const PDF = '%PDF-1.7 nothing'

/** A body as it is sent: as JSON, or as a form with a file. */
const sent = (route: Route, body: object): readonly [body: unknown, headers: Record<string, string>] => {
  if (route.method === 'DELETE') return [undefined, {}]
  if (route.consumes !== 'multipart') return [body, {}]
  const fields = Object.entries(body).map(([name, value]) => fieldPart(name, typeof value === 'string' ? value : JSON.stringify(value)))
  const { type, bytes } = form([...fields, filePart(PDF, 'file', 'notes.pdf')])
  return [bytes, { 'content-type': type }]
}

const DEVICE = {
  p256dh: 'BA8btVObzPTDjZZXP_sbnm3d93K8SzS5c0WydInZuYHL4jPOnQpCshmmKIkrahewbWaMf1Dt-xY3xO0mJ9yNvqI',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

/** An honest body for each operation that takes one. */
const BODIES: Readonly<Record<string, (scene: Scene, who: Member) => object>> = {
  'adminCourses.saveLockscreens': () => ({ enabled: true, message: 'Changed' }),
  'adminCourses.addStudent': (_scene, who) => ({ user_id: who.id }),
  'courseCopies.section': ({ school }) => ({ section_id: school.sectionId, from_course_id: school.courseId }),
  'courseSections.create': () => ({ title: 'Another' }),
  'courseSections.reorder': ({ school }) => ({ indexes: { [school.sectionId]: 1 } }),
  'courseSections.update': () => ({ title: 'Changed', status: 'published' }),
  'courseSections.patch': () => ({ title: 'Changed' }),
  'courses.create': () => ({ title: 'A course', description: 'Short', settings: { links: [], html: TEXT } }),
  'courses.update': () => ({ description: 'Changed' }),
  'adminTopics.create': () => ({ title: 'Another' }),
  'adminTopics.update': () => ({ description: 'Changed' }),
  'adminTopics.saveConfig': () => ({ display_style: 'tag', user_can_create: true }),
  'adminLessons.create': ({ school }) => ({ title: 'Another', type: 'lesson', section_id: school.sectionId }),
  'adminLessons.move': ({ school }) => ({ lesson_id: school.lessons[0], section_id: school.sectionId }),
  'lessons.update': () => ({ content: '<p>Changed</p>', resources: [{ title: 'x', url: 'https://example.org/', id: NUMBER }] }),
  'lessons.reorder': ({ school }) => ({ lesson_ids: school.lessons }),
  'progress.setCompletion': () => ({ state: 'completed' }),
  'quizzes.submit': () => ({ answers: truths(true, false, true) }),
  'adminQuizzes.grade': () => ({ feedback: 'Seen' }),
  'account.createApplicationPassword': () => ({ name: 'phone' }),
  'account.changePassword': () => ({ current_password: 'Quiet-river-7431', new_password: 'Other-river-9152' }),
  'account.changeEmail': () => ({ current_password: 'Quiet-river-7431', email: 'new@example.net' }),
  'auth.setup': () => ({ token: 'x', username: 'first', email: 'first@example.net', password: 'Quiet-river-7431' }),
  'auth.register': ({ feed }) => ({ username: `new${feed}`, email: `new${feed}@example.net`, password: 'Quiet-river-7431' }),
  'auth.login': (_scene, who) => ({ login: who.username, password: 'Wrong-river-7431' }),
  'auth.forgotPassword': (_scene, who) => ({ login: who.username }),
  'auth.resetPassword': () => ({ token: 'x', password: 'Quiet-river-7431' }),
  'comments.create': () => ({ comment: 'Mine' }),
  'comments.update': () => ({ comment: 'Changed' }),
  'feeds.create': ({ space }) => ({ message: 'Mine', space_id: space.id }),
  'feeds.update': () => ({ message: 'Changed' }),
  'feeds.preview': () => ({ content: 'Text' }),
  'media.upload': () => ({ object_source: 'comment' }),
  'links.save': () => ({ links: [{ title: 'Link', url: 'https://example.org/', id: NUMBER, serial: NUMBER }] }),
  'members.update': () => ({ status: 'active' }),
  'notifications.savePreferences': () => ({ digest_frequency: 'daily' }),
  'profiles.update': () => ({ bio: 'Changed' }),
  'push.subscribe': ({ feed }) => ({ endpoint: `https://push.example/${feed}`, keys: DEVICE }),
  'push.unsubscribe': () => ({ endpoint: 'https://push.example/other' }),
  'reactions.toFeed': () => ({ type: 'like' }),
  'reactions.toComment': () => ({ type: 'like' }),
  'scheduledPosts.reschedule': () => ({ scheduled_at: '2031-01-01 00:00:00' }),
  'spaceGroups.create': () => ({ title: 'Another' }),
  'spaceGroups.update': () => ({ title: 'Renamed' }),
  'spaceGroups.reorder': ({ group }) => ({ group_ids: [group] }),
  'spaceGroups.reorderSpaces': ({ space }) => ({ space_ids: [space.id] }),
  'spaceGroups.moveSpace': ({ space, group }) => ({ space_id: space.id, group_id: group }),
  'spaceMembers.add': (_scene, who) => ({ user_id: who.id }),
  'spaceMembers.bulkAdd': (_scene, who) => ({ user_ids: [who.id] }),
  'spaceMembers.update': () => ({ role: 'member' }),
  'spaceMembers.remove': () => ({ user_id: other.id }),
  'spaces.create': () => ({ title: 'A space' }),
  'spaces.updateBySlug': () => ({ description: 'Changed' }),
  'spaces.updateById': () => ({ description: 'Changed' }),
  'spaces.saveLockscreens': () => ({ enabled: true, lockscreen: [{ heading: 'x', id: NUMBER, html: TEXT }] }),
  'spaces.saveLinks': () => ({ links: [{ title: 'Link', permalink: 'https://example.org/', slug: TEXT, id: NUMBER }] }),
  'surveys.vote': () => ({ option_slug: 'a' }),
  'topics.create': () => ({ title: 'Mine' }),
}

const WRITES = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).flatMap(([name, route]) =>
    (route as Route).method === 'GET' ? [] : [{ id: `${group}.${name}`, route: route as Route }],
  ),
)

const fill = (path: string, { space, feed, comment, reaction, password, group, media, topic, school, quiz }: Scene) => {
  const values: Record<string, string | number> = {
    feed_id: feed,
    comment_id: comment,
    reaction_id: reaction,
    media_id: media,
    space_id: space.id,
    space_slug: space.slug,
    user_id: other.id,
    username: 'me',
    request_id: 1,
    notification_id: 1,
    group_id: group,
    topic_id: topic,
    id: password,
    course_id: school.courseId,
    section_id: school.sectionId,
    lesson_id: school.lessons[0] ?? 0,
    ...(path.includes('/quiz') && { course_id: quiz.course_id, lesson_id: quiz.lesson_id, quiz_id: quiz.quiz_id }),
  }
  return path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    if (!(name in values)) throw new Error(`the matrix does not know what to put in place of ${name}`)
    return String(values[name])
  })
}

const without = (record: object, names: Iterable<string>): object => {
  const left = new Set(names)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name)))
}

/** Cells that hold something hostile. Bookkeeping of requests and their answers is none of it. */
const hostile = (tables: Tables): string[] =>
  [...tables].flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        [String(NUMBER), TEXT, DATE].some((trace) => String(value).includes(trace)) ? [`${table}.${column} = ${String(value)}`] : [],
      ),
    ),
  )

const OWNED = ['feeds', 'comments', 'reactions', 'bookmarks', 'survey_votes', 'application_passwords', 'quiz_attempts'] as const
const keyOf = (row: Row) => JSON.stringify([row['id'] ?? row['feed_id'], row['user_id'], row['slot']])

describe('no body sets what it is not asked for', () => {
  test.each(WRITES.map(({ id }) => id))('%s', { timeout: 60_000 }, async (id) => {
    const { route } = WRITES.find((entry) => entry.id === id) as (typeof WRITES)[number]
    const declared = Object.keys(route.body?.properties ?? {})
    const inPath = Object.keys(route.params?.properties ?? {})
    expect(declared.length > 0).toBe(Object.hasOwn(BODIES, id))
    await asEverybody(async (role, scene) => {
      const who = people[role]
      const honest = BODIES[id]?.(scene, who) ?? {}
      const body = { ...without({ ...SOMETIMES, ...MORE }, [...declared, ...inPath]), ...honest }
      const { status, text } = await who.raw(route.method, fill(route.path, scene), ...sent(route, body))
      expect([200, 201, 400, 401, 403, 404, 409], `${role}: ${text}`).toContain(status)
      expect({ id, role, answered: [String(NUMBER), DATE].filter((trace) => text.includes(trace)) }).toEqual({ id, role, answered: [] })
      const look: Look = ({ before, after }) => {
        expect({ id, role, hostile: hostile(after) }).toEqual({ id, role, hostile: [] })
        if (status >= 400) expect({ id, role, tables: [...after] }).toEqual({ id, role, tables: [...before] })
        // Whatever came into being belongs to the one who asked.
        for (const table of OWNED) {
          const known = new Set((before.get(table) ?? []).map(keyOf))
          // What is said under a lesson stands with who teaches the course.
          const made = (after.get(table) ?? []).filter((row) => !known.has(keyOf(row)) && row['type'] !== 'course_lesson')
          expect({ id, role, table, of: made.filter((row) => row['user_id'] !== who.id) }).toEqual({ id, role, table, of: [] })
        }
        for (const table of ['users', 'managers', 'sessions', 'tokens'] as const) {
          if (id.startsWith('auth.') && table !== 'managers') continue
          const kept = (row: Row) =>
            id === 'profiles.update' && row['id'] === who.id ? without(row, ['short_description', 'updated_at']) : row
          const rows = (tables: Tables) => tables.get(table)?.map(kept)
          expect({ id, role, [table]: rows(after) }).toEqual({ id, role, [table]: rows(before) })
        }
      }
      return { status, look }
    })
  })
})

/** What is declared and yet takes a right: who may send it, at all. Everybody else is refused and changes nothing. */
const PRIVILEGED: readonly (readonly [id: string, body: object, allowed: readonly Role[]])[] = [
  ['feeds.create', { message: 'x', is_sticky: true }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.create', { message: 'x', priority: 1 }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.create', { message: 'x', type: 'announcement' }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.create', { message: 'x', status: 'pending' }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.create', { message: 'x', status: 'spam' }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.create', { message: 'x', type: 'course_lesson' }, []],
  ['feeds.update', { is_sticky: true }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.update', { priority: 1 }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.update', { type: 'announcement' }, ['spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['feeds.update', { status: 'spam' }, ['spaceModerator', 'spaceAdmin', 'globalModerator', 'manager', 'administrator']],
  ['feeds.update', { privacy: 'private' }, ['author']],
  ['feeds.update', { space_id: null }, ['author', 'manager', 'administrator']],
  ['feeds.update', { message: 'x' }, ['author', 'spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['comments.update', { is_sticky: true }, ['spaceModerator', 'spaceAdmin', 'globalModerator', 'administrator']],
  ['comments.update', { status: 'spam' }, ['spaceModerator', 'spaceAdmin', 'globalModerator', 'manager', 'administrator']],
  ['comments.update', { comment: 'x' }, ['author', 'spaceModerator', 'spaceAdmin', 'globalModerator', 'administrator']],
  ['spaces.updateById', { privacy: 'secret' }, ['spaceAdmin', 'manager', 'administrator']],
  ['spaces.updateById', { status: 'archived' }, ['spaceAdmin', 'manager', 'administrator']],
  ['spaces.create', { title: 'x' }, ['manager', 'administrator']],
  ['spaceMembers.update', { role: 'admin' }, ['spaceAdmin', 'manager', 'administrator']],
  ['spaceMembers.update', { status: 'banned' }, ['spaceAdmin', 'manager', 'administrator']],
  ['spaceGroups.create', { title: 'x' }, ['administrator']],
  ['adminTopics.create', { title: 'x' }, ['administrator']],
  ['adminTopics.update', { admin_only: false }, ['administrator']],
  ['adminTopics.saveConfig', { enabled: false }, ['administrator']],
  ['spaces.updateById', { topic_ids: [] }, ['spaceAdmin', 'manager', 'administrator']],
  ['courses.create', { title: 'x', description: 'x' }, ['manager', 'administrator']],
  ['courses.update', { status: 'archived' }, ['manager', 'administrator']],
  ['courses.update', { instructor_id: null }, ['manager', 'administrator']],
  ['adminCourses.saveLockscreens', { enabled: true }, ['manager', 'administrator']],
  ['adminCourses.addStudent', { user_id: 1 }, ['manager', 'administrator']],
  ['courseSections.create', { title: 'x' }, ['manager', 'administrator']],
  ['courseSections.patch', { status: 'draft' }, ['manager', 'administrator']],
  ['lessons.update', { title: 'x' }, ['manager', 'administrator']],
  ['lessons.update', { status: 'draft' }, ['manager', 'administrator']],
  ['adminQuizzes.grade', { score: 100 }, ['manager', 'administrator']],
  ['adminQuizzes.grade', {}, ['manager', 'administrator']],
  ['links.save', { links: [] }, ['administrator']],
  ['members.update', { badge_slugs: ['helper'] }, ['administrator']],
  ['members.update', { status: 'active' }, ['administrator']],
]

describe('what takes a right is refused to all others', () => {
  test.each(PRIVILEGED)('%s %j', async (id, body, allowed) => {
    const { route } = WRITES.find((entry) => entry.id === id) as (typeof WRITES)[number]
    await asEverybody(async (role, scene) => {
      const own = id === 'feeds.create' ? { ...body, space_id: scene.space.id } : body
      const { status } = await people[role].raw(route.method, fill(route.path, scene), own)
      const may = allowed.includes(role)
      const expected = may ? (route.status ?? 200) : allowed.length > 0 ? 403 : 400
      expect({ role, status }).toEqual({ role, status: expected })
      const look: Look = ({ before, after }) => {
        if (!may) expect({ role, tables: [...after] }).toEqual({ role, tables: [...before] })
      }
      return { status, look }
    })
  })
})

test('the matrix sees what is stored', async () => {
  const scene = await makeScene()
  await people.author.api.feeds.update({ feed_id: scene.feed, title: TEXT })
  expect(hostile(await everything(world)).map((cell) => cell.split(' = ')[0])).toContain('feeds.title')
})
