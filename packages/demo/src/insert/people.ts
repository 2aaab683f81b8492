import { addUserNames, type Db, insertRows, type Names, reserveIds, type Value } from '../../../server/src/db/index.ts'
import type { Group, Member, Membership, Space } from '../plan/rows.ts'
import { freeSlugs, type Renaming } from './free-names.ts'
import type { WriteLimit } from './pace.ts'
import { moment, placeOf, raise, recordActivities, type Scene, tally } from './placed.ts'

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
export const insertGroups = (pace: WriteLimit, groups: readonly Group[], { placed }: Scene, now: string) =>
  pace(groups, {
    kind: 'groups',
    write: async (db, piece) => {
      const ids: number[] = []
      for (const group of piece) ids.push(await findOrMakeGroup(db, group, now))
      return ids
    },
    written: (ids) => placed.groups.push(...ids),
  })

export const USER = [
  ...['id', 'username', 'email', 'display_name', 'first_name', 'last_name', 'short_description', 'location', 'website', 'social_links'],
  ...['is_verified', 'created_at', 'updated_at', 'last_activity'],
]

/** The row of an account and its searchable names. */
export const accountOf = (member: Member, id: number, renaming: Renaming): { row: Value[]; names: Names & { id: number } } => {
  const username = renaming.username(member.username)
  const email = `${username}${member.email.slice(member.email.indexOf('@'))}`
  const about = [member.first_name, member.last_name, member.short_description, member.location, member.website]
  const joined = moment(member.created_at)
  return {
    row: [
      ...[id, username, email, member.display_name, ...about, JSON.stringify(member.social_links)],
      ...[member.is_verified, joined, joined, moment(member.last_activity)],
    ],
    names: { id, username, displayName: member.display_name },
  }
}

/** The accounts have no password, so nobody can sign in to them. */
export const insertMembers = (pace: WriteLimit, members: readonly Member[], { placed, renaming }: Scene) =>
  pace(members, {
    kind: 'members',
    write: async (db, piece) => {
      const ids = await reserveIds(db, 'users', piece.length)
      const accounts = piece.map((member, i) => accountOf(member, placeOf(ids, i), renaming))
      await insertRows(
        db,
        'users',
        USER,
        accounts.map(({ row }) => row),
      )
      await addUserNames(
        db,
        accounts.map(({ names }) => names),
      )
      return ids
    },
    written: (ids) => placed.users.push(...ids),
  })

const SPACE = [
  ...['id', 'created_by', 'parent_id', 'title', 'slug', 'description', 'privacy', 'position', 'settings'],
  ...['created_at', 'updated_at'],
]

export const insertSpaces = (pace: WriteLimit, spaces: readonly Space[], { placed }: Scene) =>
  pace(spaces, {
    kind: 'spaces',
    write: async (db, piece) => {
      const ids = await reserveIds(db, 'spaces', piece.length)
      const slugs = await freeSlugs(
        db,
        'spaces',
        piece.map((space) => space.slug),
        placed.spaces.length,
      )
      const { last } = await db
        .selectFrom('spaces')
        .select(({ fn }) => fn.max('position').as('last'))
        .executeTakeFirstOrThrow()
      const made = piece.map((space, i) => ({
        ...space,
        id: placeOf(ids, i),
        user: placeOf(placed.users, space.creator),
        at: moment(space.created_at),
      }))
      const rows = made.map((space, i) => [
        ...[space.id, space.user, placeOf(placed.groups, space.group), space.title, placeOf(slugs, i), space.description, space.privacy],
        ...[(last ?? 0) + i + 1, JSON.stringify({ emoji: space.emoji }), space.at, space.at],
      ])
      await insertRows(db, 'spaces', SPACE, rows)
      await recordActivities(
        db,
        made.map(({ id, user, at }) => ({ user, action: 'space_created', on: ['space', id], space: id, at })),
      )
      return ids
    },
    written: (ids) => placed.spaces.push(...ids),
  })

export const MEMBERSHIP = ['space_id', 'user_id', 'role', 'joined_at', 'updated_at']

export const insertMemberships = (pace: WriteLimit, memberships: readonly Membership[], { placed }: Scene) =>
  pace(memberships, {
    kind: 'memberships',
    write: async (db, piece) => {
      const rows = piece.map(({ space, member, role, created_at }) => ({
        space: placeOf(placed.spaces, space),
        user: placeOf(placed.users, member),
        role,
        at: moment(created_at),
      }))
      await insertRows(
        db,
        'space_members',
        MEMBERSHIP,
        rows.map(({ space, user, role, at }) => [space, user, role, at, at]),
      )
      await raise(
        db,
        ['spaces', 'members_count'],
        tally(rows, (row) => row.space),
      )
      await recordActivities(
        db,
        rows.map(({ space, user, at }) => ({ user, action: 'space_joined', on: ['space', space], space, at })),
      )
    },
  })
