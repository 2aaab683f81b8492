import { lazy } from '@lyceum/content/lazy'
import fastJsonStringify from 'fast-json-stringify'
import type { Actor, ReadRequest } from '../core/context.ts'
import { cached } from './cached.ts'
import { fromSerializedResponse, isTimed, type SerializedResponse, secondsSince, toSerializedResponse } from './json-fragments.ts'
import { defineCache } from './lru-store.ts'
import type { Track } from './tags.ts'

const responses = defineCache<SerializedResponse>({ name: 'caller-responses', maxEntries: 6000, maxBytes: 32 * 2 ** 20 })

/**
 * Everything about an actor that decides what they may see: after a change of permissions, no response made with the former ones may be
 * used.
 */
export const actorCacheKey = ({ id, role, permissions, managedSpaces }: Actor): string =>
  role === 'member' ? String(id) : `${id} ${role} ${[...permissions].join()} ${managedSpaces?.join() ?? 'all'}`

/** Tags of the permissions of a caller and of what their visibility depends on. */
const viewerTags = ({ id }: Actor): string[] => ['visibility', `account:${id}`, `member:${id}`]

/** The body of a response of one caller. */
export const callerBody = (
  ctx: ReadRequest,
  query: object,
  make: (track: Track) => Promise<SerializedResponse>,
): SerializedResponse | Promise<SerializedResponse> => {
  const { actor, request } = ctx
  return cached(ctx, responses, `${actorCacheKey(actor)} ${request.url} ${JSON.stringify(query)}`, (track) => {
    track.tag(...viewerTags(actor))
    return make(track)
  })
}

/** Caches the responses of an operation by caller. They may contain no time except their duration at the end. */
export const callerResponse = <R extends object>({ response }: { readonly response: object }) => {
  const serialize = lazy(() => fastJsonStringify(response) as (answer: R) => string)
  const timed = isTimed(response)
  return async (ctx: ReadRequest, query: object, make: (track: Track) => Promise<R>): Promise<R> => {
    const sent = await callerBody(ctx, query, async (track) => toSerializedResponse(serialize()(await make(track)), timed))
    return fromSerializedResponse(sent, timed ? secondsSince(ctx.request.startedAt) : null)
  }
}
