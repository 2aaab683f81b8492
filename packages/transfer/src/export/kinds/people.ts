import { DEFAULT_PERMISSIONS, type ManagerRole, type Permission } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { statementIn, type Tables, type UserRow } from '../../../../server/src/db/index.ts'
import { addressesOf, mediaIn } from '../addresses.ts'
import { type ExportContext, listing } from '../context.ts'
import { filled, parsed } from '../filled.ts'

type Person = ArchiveRecord<'people'>
type Manager = Pick<Tables['managers'], 'user_id' | 'role' | 'permissions' | 'all_spaces' | 'status'>
type Preferences = Pick<Tables['notification_preferences'], 'user_id' | 'email' | 'push' | 'digest_frequency'>

const managersOf = statementIn<Manager>(
  (list) => `select user_id, role, permissions, all_spaces, status from managers where user_id in (${list})`,
)
const managedSpaces = statementIn<{ user_id: number; space_id: number }>(
  (list) => `select user_id, space_id from manager_spaces where user_id in (${list}) order by user_id, space_id`,
)
const preferencesOf = statementIn<Preferences>(
  (list) => `select user_id, email, push, digest_frequency from notification_preferences where user_id in (${list})`,
)
/** Further names of accounts. Logins that equal another member's username end with a line break. */
const aliasesOf = statementIn<{ user_id: number; alias: string }>(
  (list) => `select user_id, alias from username_aliases where user_id in (${list})
    union select local_id, foreign_id from import_map where kind in ('people', 'names') and fingerprint = 'login' and local_id in (${list})
    order by user_id, alias`,
)

/** SQL condition: members of a space, and everyone with content in it. */
export const personInSpace = (space: string) =>
  `(exists (select 1 from space_members x where x.user_id = u.id and x.space_id = ${space})
    or exists (select 1 from feeds x where x.user_id = u.id and x.space_id = ${space} and x.status <> 'draft')
    or exists (select 1 from comments x join feeds f on f.id = x.post_id where x.user_id = u.id and f.space_id = ${space})
    or exists (select 1 from reactions x join feeds f on f.id = x.feed_id where x.user_id = u.id and f.space_id = ${space})
    or exists (select 1 from survey_votes x join feeds f on f.id = x.feed_id where x.user_id = u.id and f.space_id = ${space}))`

const roleOf = (manager: Manager | undefined, spaces: readonly string[]) => {
  if (!manager) return {}
  const permissions = parsed<Permission[]>(manager.permissions)
  const usual = DEFAULT_PERMISSIONS[manager.role as ManagerRole]
  return {
    role: manager.role,
    ...(permissions.join() !== usual.join() && { permissions }),
    ...(manager.all_spaces === 0 && { managed_spaces: [...spaces] }),
    ...filled({ role_paused: manager.status === 'inactive' }),
  }
}

const preferenceOf = (row: Preferences | undefined) =>
  row ? filled({ email: parsed(row.email), push: parsed(row.push), digest_frequency: row.digest_frequency }) : {}

/** A deleted account. It is exported only as the author of its content. */
const deleted = (id: string, { created_at, updated_at }: UserRow): Person => ({
  id,
  username: 'deleted',
  email: null,
  status: 'deleted',
  created_at,
  updated_at,
})

const byUser = <Row extends { readonly user_id: number }>(rows: readonly Row[]) => Map.groupBy(rows, ({ user_id }) => user_id)

const view = async (ctx: ExportContext, rows: readonly UserRow[]): Promise<Person[]> => {
  const { db } = ctx
  const users = rows.map(({ id }) => id)
  const media = await mediaIn(
    ctx,
    rows.flatMap(({ avatar, cover_photo }) => [avatar, cover_photo]),
  )
  const whole = ctx.spaceId === null
  const managers = byUser(whole ? await managersOf(db, users) : [])
  const limited = whole ? await managedSpaces(db, [...managers.keys()]) : []
  const preferences = byUser(whole ? await preferencesOf(db, users) : [])
  const aliases = byUser(await aliasesOf(db, users))
  const addresses = await addressesOf(db, 'user_id', users)
  const ids = await ctx.ids({ people: users, spaces: limited.map(({ space_id }) => space_id) })
  return rows.map((row) => {
    const id = ids.of('people', row.id)
    if (row.status === 'deleted') return deleted(id, row)
    const spaces = limited.filter(({ user_id }) => user_id === row.id).map(({ space_id }) => ids.of('spaces', space_id))
    const known: Person = {
      id,
      urls: addresses(row.id, `/u/${row.username}`, `/people/${row.username}`),
      username: row.username,
      ...filled({ aliases: aliases.has(row.id) ? [...new Set(aliases.get(row.id)?.map(({ alias }) => alias.trim()))] : [] }),
      // Accounts that were imported without an address have a placeholder, which is none.
      email: whole && row.email.includes('@') ? row.email : null,
      display_name: row.display_name,
      ...media.picture('avatar', row.avatar),
      status: row.status,
      created_at: row.created_at,
    }
    if (!whole) return known
    return {
      ...known,
      ...filled({ password: row.password_hash, first_name: row.first_name, last_name: row.last_name }),
      ...filled({ short_description: row.short_description, location: row.location, website: row.website, lang: row.lang }),
      ...filled({ social_links: parsed(row.social_links), badges: parsed<string[]>(row.badge_slugs) }),
      ...media.picture('cover_photo', row.cover_photo),
      ...filled({ is_verified: row.is_verified === 1, is_private: row.is_private === 1 }),
      ...roleOf(managers.get(row.id)?.[0], spaces),
      ...(row.total_points > 0 && { points: row.total_points }),
      ...filled({ preferences: preferenceOf(preferences.get(row.id)?.[0]) }),
      ...filled({ last_activity: row.last_activity }),
      updated_at: row.updated_at,
    }
  })
}

/** Excludes unconfirmed registrations: they reserve no names and have no content. */
export const people = listing<UserRow, 'people'>({
  columns: 'u.*',
  from: `users u where u.status <> 'unverified'`,
  key: 'u.id',
  inSpace: personInSpace,
  view,
})
