import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant } from '#test/fixtures.ts'
import { rollBackWrites } from '#test/rollback-helper.ts'
import { SOAK } from '#test/scale.ts'
import { everything, type Row, type Tables } from '#test/tables.ts'
import { BODIES, DATE, fill, makeScene, NUMBER, type Scene, sent, TEXT, WRITES } from '#test/valid-bodies.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** Undeclared fields that a body might try to set. No valid row contains these values. */
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
/** Fields that some operations accept, sent to all others. */
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

let world: World
let people: Record<Role, Member>
let other: Member
let scene: Scene
let before: Tables

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
  const password = (await other.api.account.applicationPasswords()).data[0]?.id as number
  await grant(world, people.manager, ['manage_feeds', 'manage_spaces', 'manage_space_members', 'pin_feeds', 'feature_content'])
  scene = await makeScene(world, { ...people, other, password })
  before = await everything(world)
})
afterAll(() => world.close())

type Look = (tables: { readonly before: Tables; readonly after: Tables }) => void

/** All roles; on PostgreSQL, where each check is much slower, a quarter of them in turn, since parsing needs no database. */
const rolesOf = (turn: number): readonly Role[] =>
  world.dialect === 'sqlite' || SOAK > 1 ? ROLES : ROLES.filter((_, i) => i % 4 === turn % 4)

/** Sends as each role and inspects the uncommitted rows; everything is rolled back, so that all roles have the same scene. */
const asEach = async (roles: readonly Role[], send: (role: Role) => Promise<Look>) => {
  for (const role of roles) {
    let after = before
    const end = rollBackWrites(world, async (db) => {
      after = await everything(world, db)
    })
    try {
      const look = await send(role)
      look({ before, after })
    } finally {
      end()
    }
  }
}

const without = (record: object, names: Iterable<string>): object => {
  const left = new Set(names)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name)))
}

/** Cells with a hostile value, except in the request log and stored responses. */
const hostile = (tables: Tables): string[] =>
  [...tables].flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        [String(NUMBER), TEXT, DATE].some((trace) => String(value).includes(trace)) ? [`${table}.${column} = ${String(value)}`] : [],
      ),
    ),
  )

/** A refused request changes nothing, except that a failed sign-in is recorded. */
const lasting = (tables: Tables) => [...tables].filter(([table]) => table !== 'sign_in_failures')

const OWNED = ['feeds', 'comments', 'reactions', 'bookmarks', 'survey_votes', 'application_passwords', 'quiz_attempts'] as const
const keyOf = (row: Row) => JSON.stringify([row['id'] ?? row['feed_id'], row['user_id'], row['slot']])

describe('a body only sets declared fields:', () => {
  test.each(WRITES.map(({ id }) => id))('%s', { timeout: 60_000 }, async (id) => {
    const { route } = WRITES.find((entry) => entry.id === id) as (typeof WRITES)[number]
    const declared = Object.keys(route.body?.properties ?? {})
    const inPath = Object.keys(route.params?.properties ?? {})
    expect(declared.length > 0).toBe(Object.hasOwn(BODIES, id))
    const turn = WRITES.findIndex((entry) => entry.id === id)
    await asEach(rolesOf(turn), async (role) => {
      const who = people[role]
      const honest = BODIES[id]?.(scene, who) ?? {}
      const body = { ...without({ ...SOMETIMES, ...MORE }, [...declared, ...inPath]), ...honest }
      const { status, text } = await who.raw(route.method, fill(route.path, scene), ...sent(route, body))
      expect([200, 201, 400, 401, 403, 404, 409], `${role}: ${text}`).toContain(status)
      expect({ id, role, answered: [String(NUMBER), DATE].filter((trace) => text.includes(trace)) }).toEqual({ id, role, answered: [] })
      const look: Look = ({ before, after }) => {
        expect({ id, role, hostile: hostile(after) }).toEqual({ id, role, hostile: [] })
        if (status >= 400) expect({ id, role, tables: lasting(after) }).toEqual({ id, role, tables: lasting(before) })
        // New rows must belong to the caller.
        for (const table of OWNED) {
          const known = new Set((before.get(table) ?? []).map(keyOf))
          // A lesson's discussion belongs to the instructor.
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
      return look
    })
  })
})

/** Declared fields that need a permission, with the callers who have it. Everybody else must be refused. */
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
  ['feeds.update', { message: 'x', reason: 'House rules' }, ['author', 'spaceModerator', 'spaceAdmin', 'manager', 'administrator']],
  ['comments.update', { is_sticky: true }, ['spaceModerator', 'spaceAdmin', 'globalModerator', 'administrator']],
  ['comments.update', { status: 'spam' }, ['spaceModerator', 'spaceAdmin', 'globalModerator', 'manager', 'administrator']],
  [
    'comments.update',
    { comment: 'x', reason: 'House rules' },
    ['author', 'spaceModerator', 'spaceAdmin', 'globalModerator', 'administrator'],
  ],
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
  ['settings.save', { site_name: 'x' }, ['administrator']],
  ['settings.saveFeatures', { gif_rating: 'g' }, ['administrator']],
  ['settings.reset', {}, ['administrator']],
  ['settingsPages.saveGeneral', { site_title: 'x' }, ['administrator']],
  ['settingsPages.savePrivacy', {}, ['administrator']],
  ['settingsPages.saveLinkProviders', { configs: [] }, ['administrator']],
  ['settingsPages.testStorage', {}, ['administrator']],
  ['links.save', { links: [] }, ['administrator']],
  ['members.update', { badge_slugs: ['helper'] }, ['administrator']],
  ['members.update', { status: 'active' }, ['administrator']],
]

describe('privileged fields are refused to everyone else:', () => {
  test.each(PRIVILEGED)('%s %j', async (id, body, allowed) => {
    const { route } = WRITES.find((entry) => entry.id === id) as (typeof WRITES)[number]
    await asEach(ROLES, async (role) => {
      const own = id === 'feeds.create' ? { ...body, space_id: scene.space.id } : body
      const { status } = await people[role].raw(route.method, fill(route.path, scene), own)
      const may = allowed.includes(role)
      const expected = may ? (route.status ?? 200) : allowed.length > 0 ? 403 : 400
      expect({ role, status }).toEqual({ role, status: expected })
      const look: Look = ({ before, after }) => {
        // Control: an accepted write must be detected.
        if (may && route.write !== false) expect({ role, wrote: after !== before }).toEqual({ role, wrote: true })
        if (!may) expect({ role, tables: [...after] }).toEqual({ role, tables: [...before] })
      }
      return look
    })
  })
})

test('the matrix detects stored values', async () => {
  await people.author.api.feeds.update({ feed_id: scene.feed, title: TEXT })
  expect(hostile(await everything(world)).map((cell) => cell.split(' = ')[0])).toContain('feeds.title')
})
