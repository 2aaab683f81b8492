import fastJsonStringify from 'fast-json-stringify'
import type { Actor, ReadRequest } from '../core/context.ts'
import { fromSerializedResponse, isTimed, type SerializedResponse, secondsSince, toSerializedResponse } from './json-fragments.ts'

/** A response and the rows it was made from; null if it cannot be cached. */
export interface CacheableResponse<R> {
  readonly response: R
  readonly tags: readonly string[] | null
}

/**
 * Everything about an actor that decides what they may see: after a change of permissions, no response made with the former ones may be
 * used.
 */
export const actorCacheKey = ({ id, role, permissions, managedSpaces }: Actor): string =>
  role === 'member' ? String(id) : `${id} ${role} ${[...permissions].join()} ${managedSpaces?.join() ?? 'all'}`

/**
 * Caches JSON responses of one caller until something they were made from changes. Only used where changes are tracked exactly, because the
 * response depends on access. It may contain no time except its duration at the end. Permissions, memberships and follows of the caller are
 * always among the tags.
 */
export const responseCache = <R extends object>(name: string, size: number, response: object) => {
  let serialize: ((answer: R) => string) | null = null
  const timed = isTimed(response)
  return async (ctx: ReadRequest, query: object, make: () => Promise<CacheableResponse<R>>): Promise<R> => {
    const { actor, request, services } = ctx
    const { caches } = services
    if (!caches.isUsable()) return (await make()).response
    const kept = caches.of<SerializedResponse>(name, size)
    const send = (sent: SerializedResponse): R => fromSerializedResponse(sent, timed ? secondsSince(request.startedAt) : null)
    const since = caches.revision()
    const key = `${actorCacheKey(actor)} ${request.url} ${JSON.stringify(query)}`
    const found = kept.get(key, since)
    if (found) return send(found)
    const { response, tags } = await make()
    if (!tags) return response
    serialize ??= fastJsonStringify(response) as (answer: R) => string
    const sent = toSerializedResponse(serialize(response), timed)
    kept.set(key, sent, [...new Set([...tags, 'sight', `account:${actor.id}`, `member:${actor.id}`])], since)
    return send(sent)
  }
}
