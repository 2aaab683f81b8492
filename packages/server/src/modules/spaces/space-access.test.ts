import type { Permission } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type RawAnswer, refused, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const PRIVACIES = ['public', 'private', 'secret'] as const
type Privacy = (typeof PRIVACIES)[number]

/** Every possible relation to a space. */
const WHO = [
  'outsider',
  'pending',
  'banned',
  'member',
  'space moderator',
  'space admin',
  'global moderator',
  'manager elsewhere',
  'manager of members here',
  'manager of spaces here',
  'administrator',
] as const
type Who = (typeof WHO)[number]
type People = Readonly<Record<Who, Member>>

const manager = async (permissions: readonly Permission[], spaces: readonly Space[]) => {
  const member = await world.member({ role: 'manager' })
  await grant(world, member, permissions, spaces)
  return member
}

const put = async (space: Space, member: Member, status: 'pending' | 'banned') => {
  const { now } = { now: '2026-03-10 12:00:00' }
  await world.app.services.database.write((db) =>
    db.insertInto('space_members').values({ space_id: space.id, user_id: member.id, status, joined_at: now, updated_at: now }).execute(),
  )
}

const peopled = async (options: { privacy: Privacy; status?: 'published' | 'draft' | 'archived'; settings?: Record<string, unknown> }) => {
  const [member, moderator, admin] = [await world.member(), await world.member(), await world.member()]
  const space = await makeSpace(world, { ...options, members: [member], moderators: [moderator], admins: [admin] })
  const elsewhere = await makeSpace(world)
  const [pending, banned] = [await world.member(), await world.member()]
  await put(space, pending, 'pending')
  await put(space, banned, 'banned')
  const people: People = {
    outsider: await world.member(),
    pending,
    banned,
    member,
    'space moderator': moderator,
    'space admin': admin,
    'global moderator': await world.member({ role: 'moderator' }),
    'manager elsewhere': await manager(['manage_spaces', 'manage_space_members'], [elsewhere]),
    'manager of members here': await manager(['manage_space_members'], [space]),
    'manager of spaces here': await manager(['manage_spaces'], [space]),
    administrator: await world.member({ role: 'admin' }),
  }
  return { space, people }
}

const STRANGERS: readonly Who[] = ['outsider', 'pending', 'banned', 'manager elsewhere']
const RUNS: readonly Who[] = ['space admin', 'manager of spaces here', 'administrator']
const MEMBERS: readonly Who[] = [...RUNS, 'manager of members here']
const STAFF: readonly Who[] = [...MEMBERS, 'space moderator', 'global moderator']
const INSIDE: readonly Who[] = [...STAFF, 'member']
const MODERATE: readonly Who[] = ['space moderator', 'space admin', 'administrator']

const of = ({ status, body }: RawAnswer) => (status < 300 ? 'yes' : `${status} ${body.code}`)
const FORBIDDEN = '403 rest_forbidden'
const MISSING = '404 space_not_found'

/** A request, and who may make it if the space is visible to them. */
interface Probe {
  readonly name: string
  readonly allowed: readonly Who[]
  readonly ask: (who: Member, space: { id: number; slug: string }) => Promise<RawAnswer>
}

const nobody = { user_id: 900_000 }
/** An error with this code means that the permission check passed. */
const allowedBut = (code: string, answer: RawAnswer): RawAnswer => (answer.body?.code === code ? { ...answer, status: 200 } : answer)

