import { shift } from '../core/clock.ts'
import type { RequestInfo, Services, WriteContext } from '../core/context.ts'
import { type Db, insertReturningId, statement, statementExists, statementRowCount } from '../db/index.ts'
import { readCookie } from '../http/requests/cookies.ts'
import { hashToken, isToken } from '../secrets/token.ts'

const isSecure = (origin: string) => origin.startsWith('https:')

type CookieName = 'session' | 'device' | 'signup'

const pathOf = (origin: string) => /^https?:\/\/[^/]+(\/.*)/.exec(origin)?.[1]

/**
 * Over HTTPS, the `__Host-` prefix binds the cookie to this host, so that sibling domains cannot set it; browsers accept it for the path `/`
 * only. `origin` is the public address.
 */
export const cookieName = (origin: string, name: CookieName) => {
  const prefix = isSecure(origin) ? (pathOf(origin) === undefined ? '__Host-' : '__Secure-') : ''
  return `${prefix}lyceum_${name}`
}

/** A session expires after this time without use. */
export const SESSION_S = 30 * 24 * 3600
/** The longest lifetime that browsers accept for a cookie. The server decides when the session expires. */
const COOKIE_S = 400 * 24 * 3600

const insert = insertReturningId(
  `insert into sessions (user_id, token_hash, created_at, last_used_at, expires_at, ip, user_agent) values ($1, $2, $3, $3, $4, $5, $6)`,
)
const removeOne = statement('delete from sessions where id = $1')
const removeByToken = statement('delete from sessions where token_hash = $1')
const removeOthers = statementRowCount('delete from sessions where user_id = $1 and id <> $2 returning id')

/** Creates a session for the account. `token` goes into the cookie, and only its hash is stored. */
export const startSession = (ctx: WriteContext, userId: number, token: string, { ip, userAgent }: RequestInfo): Promise<number> =>
  insert(ctx.db, [userId, hashToken(token), ctx.now, shift(ctx.now, SESSION_S), ip, userAgent])

export const endSession = (db: Db, sessionId: number) => removeOne(db, [sessionId])

/** For this time after sign-in, the account password is not requested again. */
const FRESH_S = 600

const beganAt = statementExists('select id from sessions where id = $1 and created_at > $2 and created_at <= $3')
/** Whether the session is only minutes old. Every session starts with the account password. */
export const isFreshSession = (db: Db, sessionId: number, now: string): Promise<boolean> =>
  beganAt(db, [sessionId, shift(now, -FRESH_S), shift(now, FRESH_S)])

export interface CookieContext {
  readonly services: Pick<Services, 'origin'>
  readonly request: Pick<RequestInfo, 'cookies' | 'overTls'>
}

export const readOwnCookie = ({ services, request }: CookieContext, name: CookieName): string | undefined =>
  readCookie(request.cookies, cookieName(services.origin(), name))

/**
 * Ends the session of the cookie in the request, whichever account it belongs to. Otherwise a new sign-in would leave it active and
 * unreachable.
 */
export const endFormerSession = async (ctx: WriteContext & CookieContext): Promise<void> => {
  const token = readOwnCookie(ctx, 'session')
  if (token !== undefined && isToken(token)) await removeByToken(ctx.db, [hashToken(token)])
}

/** Ends the sessions of an account, all or all but one, and returns how many. */
export const endSessions = (db: Db, userId: number, except: number | null = null) => removeOthers(db, [userId, except ?? 0])

/** A host-only, HttpOnly Set-Cookie header. */
export const setCookie = ({ services, request: { overTls = false } }: CookieContext, name: CookieName, value: string, seconds: number) => {
  const origin = services.origin()
  const secure = overTls || isSecure(origin) ? '; Secure' : ''
  return `${cookieName(origin, name)}=${value}; Path=${pathOf(origin) ?? '/'}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The Set-Cookie header that signs a browser in. */
export const sessionCookie = (ctx: CookieContext, token: string) => setCookie(ctx, 'session', token, COOKIE_S)

/**
 * Headers that sign a browser out and make it delete its data for this site, cached responses included, unless it is only a part of a site.
 * Cookies are cleared one by one.
 */
export const signedOutHeaders = (ctx: CookieContext): (readonly [name: string, value: string])[] => [
  ['set-cookie', setCookie(ctx, 'session', '', 0)],
  ...(pathOf(ctx.services.origin()) === undefined ? [['clear-site-data', '"cache", "storage"'] as const] : []),
]
