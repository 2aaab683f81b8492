import fastJsonStringify from 'fast-json-stringify'
import type { Actor, ReadRequest } from '../core/context.ts'
import { isTimed, type SentAnswer, secondsSince, sentAgain, toSendAgain } from './json-fragments.ts'

/** What was answered, and the rows that it was made from; null: it cannot be kept. */
export interface MadeAnswer<R> {
  readonly answer: R
  readonly subjects: readonly string[] | null
}

/** Everything of an actor that decides what he sees: who was given other rights meanwhile must not meet what was made with the former ones. */
export const standing = ({ id, role, permissions, managedSpaces }: Actor): string =>
  role === 'member' ? String(id) : `${id} ${role} ${[...permissions].join()} ${managedSpaces?.join() ?? 'all'}`

/**
 * Keeps what one caller was answered, as JSON, until something changes that it was made from: only where changes are told exactly, for it
 * decides what he may see. No time may be in it but how long it took, at its end. Own rights, memberships and follows are among the subjects by themselves.
 */
export const responseCache = <R extends object>(name: string, size: number, response: object) => {
  let serialize: ((answer: R) => string) | null = null
  const timed = isTimed(response)
  return async (ctx: ReadRequest, query: object, make: () => Promise<MadeAnswer<R>>): Promise<R> => {
    const { actor, request, services } = ctx
    const { caches } = services
    if (!caches.holds()) return (await make()).answer
    const kept = caches.of<SentAnswer>(name, size)
    const send = (sent: SentAnswer): R => sentAgain(sent, timed ? secondsSince(request.startedAt) : null)
    const since = caches.now()
    const key = `${standing(actor)} ${request.url} ${JSON.stringify(query)}`
    const found = kept.get(key, since)
    if (found) return send(found)
    const { answer, subjects } = await make()
    if (!subjects) return answer
    serialize ??= fastJsonStringify(response) as (answer: R) => string
    const sent = toSendAgain(serialize(answer), timed)
    kept.set(key, sent, [...new Set([...subjects, 'sight', `account:${actor.id}`, `member:${actor.id}`])], since)
    return send(sent)
  }
}