const PROBES: readonly Probe[] = [
  { name: 'read by id', allowed: WHO, ask: (who, { id }) => who.raw('GET', `/spaces/${id}/by-id`) },
  { name: 'read by slug', allowed: WHO, ask: (who, { slug }) => who.raw('GET', `/spaces/${slug}/by-slug`) },
  { name: 'read the lock screen', allowed: WHO, ask: (who, { slug }) => who.raw('GET', `/spaces/${slug}/lockscreens`) },
  { name: 'list members', allowed: INSIDE, ask: (who, { slug }) => who.raw('GET', `/spaces/${slug}/members`) },
  { name: 'list requests', allowed: MEMBERS, ask: (who, { slug }) => who.raw('GET', `/spaces/${slug}/members?status=pending`) },
  { name: 'list bans', allowed: MEMBERS, ask: (who, { slug }) => who.raw('GET', `/spaces/${slug}/members?status=banned`) },
  { name: 'search people', allowed: MEMBERS, ask: (who, { id }) => who.raw('GET', `/spaces/users/search?q=member&space_id=${id}`) },
  {
    name: 'add somebody',
    allowed: MEMBERS,
    ask: async (who, { slug }) => allowedBut('user_not_found', await who.raw('POST', `/spaces/${slug}/members`, nobody)),
  },
  {
    name: 'add several',
    allowed: MEMBERS,
    ask: (who, { slug }) => who.raw('POST', `/spaces/${slug}/members/bulk-add`, { user_ids: [900_000] }),
  },
  {
    name: 'change a role',
    allowed: MEMBERS,
    ask: async (who, { slug }) =>
      allowedBut('member_not_found', await who.raw('PUT', `/spaces/${slug}/members/900000`, { role: 'member' })),
  },
  {
    name: 'remove somebody',
    allowed: MEMBERS,
    ask: async (who, { slug }) => allowedBut('member_not_found', await who.raw('POST', `/spaces/${slug}/members/remove`, nobody)),
  },
  {
    name: 'remove by path',
    allowed: MEMBERS,
    ask: async (who, { slug }) => allowedBut('member_not_found', await who.raw('DELETE', `/spaces/${slug}/members/900000`)),
  },
  {
    name: 'ban somebody',
    allowed: MEMBERS,
    ask: async (who, { slug }) => allowedBut('member_not_found', await who.raw('POST', `/spaces/${slug}/members/900000/ban`)),
  },
  {
    name: 'lift a ban',
    allowed: MEMBERS,
    ask: async (who, { slug }) => allowedBut('member_not_found', await who.raw('POST', `/spaces/${slug}/members/900000/unban`)),
  },
  { name: 'change it', allowed: RUNS, ask: (who, { id }) => who.raw('PUT', `/spaces/${id}/by-id`, { logo: '' }) },
  { name: 'change it by slug', allowed: RUNS, ask: (who, { slug }) => who.raw('PUT', `/spaces/${slug}/by-slug`, {}) },
  { name: 'set links', allowed: RUNS, ask: (who, { slug }) => who.raw('POST', `/spaces/${slug}/links`, { links: [] }) },
  { name: 'set the lock screen', allowed: RUNS, ask: (who, { slug }) => who.raw('PUT', `/spaces/${slug}/lockscreens`, { enabled: false }) },
  { name: 'read extension fields', allowed: RUNS, ask: (who, { slug }) => who.raw('GET', `/spaces/${slug}/meta-settings`) },
]

/** The response to each person, per probe. */
const answers = async (people: People, space: { id: number; slug: string }, probes = PROBES) => {
  const table: Record<string, Record<string, string>> = {}
  for (const { name, ask } of probes) {
    table[name] = {}
    for (const who of WHO) table[name][who] = of(await ask(people[who], space))
  }
  return table
}

const expected = (sees: readonly Who[]) =>
  Object.fromEntries(
    PROBES.map(({ name, allowed }) => [
      name,
      Object.fromEntries(WHO.map((who) => [who, !sees.includes(who) ? MISSING : allowed.includes(who) ? 'yes' : FORBIDDEN])),
    ]),
  )

