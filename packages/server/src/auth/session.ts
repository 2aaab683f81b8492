import { shift } from '../core/clock.ts'
import type { RequestInfo, WriteContext } from '../core/context.ts'
import type { Db } from '../db/index.ts'
import { statement, statementOne } from '../db/index.ts'
import { readCookie } from '../http/requests/cookies.ts'
import { hashToken, isToken } from '../secrets/token.ts'

const isSecure = (origin: string) => origin.startsWith('https:')

/** Over HTTPS, the `__Host-` prefix binds the cookie to this host, so that sibling domains cannot set it. `origin` is the public origin. */
export const sessionCookieName = (origin: string) => (isSecure(origin) ? '__Host-lyceum_session' : 'lyceum_session')

/** A session expires after this time without use. */
export const SESSION_S = 30 * 24 * 3600
/** The longest lifetime that browsers accept for a cookie. The server decides when the session expires. */
const COOKIE_S = 400 * 24 * 3600

const insert = statementOne<{ id: number }>(
  `insert into sessions (user_id, token_hash, created_at, last_used_at, expires_at, ip, user_agent)
   values ($1, $2, $3, $3, $4, $5, $6) returning id`,
)
const removeOne = statement('delete from sessions where id = $1')
const removeByToken = statement('delete from sessions where token_hash = $1')
const removeAll = statement('delete from sessions where user_id = $1')
const removeOthers = statement('delete from sessions where user_id = $1 and id <> $2')

/** Creates a session for the account. `token` goes into the cookie, and only its hash is stored. */
export const startSession = async (ctx: WriteContext, userId: number, token: string, { ip, userAgent }: RequestInfo): Promise<number> => {
  const row = await insert(ctx.db, [userId, hashToken(token), ctx.now, shift(ctx.now, SESSION_S), ip, userAgent])
  return (row as { id: number }).id
}

export const endSession = (db: Db, sessionId: number) => removeOne(db, [sessionId])

/** For this time after sign-in, the account password is not requested again. */
const FRESH_S = 600

const beganAt = statementOne<{ id: number }>('select id from sessions where id = $1 and created_at > $2 and created_at <= $3')
/** Whether the session is only minutes old. Every session starts with the account password. */
export const isFreshSession = async (db: Db, sessionId: number, now: string): Promise<boolean> =>
  (await beganAt(db, [sessionId, shift(now, -FRESH_S), shift(now, FRESH_S)])) !== undefined

/**
 * Ends the session of the cookie in the request, whichever account it belongs to. Otherwise a new sign-in would leave it active and
 * unreachable.
 */
export const endFormerSession = async (db: Db, origin: string, { cookies }: RequestInfo): Promise<void> => {
  const token = readCookie(cookies, sessionCookieName(origin))
  if (token !== undefined && isToken(token)) await removeByToken(db, [hashToken(token)])
}

/** Ends the sessions of an account: all of them, or all but one. */
export const endSessions = (db: Db, userId: number, except: number | null = null) =>
  except === null ? removeAll(db, [userId]) : removeOthers(db, [userId, except])

/** A host-only, HttpOnly Set-Cookie header; `origin` is the public origin. */
export const setCookie = (
  name: string,
  value: string,
  seconds: number,
  origin: string,
  { overTls = false }: Pick<RequestInfo, 'overTls'>,
): string => `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${overTls || isSecure(origin) ? '; Secure' : ''}`

const cookie = (value: string, seconds: number, origin: string, request: Pick<RequestInfo, 'overTls'>) =>
  setCookie(sessionCookieName(origin), value, seconds, origin, request)

/** The Set-Cookie header that signs a browser in; `origin` is the public origin. */
export const sessionCookie = (token: string, origin: string, request: Pick<RequestInfo, 'overTls'>) =>
  cookie(token, COOKIE_S, origin, request)
/** Makes the browser delete its data for this site, cached responses included. Cookies are cleared one by one. */
export const CLEAR_SITE_DATA = ['clear-site-data', '"cache", "storage"'] as const

/** The Set-Cookie header that deletes the session cookie. */
export const clearedCookie = (origin: string, request: Pick<RequestInfo, 'overTls'>) => cookie('', 0, origin, request)
