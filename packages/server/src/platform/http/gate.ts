import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Identity, identify, NONCE_HEADER, readBasic } from '../auth/identify.ts'
import type { Presence } from '../auth/presence.ts'
import { sessionCookieName } from '../auth/session.ts'
import { countTry, tryKeys } from '../auth/tries.ts'
import { nowOf } from '../clock.ts'
import type { Actor, Services } from '../context.ts'
import { ApiError, unauthorized } from '../errors.ts'
import { checkNonce } from '../secrets/nonce.ts'
import type { RateLimits } from './rate-limits.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

const LONGEST_LOGIN = 320

const triedBy = (ip: string, authorization = '') => {
  const login = readBasic(authorization)?.login.slice(0, LONGEST_LOGIN)
  return tryKeys(ip, login ? `basic:${login}` : '')
}

export interface GateOptions {
  /** The route needs no credentials. */
  readonly open: boolean
  readonly ignoreCookie: boolean
}

/**
 * The first thing that happens to a request under the API root: who is it, is it within its limit, does a cookie come with its nonce.
 * In that order 401, 429 and 403 come before anything that depends on the path or the body.
 */
export const createGate = (services: Services, limits: RateLimits, presence: Presence) => {
  const { keys, clock } = services

  const identifyOrCount = async (request: FastifyRequest, reply: FastifyReply, ignoreCookie: boolean): Promise<Identity | null> => {
    const { authorization } = request.headers
    const cookie = ignoreCookie ? undefined : request.cookies[sessionCookieName(services.origin())]
    try {
      return await identify(services, { authorization, cookie }, nowOf(clock))
    } catch (error) {
      await limits.count(request, reply, null)
      if (error instanceof ApiError && error.status === 401) await countTry(services, triedBy(request.ip, authorization))
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

  return async (request: FastifyRequest, reply: FastifyReply, { open, ignoreCookie }: GateOptions): Promise<Actor | null> => {
    services.caches.look()
    const identity = await identifyOrCount(request, reply, ignoreCookie)
    await limits.count(request, reply, identity?.actor ?? null)
    if (!identity) {
      if (!open) throw unauthorized()
      return null
    }
    checkIntent(request, identity)
    presence.seen(identity, request.ip)
    request.credential = identity
    return identity.actor
  }
}

export type Gate = ReturnType<typeof createGate>