describe.each(PRIVACIES)('a %s space', (privacy) => {
  test('allows each person what their relation permits', async () => {
    const { space, people } = await peopled({ privacy })
    expect(await answers(people, space)).toEqual(expected(privacy === 'secret' ? INSIDE : WHO))
    for (const { ask } of PROBES) {
      const { status, body } = await ask({ ...people.outsider, raw: (...call) => world.request(...call) }, space)
      expect([status, body.code]).toEqual([401, 'rest_forbidden'])
    }
  })

  test('can be deleted by its managers', async () => {
    const { space, people } = await peopled({ privacy })
    const others = WHO.filter((who) => !RUNS.includes(who))
    const asked = await Promise.all(others.map(async (who) => [who, of(await people[who].raw('DELETE', `/spaces/${space.slug}`))]))
    const hidden = privacy === 'secret' ? STRANGERS : []
    expect(asked).toEqual(others.map((who) => [who, hidden.includes(who) ? MISSING : FORBIDDEN]))
    expect(of(await people['space admin'].raw('DELETE', `/spaces/${space.id}/by-id`))).toBe('yes')
  })

  test('is listed for those who may see it', async () => {
    const { space, people } = await peopled({ privacy })
    const inLists = async (who: Member) => {
      const query = { per_page: 100 }
      const { groups, orphaned_spaces } = await who.api.spaceGroups.list({ include_empty: true })
      const lists = [
        (await who.api.spaces.list(query)).spaces,
        (await who.api.spaces.all(query)).spaces.data,
        [...orphaned_spaces, ...groups.flatMap((group) => group.spaces ?? [])],
        (await who.api.spaces.discover(query)).spaces.data,
        (await who.api.spaces.discover({ ...query, type: 'joined' })).spaces.data,
      ]
      return lists.map((list) => list.some(({ id }) => id === space.id))
    }
    const seen = await Promise.all(WHO.map(async (who) => [who, await inLists(people[who])]))
    const isIn: readonly Who[] = ['member', 'space moderator', 'space admin']
    const wanted = WHO.map((who) => {
      const sees = privacy !== 'secret' || INSIDE.includes(who)
      return [who, [sees, sees, sees, privacy !== 'secret' || isIn.includes(who), isIn.includes(who)]]
    })
    expect(seen).toEqual(wanted)
  })

  test('returns each person’s permissions', async () => {
    const { space, people } = await peopled({ privacy })
    for (const who of INSIDE) {
      const { data } = await people[who].api.spaces.byId({ space_id: space.id })
      expect({ who, permissions: data.permissions }).toMatchObject({
        who,
        permissions: {
          can_view_info: true,
          can_view_posts: true,
          can_view_members: true,
          can_comment: true,
          can_add_member: MEMBERS.includes(who),
          can_remove_member: MEMBERS.includes(who),
          community_admin: RUNS.includes(who),
          community_moderator: ['space moderator', 'space admin', 'administrator'].includes(who),
          is_member: ['member', 'space moderator', 'space admin'].includes(who),
          is_pending: false,
        },
      })
      expect(data.lockscreen_config).toBeNull()
    }
    if (privacy === 'secret') return
    for (const who of STRANGERS) {
      const { data } = await people[who].api.spaces.byId({ space_id: space.id })
      const { can_view_info, can_view_posts, is_pending, ...others } = data.permissions
      expect({ who, can_view_info, can_view_posts, is_pending }).toEqual({
        who,
        can_view_info: true,
        can_view_posts: privacy === 'public',
        is_pending: who === 'pending',
      })
      expect(Object.values(others)).toEqual(Object.values(others).map(() => false))
      expect(data.is_member).toBe(false)
      expect(data.role).toBeNull()
      expect(data.lockscreen_config === null).toBe(privacy === 'public')
    }
  })
})

test('a secret space responds to outsiders exactly like a missing one', async () => {
  const { space, people } = await peopled({ privacy: 'secret' })
  const missing = { id: 987_654, slug: 'no-such-space' }
  const probes: Probe['ask'][] = [
    ...PROBES.map(({ ask }) => ask),
    (who, { slug }) => who.raw('POST', `/spaces/${slug}/join`),
    (who, { slug }) => who.raw('POST', `/spaces/${slug}/leave`),
    (who, { slug }) => who.raw('DELETE', `/spaces/${slug}`),
    (who, { id }) => who.raw('DELETE', `/spaces/${id}/by-id`),
  ]
  for (const who of STRANGERS) {
    for (const ask of probes) {
      const [one, two] = [await ask(people[who], space), await ask(people[who], missing)]
      expect(one.status).toBe(404)
      expect([one.status, one.text]).toEqual([two.status, two.text])
    }
    const { spaces, pagination } = await people[who].api.spaces.list({ search: 'Space', privacy: 'secret', per_page: 100 })
    expect([spaces, pagination.total]).toEqual([[], 0])
  }
})

