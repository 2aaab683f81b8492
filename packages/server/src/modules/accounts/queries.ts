import { MIGRATION_SOURCES } from '@lyceum/contract'
import { shift } from '../../core/clock.ts'
import {
  type ApplicationPasswordRow,
  type Db,
  insertReturningId,
  statement,
  statementExists,
  statementOne,
  statementRowCount,
  statementValues,
  type TokenRow,
  type UserRow,
} from '../../db/index.ts'
import { createToken, hashToken } from '../../secrets/token.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'

export type Account = Pick<UserRow, 'id' | 'username' | 'email' | 'display_name' | 'password_hash' | 'status' | 'lang'>

const ACCOUNT = 'select id, username, email, display_name, password_hash, status, lang from users'
/**
 * The account with this normalized username or email, or else with this name at a site from which it was imported. Unconfirmed accounts have
 * neither yet.
 */
export const accountByLogin = statementOne<Account>(
  `${ACCOUNT} where (username = $1 or email = $1 or id = (select user_id from username_aliases where alias = $1)) and status <> 'unverified'
   order by case when username = $1 or email = $1 then 0 else 1 end limit 1`,
)
/** The account whose login at a site is the username of another member here; the parameter is the login and a line break. */
export const accountByConflictingLogin = statementOne<Account>(
  `${ACCOUNT} where status <> 'unverified' and id = (select local_id from import_map
     where source in (${MIGRATION_SOURCES.map((source) => `'${source}'`).join()}) and kind = 'names' and foreign_id = $1 limit 1)`,
)
/** The account with this email; names at other sites can look like addresses, but receive no mail. */
export const accountByEmail = statementOne<Account>(`${ACCOUNT} where email = $1 and status <> 'unverified'`)
export const accountById = statementOne<Account>(`${ACCOUNT} where id = $1`)

export const accountsByNameOrEmail = statement<{ username: string; email: string }>(
  'select username, email from users where username = $1 or email = $2',
)

// Members can list whose `updated_at` is new, so credentials and addresses do not change it.

/** Compare-and-swap of the password hash; false if the password was changed in the meantime. */
export const replacePassword = statementExists('update users set password_hash = $3 where id = $1 and password_hash = $2 returning id')
/** Stores a rehash of the same password with the present hashing parameters. */
export const upgradePassword = statement('update users set password_hash = $2 where id = $1')

export const setPassword = statementOne<{ id: number }>('update users set password_hash = $2 where id = $1 returning id')

/** Disables sign-in until a new password is chosen. */
export const clearPassword = statement('update users set password_hash = null where id = $1')

export const setStatus = statement('update users set status = $2, updated_at = $3 where id = $1')

/** Undefined if the username is taken. */
export const renameAccount = statementOne<{ display_name: string }>(
  `update users set username = $2, updated_at = $3 where id = $1 and not exists (select 1 from users o where o.username = $2 and o.id <> $1)
   returning display_name`,
)

export const setEmail = statement('update users set email = $2 where id = $1')

export const personById = statementOne<PersonColumns & Pick<UserRow, 'lang'> & { user_id: number }>(
  `select u.id as user_id, u.lang, ${PERSON_COLUMNS} from users u where u.id = $1`,
)

export const addressesOf = statementValues<string>(
  `select ip from (select s.ip as ip from sessions s where s.user_id = $1 and s.last_used_at > $2
     union select p.last_ip as ip from application_passwords p where p.user_id = $1 and p.last_used_at > $2) u limit 200`,
)

/** An account without its optional fields. Undefined if the username or the email is taken. */
export const insertAccount = statementOne<{ id: number }>(
  `insert into users (username, email, password_hash, display_name, status, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)
   on conflict do nothing returning id`,
)

export type Purpose = TokenRow['purpose']

/** Tolerated clock skew between servers. Tokens dated further into the future are rejected: they would live too long. */
const CLOCK_SKEW_S = 600
const IS_VALID = `purpose = $2 and expires_at > $3 and (created_at <= $4 or purpose = 'setup')`
const validParameters = (of: string | number, purpose: Purpose, now: string) => [of, purpose, now, shift(now, CLOCK_SKEW_S)]

const tokenBy = statementOne<{ user_id: number | null }>(`select user_id from tokens where hash = $1 and ${IS_VALID}`)
export const findToken = (db: Db, hash: string, purpose: Purpose, now: string) => tokenBy(db, validParameters(hash, purpose, now))

const consume = statementOne<{ hash: string }>(`delete from tokens where hash = $1 and ${IS_VALID} returning hash`)
/** Consumes a token; undefined if it was already used or has expired. */
export const consumeToken = (db: Db, hash: string, purpose: Purpose, now: string) => consume(db, validParameters(hash, purpose, now))

export const deleteToken = statement('delete from tokens where hash = $1')

const liveTokens = statementRowCount(`select hash from tokens where user_id = $1 and ${IS_VALID}`)
export const countTokens = (db: Db, userId: number, purpose: Purpose, now: string) => liveTokens(db, validParameters(userId, purpose, now))

export const deleteTokens = statement('delete from tokens where user_id = $1 and purpose = $2')

const renew = statementOne<{ hash: string }>(
  `update tokens set hash = $1 where hash = (select hash from tokens where user_id = $2 and purpose = $3 and email = $4 and expires_at > $5
     order by created_at desc limit 1) returning hash`,
)
/** Gives the newest link of this purpose and address a new token and returns its plain text; null if no such link is left. */
export const renewToken = async (
  db: Db,
  { userId, purpose, email, now }: { userId: number; purpose: Purpose; email: string; now: string },
): Promise<string | null> => {
  const token = createToken()
  return (await renew(db, [hashToken(token), userId, purpose, email, now])) ? token : null
}

/** Whether another account recently had this address and may undo the change. */
export const isEmailReserved = statementExists(
  `select user_id from tokens where email = $1 and purpose = 'undo' and expires_at > $2 and user_id <> $3 limit 1`,
)

export const deleteSetupTokens = statement(`delete from tokens where purpose = 'setup'`)

export const hasApplicationPassword = statementExists('select id from application_passwords where id = $1 and user_id = $2')

export const applicationPasswordsOf = statement<Pick<ApplicationPasswordRow, 'id' | 'name' | 'created_at' | 'last_used_at' | 'last_ip'>>(
  'select id, name, created_at, last_used_at, last_ip from application_passwords where user_id = $1 order by id',
)

export const deleteApplicationPassword = statementOne<{ id: number }>(
  'delete from application_passwords where id = $1 and user_id = $2 returning id',
)

export const insertApplicationPassword = insertReturningId(
  'insert into application_passwords (user_id, name, hash, created_at, parent_id) values ($1, $2, $3, $4, $5)',
)

export const hasAdmin = statementExists(`select id from managers where role = 'admin' limit 1`)

export const activeAdmins = statementValues<number>(
  `select m.user_id from managers m join users u on u.id = m.user_id
   where m.role = 'admin' and m.status = 'active' and u.status = 'active' order by m.user_id`,
)

export const putManager = statement(
  `insert into managers (user_id, role, permissions, all_spaces, status, assigned_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)
   on conflict (user_id) do update set role = excluded.role, permissions = excluded.permissions, all_spaces = excluded.all_spaces,
     status = excluded.status, assigned_by = excluded.assigned_by, updated_at = excluded.updated_at`,
)
export const dropManager = statement('delete from managers where user_id = $1')
