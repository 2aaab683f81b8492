import { DEFAULT_PERMISSIONS, type Permission } from '@lyceum/contract'
import { cached, defineCache, findCached, type Track } from '../cache/index.ts'
import { parseTimestamp } from '../core/clock.ts'
import type { Actor, ReadContext, Services } from '../core/context.ts'
import { ApiError, unauthorized } from '../core/errors.ts'
import { type Db, statement, statementIn, statementOne, type UserRow } from '../db/index.ts'
import { hashApplicationPassword, normalizeApplicationPassword } from '../secrets/application-password.ts'
import { fingerprint } from '../secrets/fingerprint.ts'
import { hashToken, isToken } from '../secrets/token.ts'

export const NONCE_HEADER = 'x-lyceum-nonce'

/** Longer headers are accepted but not cached. Spaces in a password are ignored, so one could contain any number of them. */
const LONGEST_REMEMBERED = 512

interface AccountRow extends Pick<UserRow, 'id' | 'username' | 'status' | 'created_at'> {
  readonly manager_role: 'admin' | 'manager' | 'moderator' | null
  readonly permissions: string | null
  readonly all_spaces: 0 | 1 | null
  /** Id of the application password or of the session. */
  readonly credential_id: number
}

interface SessionRow extends AccountRow {
  readonly expires_at: string
}

const ACCOUNT = `u.id, u.username, u.status, m.role as manager_role, m.permissions, m.all_spaces, u.created_at`
const MANAGER = `left join managers m on m.user_id = u.id and m.status = 'active'`

const byApplicationPassword = statementOne<AccountRow>(
  `select ${ACCOUNT}, p.id as credential_id from application_passwords p join users u on u.id = p.user_id ${MANAGER}
   where p.hash = $1 and (u.username = $2 or u.email = $2)`,
)
const bySession = statementOne<SessionRow>(
  `select ${ACCOUNT}, s.id as credential_id, s.expires_at from sessions s join users u on u.id = s.user_id ${MANAGER}
   where s.token_hash = $1 and s.expires_at > $2`,
)
const byUser = statementOne<AccountRow>(`select ${ACCOUNT}, 0 as credential_id from users u ${MANAGER} where u.id = $1`)
const byUsers = statementIn<AccountRow>(
  (list) => `select ${ACCOUNT}, 0 as credential_id from users u ${MANAGER} where u.id in (${list}) and u.status = 'active'`,
)
const managedSpaces = statement<{ space_id: number }>('select space_id from manager_spaces where user_id = $1 order by space_id')

const NONE: ReadonlySet<Permission> = new Set()
const ALL: ReadonlySet<Permission> = new Set(DEFAULT_PERMISSIONS.admin)

const permissionsOf = ({ manager_role, permissions }: AccountRow): ReadonlySet<Permission> => {
  if (!manager_role) return NONE
  if (manager_role === 'admin') return ALL
  return new Set(JSON.parse(permissions ?? '[]') as Permission[])
}

/** A manager record of role manager shows as account role moderator. */
export const accountRole = (managerRole: string | null): Actor['role'] =>
  managerRole === 'admin' ? 'admin' : managerRole ? 'moderator' : 'member'

const actorOf = async (
  db: Db,
  row: AccountRow,
  by: Pick<Actor, 'sessionId' | 'applicationPasswordId'> = { sessionId: null },
): Promise<Actor> => ({
  id: row.id,
  username: row.username,
  role: accountRole(row.manager_role),
  permissions: permissionsOf(row),
  managedSpaces:
    !row.manager_role || row.manager_role === 'admin' || row.all_spaces
      ? null
      : (await managedSpaces(db, [row.id])).map((space) => space.space_id),
  createdAt: row.created_at,
  ...by,
})

/** The account as an actor for work without a request, such as jobs. Undefined if the account is deleted or not active. */
export const actorFor = async (db: Db, userId: number): Promise<Actor | undefined> => {
  const row = await byUser(db, [userId])
  return row?.status === 'active' ? actorOf(db, row) : undefined
}

/** Like `actorFor` for many accounts, by id. */
export const actorsFor = async (db: Db, userIds: readonly number[]): Promise<Map<number, Actor>> => {
  const actors = new Map<number, Actor>()
  for (const row of await byUsers(db, userIds)) actors.set(row.id, await actorOf(db, row))
  return actors
}

export const refuseInactive = (status: AccountRow['status']) => {
  if (status === 'deleted') throw unauthorized()
  if (status === 'suspended') throw new ApiError('account_suspended')
  if (status === 'banned') throw new ApiError('account_banned')
  if (status === 'unverified') throw new ApiError('email_not_verified')
  if (status === 'pending') throw new ApiError('account_pending')
}

export interface Credentials {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
}

export interface Identity {
  readonly actor: Actor
  readonly kind: 'application-password' | 'session'
  readonly credentialId: number
}

/** A username or email address in the form in which both are stored. */
export const normalizeLogin = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Login and password of a Basic header; null if the header is malformed. */
export const readBasic = (header: string): { login: string; password: string } | null => {
  const match = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(header)
  if (!match?.[1]) return null
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.indexOf(':')
  // PostgreSQL rejects parameters that contain NUL.
  if (colon < 1 || text.includes('\0')) return null
  return { login: normalizeLogin(text.slice(0, colon)), password: text.slice(colon + 1) }
}

