import type { FastifyReply, FastifyRequest } from 'fastify'
import { plainBody } from '../../cache/json-fragments.ts'
import { nowOf } from '../../core/clock.ts'
import type { ReadContext, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Writer } from '../../jobs/index.ts'
import { type Answer, type IdempotentRequest, idempotentRequest, once, replay } from '../requests/idempotency.ts'
import type { UploadedFile } from '../requests/multipart.ts'
import { JSON_TYPE, type SendResponse } from '../responses/send-response.ts'
import type { Operation, OperationInput, ResponseRequest } from './operation.ts'

/** Feeds may be written to by thousands at once, since each comment and reaction changes their counters. */
const placeOf = ({ params }: OperationInput): string | undefined => {
  const { feed_id } = params
  return feed_id === undefined ? undefined : `feed:${feed_id}`
}

interface WriteTools {
  readonly services: Services
  readonly write: Writer
  readonly sendResponse: SendResponse
}

/** Runs an operation that writes: once per idempotency key and in one transaction, after the work that must stay outside of it. */
export const createWriteEndpoint = (operation: Operation, { services, write, sendResponse }: WriteTools) => {
  const { route, prepare, handle, keeping } = operation
  const { database, clock, keys } = services

  const repeatableOf = (request: FastifyRequest, { body, file }: OperationInput): IdempotentRequest | null => {
    if (route.method !== 'POST') return null
    const scope = request.actor ? `user:${request.actor.id}` : `ip:${request.ip}`
    const sent = file ? { ...(body as object), file: [file.name, file.sha256] } : body
    const described = { scope, method: route.method, path: operation.pathOf(request), body: sent, secret: route.secret === true }
    return idempotentRequest(request.headers['idempotency-key'], described, keys.sealing)
  }

  /** Response of an earlier request with the same idempotency key. */
  const earlierThan = async (repeatable: IdempotentRequest | null, now: string): Promise<Answer | null> => {
    const found = repeatable && (await replay(database.read, repeatable, now))
    // The first request is answered once its write is durable, and so is this one.
    if (found) await database.settled()
    return found
  }

  const inputOf = async (request: FastifyRequest, reading: object, sent: unknown, file: UploadedFile | null | undefined) => {
    try {
      return operation.inputOf(request, sent, file)
    } catch (error) {
      if (error instanceof ApiError) await operation.allow(reading, request, error)
      throw error
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply, sent: unknown, file?: UploadedFile | null) => {
    const said = operation.emptyMeta()
    const told = operation.requestOf(request, said)
    const reading: ReadContext & ResponseRequest = {
      db: database.read,
      now: nowOf(clock),
      services: operation.servicesAsOf(request),
      ...told,
    }
    const input = await inputOf(request, reading, sent, file)
    const repeatable = repeatableOf(request, input)

    const send = ({ status, headers, text }: Answer, replayed: boolean) =>
      sendResponse(request, reply, {
        status,
        headers: replayed ? [...headers, ['idempotency-replayed', 'true']] : headers,
        body: plainBody(text),
        type: JSON_TYPE,
        keeping,
      })

    const before = prepare ? await earlierThan(repeatable, reading.now) : null
    if (before) return send(before, true)
    let ready: unknown
    try {
      ready = await prepare?.(reading, input)
    } catch (error) {
      // A concurrent request with the same key is the reason: its name is taken, or its token used.
      const twin = await earlierThan(repeatable, reading.now)
      if (twin) return send(twin, true)
      throw error
    }
    const result = await write(
      request.actor?.id ?? null,
      (ctx) => {
        operation.forget(said)
        const work = async (): Promise<Answer> => {
          const body = operation.bodyOf(await handle({ ...ctx, ...told }, input, ready))
          return { status: said.status, headers: [...said.headers], text: body.text() }
        }
        return repeatable ? once(ctx.db, repeatable, ctx.now, work) : work()
      },
      placeOf(input),
    )
    return send(result, 'replayed' in result && result.replayed === true)
  }
}
