import { UTC } from '../site-time.ts'
import type { Staging } from '../staging/staging.ts'
import { isArray, readMeta } from './meta.ts'
import { passwordOf } from './passwords.ts'

/** A WordPress account. */
export interface Account {
  readonly id: string
  readonly login: string
  /** Slug of the profile URL. */
  readonly nicename: string
  /** Null if missing or invalid. */
  readonly email: string | null
  readonly password: string | null
  readonly displayName: string
  readonly firstName: string
  readonly lastName: string
  readonly biography: string
  readonly website: string
  readonly registeredAt: string | null
  /** Roles in the site, such as `administrator`. */
  readonly roles: readonly string[]
  /** Account data that cannot be imported. */
  readonly problems: readonly string[]
}

export interface UserRow {
  readonly ID: number
  readonly user_login: string | null
  readonly user_pass: string | null
  readonly user_nicename: string | null
  readonly user_email: string | null
  readonly user_url: string | null
  readonly user_registered: string | null
  readonly display_name: string | null
}

const EMAIL = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/

/** Validates an email address like WordPress, except the domain; null if it is invalid. */
export const emailOf = (text: string | null): string | null => {
  const email = text?.trim() ?? ''
  return EMAIL.test(email) && email.length <= 254 ? email : null
}

/** The roles that are set to true in `wp_capabilities`. */
export const rolesOf = (capabilities: string | null): string[] => {
  const { value } = readMeta(capabilities)
  return isArray(value) ? [...value].flatMap(([role, is]) => (is === true || is === 1 || is === '1' ? [role] : [])) : []
}

const clean = (text: string | null | undefined) => text?.replaceAll('\0', '').trim() ?? ''

/** Builds an account from its row and metadata; `prefix` is the table prefix of the site. */
export const accountOf = (row: UserRow, meta: ReadonlyMap<string, string | null>, prefix: string): Account => {
  const email = emailOf(row.user_email)
  const password = passwordOf(row.user_pass)
  const problems = [
    ...(email === null && clean(row.user_email) !== '' ? ['its email address is not valid'] : []),
    ...(password.problem === null ? [] : [password.problem]),
  ]
  return {
    id: String(row.ID),
    login: clean(row.user_login),
    nicename: clean(row.user_nicename),
    email,
    password: password.hash,
    displayName: clean(row.display_name) || clean(meta.get('nickname')),
    firstName: clean(meta.get('first_name')),
    lastName: clean(meta.get('last_name')),
    biography: clean(meta.get('description')),
    website: /^https?:\/\//i.test(clean(row.user_url)) ? clean(row.user_url) : '',
    registeredAt: UTC.toUtc(row.user_registered),
    roles: rolesOf(meta.get(`${prefix}capabilities`) ?? null),
    problems,
  }
}

/** The copied metadata of an account by key. The first value of a duplicate key is used. */
export const metaOf = (staging: Staging, user: number): ReadonlyMap<string, string | null> => {
  const meta = new Map<string, string | null>()
  const rows = staging.rows<{ meta_key: string; meta_value: string | null }>(
    'select meta_key, meta_value from usermeta where user_id = ? order by umeta_id desc',
    user,
  )
  for (const { meta_key, meta_value } of rows) meta.set(meta_key, meta_value)
  return meta
}
