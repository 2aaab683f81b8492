import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cachedIdentity, credentialKey, type Identity, identify, NONCE_HEADER, readBasic } from '../../auth/authenticate.ts'
import type { LastSeenTracker } from '../../auth/last-seen.ts'
import { addressTries, countTry, loginTries, pairTries } from '../../auth/login-throttle.ts'
import { cookieName } from '../../auth/session.ts'
import type { Snapshot } from '../../cache/index.ts'
import { nowOf } from '../../core/clock.ts'
import type { Actor, Services } from '../../core/context.ts'
import { ApiError, unauthorized } from '../../core/errors.ts'
import { DatabaseUnavailable } from '../../db/index.ts'
import { checkNonce } from '../../secrets/csrf-nonce.ts'
import type { RateLimits } from '../overload/rate-limits.ts'
import { readCookie } from '../requests/cookies.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const LONGEST_LOGIN = 320

const triedBy = (services: Services, ip: string, authorization = '') => {
  const basic = readBasic(authorization)
  if (!basic) return [addressTries(ip)]
  const login = `basic:${basic.login.slice(0, LONGEST_LOGIN)}`
  return [pairTries(services, ip, login), addressTries(ip), loginTries(services, login)]
}

export interface AuthenticatorOptions {
  /** The route does not require credentials. */
  readonly open: boolean
  readonly ignoreCookie: boolean
}

/**
 * The first step of a request under the API root: authentication, rate limit, and the nonce of cookie requests. In that order, 401, 429 and
 * 403 precede anything that depends on the path or the body. The result is synchronous if the identity is cached, which is the usual case.
 */
export const createAuthenticator = (services: Services, limits: RateLimits, presence: LastSeenTracker) => {
  const { keys, clock } = services
  const credentialKeys = new WeakMap<Socket, { readonly place: string; readonly secret: string; readonly key: string }>()

  /** A connection usually repeats its credentials, so their key is computed once. */
  const keyOn =
    (socket: Socket): typeof keyOf =>
    (place, secret) => {
      const last = credentialKeys.get(socket)
      if (last?.secret === secret && last.place === place) return last.key
      const key = keyOf(place, secret)
      credentialKeys.set(socket, { place, secret, key })
      return key
    }
  const keyOf = (place: 'header' | 'cookie', secret: string) => credentialKey(keys, place, secret)

  const identifyOrCount = async (request: FastifyRequest, reply: FastifyReply, cookie: string | undefined): Promise<Identity | null> => {
    const { authorization } = request.headers
    try {
      return await identify({ services, snapshot: request.snapshot }, { authorization, cookie }, nowOf(clock))
    } catch (error) {
      // The client is not at fault. Counting it would exhaust the limit of a shared address before the database is back.
      if (error instanceof DatabaseUnavailable) throw error
      await limits.count(request, reply, null)
      if (error instanceof ApiError && error.status === 401) await countTry(services, triedBy(services, request.ip, authorization))
      throw error
    }
  }

  const checkIntent = (request: FastifyRequest, identity: Identity) => {
    if (identity.kind !== 'session' || SAFE.has(request.method)) return
    const nonce = request.headers[NONCE_HEADER]
    if (typeof nonce !== 'string' || !checkNonce(keys.nonces, String(identity.credentialId), nonce, clock.now())) {
      throw new ApiError('rest_cookie_invalid_nonce')
    }
  }

  const admit = (request: FastifyRequest, identity: Identity | null, open: boolean): Actor | null => {
    if (!identity) {
      if (!open) throw unauthorized()
      return null
    }
    checkIntent(request, identity)
    presence.seen(identity, request.ip)
    request.credential = identity
    request.actor = identity.actor
    return identity.actor
  }

  const countAndAdmit = (request: FastifyRequest, reply: FastifyReply, identity: Identity | null, open: boolean) => {
    const counted = limits.count(request, reply, identity?.actor ?? null)
    return counted ? counted.then(() => admit(request, identity, open)) : admit(request, identity, open)
  }

  const enter = (request: FastifyRequest, reply: FastifyReply, { open, ignoreCookie }: AuthenticatorOptions, snapshot: Snapshot) => {
    request.snapshot = snapshot
    const { authorization } = request.headers
    const cookie =
      ignoreCookie || authorization !== undefined ? undefined : readCookie(request.headers.cookie, cookieName(services.origin(), 'session'))
    const known = cachedIdentity({ services, snapshot }, { authorization, cookie }, keyOn(request.raw.socket))
    if (known !== undefined) return countAndAdmit(request, reply, known, open)
    return identifyOrCount(request, reply, cookie).then((identity) => countAndAdmit(request, reply, identity, open))
  }

  return (request: FastifyRequest, reply: FastifyReply, options: AuthenticatorOptions): Actor | null | Promise<Actor | null> => {
    const snapshot = services.caches.poll()
    if (!(snapshot instanceof Promise)) return enter(request, reply, options, snapshot)
    return snapshot.then((known) => enter(request, reply, options, known))
  }
}

export type RequestAuthenticator = ReturnType<typeof createAuthenticator>