/**
 * Accounts by credentials. Keyed fingerprints ensure that memory contains no credentials, and a prefix that a header is never accepted as a
 * cookie.
 */
const identities = defineCache<Identity | null>({ name: 'identities', maxEntries: 30_000 })

/** The kind of a credential. */
type CredentialPlace = 'header' | 'cookie'

/** The key of a credential in the cache. */
export const credentialKey = (keys: Services['keys'], place: CredentialPlace, secret: string): string =>
  `${place} ${fingerprint(keys.fingerprints, secret)}`

/** The services, and the snapshot at which the request began. */
export type IdentityContext = Pick<ReadContext, 'services' | 'snapshot'>

/**
 * The cached identity of these credentials; undefined if it is not cached, null if there are no credentials. `keyOf` is
 * `credentialKey`, whose results the caller may have cached.
 */
export const cachedIdentity = (
  ctx: IdentityContext,
  { authorization, cookie }: Credentials,
  keyOf: (place: CredentialPlace, secret: string) => string,
): Identity | null | undefined => {
  if (authorization !== undefined) {
    if (authorization.length > LONGEST_REMEMBERED) return undefined
    return findCached(ctx, identities, keyOf('header', authorization))
  }
  if (!cookie) return null
  return isToken(cookie) ? findCached(ctx, identities, keyOf('cookie', cookie)) : undefined
}

const byHeader = async ({ database, keys }: Services, authorization: string, track?: Track): Promise<Identity> => {
  const basic = readBasic(authorization)
  if (!basic) throw unauthorized()
  const hash = hashApplicationPassword(keys.applicationPasswords, normalizeApplicationPassword(basic.password))
  const row = await byApplicationPassword(database.read, [hash, basic.login])
  if (!row) throw unauthorized()
  refuseInactive(row.status)
  const actor = await actorOf(database.read, row, { sessionId: null, applicationPasswordId: row.credential_id })
  track?.tag(`account:${row.id}`)
  track?.cover('account')
  return { actor, kind: 'application-password', credentialId: row.credential_id }
}

const byCookie = async ({ database }: Services, cookie: string, now: string, track: Track): Promise<Identity | null> => {
  const row = await bySession(database.read, [hashToken(cookie), now])
  if (!row) {
    track.skip()
    return null
  }
  refuseInactive(row.status)
  const actor = await actorOf(database.read, row, { sessionId: row.credential_id })
  track.tag(`account:${row.id}`, `session:${row.credential_id}`)
  track.cover('account')
  // A concurrent request may extend the session.
  track.expires(parseTimestamp(row.expires_at))
  return { actor, kind: 'session', credentialId: row.credential_id }
}

/**
 * Authenticates credentials against the database. Authorization takes precedence over the cookie. Null if there are no credentials.
 * @throws 401 rest_forbidden if they are wrong; 403 if the account is suspended, banned or not yet admitted
 */
export const identify = async (ctx: IdentityContext, { authorization, cookie }: Credentials, now: string): Promise<Identity | null> => {
  const { services } = ctx
  if (authorization !== undefined) {
    if (authorization.length > LONGEST_REMEMBERED) return byHeader(services, authorization)
    return cached(ctx, identities, credentialKey(services.keys, 'header', authorization), (track) =>
      byHeader(services, authorization, track),
    )
  }
  if (!cookie || !isToken(cookie)) return null
  return cached(ctx, identities, credentialKey(services.keys, 'cookie', cookie), (track) => byCookie(services, cookie, now, track))
}

type Who = Pick<Actor, 'permissions' | 'managedSpaces'>

/**
 * Whether a manager record grants this permission in a space. Outside spaces, only records that are not limited to spaces grant
 * permissions.
 */
export const may = ({ permissions, managedSpaces }: Who, permission: Permission, spaceId: number | null): boolean =>
  permissions.has(permission) && (managedSpaces === null || (spaceId !== null && managedSpaces.includes(spaceId)))

export const mayAny = (actor: Who, permissions: readonly Permission[], spaceId: number | null): boolean =>
  permissions.some((permission) => may(actor, permission, spaceId))

/** Permissions for work inside spaces. They include reading the content of the spaces of the record. */
const SPACE_STAFF = [
  'manage_feeds',
  'manage_comments',
  'manage_spaces',
  'manage_space_members',
  'moderate_spaces',
  'resolve_reports',
] as const

/** Whether the actor may read everything published in a space without being a member. Null stands for content outside spaces. */
export const isStaff = (actor: Who, spaceId: number | null): boolean => mayAny(actor, SPACE_STAFF, spaceId)

const hasStaffPermission = ({ permissions }: Who): boolean => SPACE_STAFF.some((permission) => permissions.has(permission))

/** Whether the actor is staff in every space. */
export const isStaffEverywhere = (actor: Who): boolean => actor.managedSpaces === null && hasStaffPermission(actor)

/** Spaces of a limited manager record; empty for everyone else. */
export const staffSpaces = (actor: Who): readonly number[] => (hasStaffPermission(actor) ? (actor.managedSpaces ?? []) : [])
