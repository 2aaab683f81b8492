import { type Db, NAME_COLUMNS, nameRows, reserveRange, type Value } from '../../../server/src/db/index.ts'
import { recordActivities } from '../../../transfer/src/bulk/activities.ts'
import type { Group } from '../generator/rows.ts'
import { freeSlugs } from './free-names.ts'
import { moment } from './moments.ts'
import { itemAt, type Steps, type Target } from './target.ts'

const findOrMakeGroup = async (db: Db, { title, slug, description, position }: Group, now: string): Promise<number> => {
  const made = await db
    .insertInto('space_groups')
    .values({ title, slug, description, position, settings: '{}', created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  return (made ?? (await db.selectFrom('space_groups').select('id').where('slug', '=', slug).executeTakeFirstOrThrow())).id
}

/** Existing groups with the same slug are reused. */
export async function* writeGroups({ generated, writer, groups }: Target, now: string): Steps {
  for (const list of generated.groups) {
    const stored = await writer.write('groups', list, async ({ db }, some) => {
      const ids: number[] = []
      for (const group of some) ids.push(await findOrMakeGroup(db, group, now))
      return ids
    })
    groups.push(...stored.flat())
    yield
  }
}

const USER = [
  ...['id', 'username', 'email', 'display_name', 'first_name', 'last_name', 'short_description', 'location', 'website', 'social_links'],
  ...['is_verified', 'created_at', 'updated_at', 'last_activity'],
]

/** The accounts have no password, so nobody can sign in to them. */
export async function* writeMembers({ generated, writer, renaming, firsts }: Target): Steps {
  for (const list of generated.members) {
    await writer.write('members', list, async ({ add }, some, from) => {
      const rows: Value[][] = []
      const names: Value[][] = []
      for (const [i, member] of some.entries()) {
        const id = firsts.users + from + i
        const username = renaming.username(member.username)
        const email = `${username}${member.email.slice(member.email.indexOf('@'))}`
        const about = [member.first_name, member.last_name, member.short_description, member.location, member.website]
        const joined = moment(member.created_at)
        rows.push([
          ...[id, username, email, member.display_name, ...about, JSON.stringify(member.social_links)],
          ...[member.is_verified, joined, joined, moment(member.last_activity)],
        ])
        names.push(...nameRows(id, { username, displayName: member.display_name }))
      }
      await add('users', USER, rows)
      await add('user_name_tokens', NAME_COLUMNS, names)
    })
    yield
  }
}

const SPACE = [
  ...['id', 'created_by', 'parent_id', 'title', 'slug', 'description', 'privacy', 'position', 'settings'],
  ...['created_at', 'updated_at'],
]

export async function* writeSpaces({ generated, writer, firsts, groups, spaces }: Target): Steps {
  for (const list of generated.spaces) {
    const stored = await writer.write('spaces', list, async ({ db, add }, some, from) => {
      const first = await reserveRange(db, 'spaces', some.length)
      const slugs = await freeSlugs(
        db,
        'spaces',
        some.map(({ slug }) => slug),
        from,
      )
      const { last } = await db
        .selectFrom('spaces')
        .select(({ fn }) => fn.max('position').as('last'))
        .executeTakeFirstOrThrow()
      const made = some.map((space, i) => ({
        ...space,
        id: first + i,
        user: firsts.users + space.creator,
        position: (last ?? 0) + i + 1,
        at: moment(space.created_at),
      }))
      await add(
        'spaces',
        SPACE,
        made.map(({ id, user, group, title, description, privacy, position, emoji, at }, i) => [
          ...[id, user, itemAt(groups, group), title, itemAt(slugs, i), description, privacy],
          ...[position, JSON.stringify({ emoji }), at, at],
        ]),
      )
      await recordActivities(
        add,
        made.map(({ id, user, at }) => ({ user, action: 'space_created', on: ['space', id], space: id, at })),
      )
      return made.map(({ id }) => id)
    })
    spaces.push(...stored.flat())
    yield
  }
}

const MEMBERSHIP = ['space_id', 'user_id', 'role', 'joined_at', 'updated_at']

export async function* writeMemberships({ generated, writer, firsts, spaces }: Target): Steps {
  for (const list of generated.memberships) {
    await writer.write('memberships', list, async ({ add, counters }, some) => {
      const rows = some.map(({ space, member, role, created_at }) => ({
        space: itemAt(spaces, space),
        user: firsts.users + member,
        role,
        at: moment(created_at),
      }))
      for (const { space } of rows) counters.add('spaces.members_count', space)
      await add(
        'space_members',
        MEMBERSHIP,
        rows.map(({ space, user, role, at }) => [space, user, role, at, at]),
      )
      await recordActivities(
        add,
        rows.map(({ space, user, at }) => ({ user, action: 'space_joined', on: ['space', space], space, at })),
      )
    })
    yield
  }
}

const FOLLOW = ['follower_id', 'following_id', 'status', 'created_at', 'updated_at']

export async function* writeFollows({ generated, writer, firsts }: Target): Steps {
  for (const list of generated.follows) {
    await writer.write('follows', list, async ({ add, counters }, some) => {
      const rows = some.map((follow) => ({
        follower: firsts.users + follow.follower,
        following: firsts.users + follow.following,
        at: moment(follow.created_at),
      }))
      for (const { follower, following } of rows) {
        counters.add('users.followers_count', following)
        counters.add('users.followings_count', follower)
      }
      await add(
        'followers',
        FOLLOW,
        rows.map(({ follower, following, at }) => [follower, following, 'active', at, at]),
      )
      await recordActivities(
        add,
        rows.map(({ follower, following, at }) => ({ user: follower, action: 'follow_user', on: ['user', following], space: null, at })),
      )
    })
    yield
  }
}
