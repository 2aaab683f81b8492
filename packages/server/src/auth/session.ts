import { shift } from '../core/clock.ts'
import type { RequestInfo, WriteContext } from '../core/context.ts'
import type { Db } from '../db/index.ts'
import { statement, statementOne } from '../db/index.ts'
import { readCookie } from '../http/requests/cookies.ts'
import { hashToken, isToken } from '../secrets/token.ts'

const isSecure = (origin: string) => origin.startsWith('https:')

/** Behind https the prefix binds the cookie to this very host: no sister domain can set it. `origin` is the public one. */
export const sessionCookieName = (origin: string) => (isSecure(origin) ? '__Host-lyceum_session' : 'lyceum_session')

/** A session ends when it has not been used for so long; each use prolongs it. */
export const SESSION_S = 30 * 24 * 3600
/** The longest that browsers keep a cookie; when a session ends is decided here, not there. */
const COOKIE_S = 400 * 24 * 3600

const insert = statementOne<{ id: number }>(
  `insert into sessions (user_id, token_hash, created_at, last_used_at, expires_at, ip, user_agent)
   values ($1, $2, $3, $3, $4, $5, $6) returning id`,
)
const removeOne = statement('delete from sessions where id = $1')
const removeByToken = statement('delete from sessions where token_hash = $1')
const removeAll = statement('delete from sessions where user_id = $1')
const removeOthers = statement('delete from sessions where user_id = $1 and id <> $2')

/** Starts a session of that account; `token` goes into the cookie, its hash into the table. */
export const startSession = async (ctx: WriteContext, userId: number, token: string, { ip, userAgent }: RequestInfo): Promise<number> => {
  const row = await insert(ctx.db, [userId, hashToken(token), ctx.now, shift(ctx.now, SESSION_S), ip, userAgent])
  return (row as { id: number }).id
}

export const endSession = (db: Db, sessionId: number) => removeOne(db, [sessionId])

/** For so long after the account password was given at sign-in, it need not be given again. */
const FRESH_S = 600

const beganAt = statementOne<{ id: number }>('select id from sessions where id = $1 and created_at > $2 and created_at <= $3')
/** Whether the session began within the last minutes; every session begins with the account password. */
export const isFreshSession = async (db: Db, sessionId: number, now: string): Promise<boolean> =>
  (await beganAt(db, [sessionId, shift(now, -FRESH_S), shift(now, FRESH_S)])) !== undefined

/** Ends the session whose cookie came along, whoever it belongs to: signing in over it would leave it open where nobody sees it. */
export const endFormerSession = async (db: Db, origin: string, { cookies }: RequestInfo): Promise<void> => {
  const token = readCookie(cookies, sessionCookieName(origin))
  if (token !== undefined && isToken(token)) await removeByToken(db, [hashToken(token)])
}

/** Ends the sessions of an account, all of them or all but one. */
export const endSessions = (db: Db, userId: number, except: number | null = null) =>
  except === null ? removeAll(db, [userId]) : removeOthers(db, [userId, except])

/** A Set-Cookie header for this host alone, out of reach of scripts; `origin` is the public one. */
export const setCookie = (
  name: string,
  value: string,
  seconds: number,
  origin: string,
  { overTls = false }: Pick<RequestInfo, 'overTls'>,
): string => `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${overTls || isSecure(origin) ? '; Secure' : ''}`

const cookie = (value: string, seconds: number, origin: string, request: Pick<RequestInfo, 'overTls'>) =>
  setCookie(sessionCookieName(origin), value, seconds, origin, request)

/** The Set-Cookie header that signs a browser in; `origin` is the public one. */
export const sessionCookie = (token: string, origin: string, request: Pick<RequestInfo, 'overTls'>) =>
  cookie(token, COOKIE_S, origin, request)
/** Has the browser delete what it stores of this site, its cache of answers included; cookies are cleared one by one. */
export const CLEAR_SITE_DATA = ['clear-site-data', '"cache", "storage"'] as const

/** The one that makes the browser forget. */
export const clearedCookie = (origin: string, request: Pick<RequestInfo, 'overTls'>) => cookie('', 0, origin, request)
