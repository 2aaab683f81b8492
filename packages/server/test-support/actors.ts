import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '@lyceum/contract'
import { grant, type Space } from './fixtures.ts'
import type { Member, World } from './world.ts'

/** Scope of a manager record: all spaces, those of the test objects, or another one. */
export type Reach = 'everywhere' | 'here' | 'elsewhere'

/** The actor's relation to the test objects. */
export type ActorState =
  | 'author'
  | 'space member'
  | 'space moderator'
  | 'space admin'
  | 'student'
  | 'teacher'
  | 'staff'
  | 'administrator'
  | 'target'
  | 'banned from the space'

export interface Actor {
  readonly name: string
  /** Undefined: an anonymous caller without credentials. */
  readonly member?: Member
  readonly headers?: Readonly<Record<string, string>>
  /** Headers sent instead of the application password. */
  readonly instead?: Readonly<Record<string, string>>
  readonly standings: readonly ActorState[]
  readonly permissions: ReadonlySet<Permission>
  readonly reach: Reach
  /** The response to all requests of this actor. */
  readonly shutOut?: readonly [status: number, code: string]
}

const plain = (name: string, member: Member, ...standings: readonly ActorState[]): Actor => ({
  name,
  member,
  standings,
  permissions: new Set(),
  reach: 'everywhere',
})

type Status = 'suspended' | 'banned' | 'pending' | 'unverified'

const setStatus = (world: World, { id }: Member, status: Status) =>
  world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set({ status }).where('id', '=', id).execute()
  })

export interface People {
  readonly author: Member
  readonly spaceMember: Member
  readonly spaceModerator: Member
  readonly spaceAdmin: Member
  readonly student: Member
  readonly teacher: Member
  readonly administrator: Member
  /** Banned from the spaces; the closest to one member blocking another, which does not exist. */
  readonly bannedFromSpaces: Member
}

/** Members with a relation to the test objects. */
export const makePeople = async (world: World): Promise<People> => ({
  author: await world.member(),
  spaceMember: await world.member(),
  spaceModerator: await world.member(),
  spaceAdmin: await world.member(),
  student: await world.member(),
  teacher: await world.member(),
  administrator: await world.member({ role: 'admin' }),
  bannedFromSpaces: await world.member(),
})

const manager = async (
  world: World,
  name: string,
  permissions: readonly Permission[],
  reach: Reach,
  spaces: readonly Space[] | undefined,
): Promise<Actor> => {
  const member = await world.member({ role: 'manager' })
  await grant(world, member, permissions, spaces)
  return { name, member, standings: ['staff'], permissions: new Set(permissions), reach }
}

/** Actors that cannot authenticate, with the expected error. */
const outcasts = async (world: World): Promise<Actor[]> => {
  const nobody = { standings: [], permissions: new Set<Permission>(), reach: 'everywhere' } as const
  const wrong = `Basic ${Buffer.from('member1:aaaa aaaa aaaa aaaa aaaa aaaa').toString('base64')}`
  const shut: Actor[] = [
    { name: 'anonymous', ...nobody, shutOut: [401, 'rest_forbidden'] },
    { name: 'with a wrong password', ...nobody, headers: { authorization: wrong }, shutOut: [401, 'rest_forbidden'] },
  ]
  const codes = {
    suspended: 'account_suspended',
    banned: 'account_banned',
    pending: 'account_pending',
    unverified: 'email_not_verified',
  } as const
  for (const [status, code] of Object.entries(codes)) {
    const member = await world.member({ role: 'manager' })
    await grant(world, member, PERMISSIONS)
    await setStatus(world, member, status as Status)
    shut.push({ name: `${status} manager`, member, ...nobody, shutOut: [403, code] })
  }
  return shut
}

/** All actors of the matrix: the roles, and for each permission managers with that one alone, in each scope. */
export const makeActors = async (world: World, people: People, spaces: { here: readonly Space[]; elsewhere: Space }): Promise<Actor[]> => {
  const { author, spaceMember, spaceModerator, spaceAdmin, student, teacher, administrator, bannedFromSpaces } = people
  const everything = new Set(PERMISSIONS)
  const paused = await world.member({ role: 'admin' })
  const pausedManager = await world.member({ role: 'manager' })
  for (const { id } of [paused, pausedManager]) await administrator.api.managers.update({ user_id: id, status: 'inactive' })
  const follower = await world.member()
  await follower.api.followers.follow({ username: author.username })
  const moderator = await world.member({ role: 'moderator' })
  const defaults = await world.member({ role: 'manager' })
  const actors: Actor[] = [
    ...(await outcasts(world)),
    plain('outsider', await world.member()),
    plain('administrator who is paused', paused),
    plain('manager who is paused', pausedManager),
    plain('follower', follower),
    plain('banned from the space', bannedFromSpaces, 'banned from the space'),
    plain('author', author, 'author', 'space member'),
    plain('space member', spaceMember, 'space member'),
    plain('space moderator', spaceModerator, 'space moderator'),
    plain('space admin', spaceAdmin, 'space admin'),
    plain('student', student, 'student'),
    plain('teacher', teacher, 'teacher'),
    { ...plain('moderator', moderator, 'staff'), permissions: new Set(DEFAULT_PERMISSIONS.moderator) },
    { ...plain('manager', defaults, 'staff'), permissions: new Set(DEFAULT_PERMISSIONS.manager) },
    { ...plain('administrator', administrator, 'staff', 'administrator'), permissions: everything },
    await manager(world, 'manager of nothing', [], 'everywhere', undefined),
    await manager(world, 'manager elsewhere', DEFAULT_PERMISSIONS.manager, 'elsewhere', [spaces.elsewhere]),
  ]
  for (const permission of PERMISSIONS) {
    actors.push(
      await manager(world, `${permission} everywhere`, [permission], 'everywhere', undefined),
      await manager(world, `${permission} here`, [permission], 'here', spaces.here),
      await manager(world, `${permission} elsewhere`, [permission], 'elsewhere', [spaces.elsewhere]),
    )
  }
  return actors
}