test('a draft is visible to its moderators, admins and staff', async () => {
  const { space, people } = await peopled({ privacy: 'public', status: 'draft' })
  const table = await answers(people, space, PROBES.slice(0, 1))
  expect(table['read by id']).toEqual(Object.fromEntries(WHO.map((who) => [who, STAFF.includes(who) ? 'yes' : MISSING])))
  for (const who of ['member', 'outsider'] as const) {
    const { spaces } = await people[who].api.spaces.list({ status: 'draft', per_page: 100 })
    expect(spaces.map(({ id }) => id)).not.toContain(space.id)
    await refused(people[who].api.spaceMembers.join({ space_slug: space.slug }), 404, 'space_not_found')
  }
  const { spaces } = await people['space moderator'].api.spaces.list({ status: 'draft' })
  expect(spaces.map(({ id }) => id)).toContain(space.id)
})

test('an archived space is read-only for everyone', async () => {
  const { space, people } = await peopled({ privacy: 'public', status: 'archived' })
  for (const who of WHO) {
    const { permissions } = (await people[who].api.spaces.byId({ space_id: space.id })).data
    expect({ who, ...permissions }).toMatchObject({
      who,
      can_view_posts: true,
      can_create_post: false,
      can_comment: false,
      can_react: false,
    })
  }
})

test('comment and reaction permissions while either is disabled', async () => {
  const { space, people } = await peopled({ privacy: 'public', settings: { allow_comments: false, allow_reactions: false } })
  for (const who of WHO) {
    const { can_comment, can_react } = (await people[who].api.spaces.byId({ space_id: space.id })).data.permissions
    expect({ who, can_comment, can_react }).toEqual({ who, can_comment: MODERATE.includes(who), can_react: false })
  }
})

test.each([
  ['members_only', INSIDE],
  ['everybody', WHO],
  ['logged_in', WHO],
  ['admin_only', MEMBERS],
] as const)('the members of a public space are shown to %s', async (members_page_status, allowed) => {
  const settings = { members_page_status, hide_members_count: 'yes' }
  const { space, people } = await peopled({ privacy: 'public', settings })
  for (const who of WHO) {
    const { data } = await people[who].api.spaces.byId({ space_id: space.id })
    expect({ who, shown: data.permissions.can_view_members }).toEqual({ who, shown: allowed.includes(who) })
    expect(data.members_count).toBe(allowed.includes(who) ? 3 : 0)
    expect(of(await people[who].raw('GET', `/spaces/${space.slug}/members`))).toBe(allowed.includes(who) ? 'yes' : FORBIDDEN)
  }
})

test('members of a private space are never shown to outsiders', async () => {
  const { space, people } = await peopled({ privacy: 'private', settings: { members_page_status: 'everybody' } })
  for (const who of STRANGERS) await refused(people[who].api.spaceMembers.list({ space_slug: space.slug }), 403, 'rest_forbidden')
})

describe('permission to post', () => {
  const mayPost = async (settings: Record<string, unknown>) => {
    const { space, people } = await peopled({ privacy: 'public', settings })
    const verified = await world.member()
    await world.app.services.database.write(async (db) => {
      await db.updateTable('users').set({ is_verified: 1 }).where('id', '=', verified.id).execute()
    })
    await verified.api.spaceMembers.join({ space_slug: space.slug })
    const asked = {
      verified,
      member: people.member,
      moderator: people['space moderator'],
      admin: people['space admin'],
      outsider: people.outsider,
    }
    const posts = Object.entries(asked).map(async ([name, who]) => {
      const { can_create_post } = (await who.api.spaces.byId({ space_id: space.id })).data.permissions
      expect((await who.raw('POST', '/feeds', { message: 'Hello', space_id: space.id })).status).toBe(can_create_post ? 201 : 403)
      return can_create_post ? [name] : []
    })
    return (await Promise.all(posts)).flat().sort()
  }

  test.each([
    ['members', {}, ['admin', 'member', 'moderator', 'verified']],
    ['moderators alone', { restricted_post_only: 'yes' }, ['admin', 'moderator']],
    ['moderators alone, where posting is off', { allow_posts: false }, ['admin', 'moderator']],
    ['moderators alone, where members are not listed', { post_permissions: ['admin', 'moderator'] }, ['admin', 'moderator']],
    ['the verified', { verified_post_only: 'yes' }, ['admin', 'moderator', 'verified']],
  ])('%s', async (_who, settings, allowed) => {
    expect(await mayPost(settings)).toEqual(allowed)
  })
})
