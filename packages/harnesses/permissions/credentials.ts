import { randomBytes } from 'node:crypto'
import type { Actor } from '#test/actors.ts'
import type { World } from '#test/world.ts'
import { startSession } from '../../server/src/auth/session.ts'
import { issueNonce } from '../../server/src/secrets/csrf-nonce.ts'
import { type Outcome, ROUTES } from './matrix.ts'

/** Credentials besides the application password. */
export const CREDENTIALS = ['cookie and nonce', 'cookie alone', 'cookie and a nonce of another', 'cookie and an old nonce'] as const
export type Credential = (typeof CREDENTIALS)[number]

const COOKIE = 'lyceum_session'
/** A nonce is valid in the half day of its creation and in the next one. */
const DAYS_AGO_MS = 2 * 24 * 3600 * 1000

export interface Session {
  readonly cookie: string
  readonly nonce: string
  readonly oldNonce: string
}

const INFO = { id: 'tests', url: '/', ip: '127.0.0.1', userAgent: 'tests', startedAt: 0 }

const tokenOf = () => randomBytes(32).toString('base64url')

/** A session for each actor with an account; the others send an invalid cookie or none. */
export const signInAll = (world: World, actors: readonly Actor[]): Promise<ReadonlyMap<string, Session>> =>
  world.app.write(null, async (ctx) => {
    const { keys, clock } = world.app.services
    const sessions = new Map<string, Session>()
    for (const { name, member, headers } of actors) {
      if (!member && !headers) continue
      const token = tokenOf()
      const id = member ? await startSession(ctx, member.id, token, INFO) : 0
      const nonceAt = (time: Date) => issueNonce(keys.nonces, String(id), time)
      const now = clock.now()
      sessions.set(name, { cookie: `${COOKIE}=${token}`, nonce: nonceAt(now), oldNonce: nonceAt(new Date(now.getTime() - DAYS_AGO_MS)) })
    }
    return sessions
  })

/** The same person with that credential. An invalid cookie counts as none. */
export const showing = (actor: Actor, credential: Credential, sessions: ReadonlyMap<string, Session>, another: Session): Actor => {
  const { headers: _wrong, ...person } = actor
  const session = sessions.get(actor.name)
  if (!session) return person
  const { cookie, nonce, oldNonce } = session
  const nonces = { 'cookie and nonce': nonce, 'cookie and a nonce of another': another.nonce, 'cookie and an old nonce': oldNonce } as const
  const shown = credential === 'cookie alone' ? undefined : nonces[credential]
  return { ...person, instead: { cookie, ...(shown && { 'x-lyceum-nonce': shown }) } }
}

export const NOBODY: Actor = {
  name: 'nobody',
  standings: [],
  permissions: new Set(),
  reach: 'everywhere',
  shutOut: [401, 'rest_forbidden'],
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
export const isUnsafe = (id: string): boolean => !SAFE.has(ROUTES.get(id)?.method ?? '')

/**
 * How a cookie changes the expected result: `by` is that of the person, `nobody` that without credentials. Without its own nonce a cookie
 * permits no changes. Where cookies are not accepted, the request counts as unauthenticated.
 */
export const withCookie = (id: string, actor: Actor, credential: Credential, by: Outcome, nobody: Outcome): Outcome => {
  if (ROUTES.get(id)?.cookies === 'ignored') return nobody
  const isKnown = actor.member !== undefined && !actor.shutOut
  return isKnown && isUnsafe(id) && credential !== 'cookie and nonce' ? '403 rest_cookie_invalid_nonce' : by
}

/** Actors tested with each credential in every run: the roles. Single permissions are tested with one credential, or in long runs. */
export const NAMED: readonly string[] = [
  'anonymous',
  'with a wrong password',
  'outsider',
  'follower',
  'space member',
  'space moderator',
  'space admin',
  'author',
  'moderator',
  'manager',
  'manager elsewhere',
  'manager who is paused',
  'administrator',
  'suspended manager',
  'banned manager',
  'banned from the space',
]
