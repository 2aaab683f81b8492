import { lazy, memoize } from '@lyceum/content/lazy'
import type { Access, Route } from '@lyceum/contract'
import { Ajv } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../../cache/index.ts'
import { assemble, type Body, isTimed, type NextChunk, plainBody } from '../../cache/json-fragments.ts'
import { nowOf } from '../../core/clock.ts'
import type { Actor, ReadContext, RequestInfo, Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { asRead } from '../../core/read-guard.ts'
import type { Writer } from '../../jobs/index.ts'
import type { Credential } from '../../realtime/types.ts'
import { bodyReader } from '../requests/body-validation.ts'
import { type Answer, type IdempotentRequest, idempotentRequest, once, replay } from '../requests/idempotency.ts'
import { createUploads, type UploadedFile } from '../requests/multipart.ts'
import { parameterReader, rememberingReader } from '../requests/parameters.ts'
import { csvOf, wantsCsv } from '../responses/csv.ts'
import { type OpenStream, type StreamResponse, streamRequestOf } from '../responses/event-stream.ts'
import { pageLinksOf } from '../responses/page-links.ts'
import { JSON_TYPE, type LargeResponses, type SendResponse } from '../responses/send-response.ts'
import type { InnerCall } from './inner-calls.ts'
import type { MountedRoute, Prepared, ResponseSetters } from './route-handlers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    credential: Credential | null
    /**
     * Snapshot of the caches before authentication. If the caller loses a permission during the request, no cache entry that was created
     * with it remains, because the entry is invalidated by changes since then.
     */
    snapshot: Snapshot
    /** Start of the request by `performance.now()`. */
    startedAt: number
    /** Path of the operation, and whether it streams; null outside operations. Fastify would allocate an object for this. */
    place: { readonly url: string; readonly open: boolean } | null
  }
}

const allowed = (access: Access, actor: Actor | null): boolean => {
  if (access === 'public') return true
  if (!actor) return false
  if (access === 'member') return true
  return access === 'admin' ? actor.role === 'admin' : actor.permissions.has(access)
}

export const checkAccess = ({ access, forbidden = 'rest_forbidden' }: Route, actor: Actor | null) => {
  if (!allowed(access, actor)) throw new ApiError(forbidden)
}

export interface EndpointTools {
  readonly services: Services
  readonly write: Writer
  readonly sendResponse: SendResponse
  readonly openStream: OpenStream
  readonly large: LargeResponses
  /** Sends further requests of the caller of a request. */
  readonly callsOf: (request: FastifyRequest) => InnerCall
  readonly checkAnswers: boolean
}

/**
 * Runs an operation from request to response: validates, opens a write (except for GET), runs the handler, and serializes by the allowlist
 * of the contract. Authentication, limits and access were checked before the body was read.
 */
export const createEndpoint = (mounted: MountedRoute, tools: EndpointTools) => {
  const { route } = mounted
  const operation = compileOperation(mounted, tools.services, tools.checkAnswers)
  const reads = route.method === 'GET' || route.write === false
  const create = route.calls ? createCallingEndpoint : reads ? createReadEndpoint : createWriteEndpoint
  const run = create(operation, tools)
  if (route.consumes !== 'multipart') return (request: FastifyRequest, reply: FastifyReply) => run(request, reply, request.body)
  const withUpload = createUploads(tools.services.config)
  return (request: FastifyRequest, reply: FastifyReply) => withUpload(request, ({ fields, file }) => run(request, reply, fields, file))
}

type Anything = Record<string, unknown>
type Run = (ctx: unknown, input: unknown, prepared?: unknown) => Promise<unknown>

const answers = lazy(
  () =>
    new Ajv({
      strict: false,
      allowUnionTypes: true,
      code: { optimize: false },
      formats: { datetime: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/ },
    }),
)

const validatorOf = memoize((route: Route) => answers().compile(route.response))
const serializerOf = memoize((route: Route) => fastJsonStringify(route.response as object))

/** Refuses a response that does not match its declaration. Tests enable this so that the API document stays correct. */
const answerChecker = (id: string, route: Route) => (result: unknown) => {
  const valid = validatorOf(route)
  if (!valid(result)) throw new Error(`${id} answers off its schema: ${answers().errorsText(valid.errors)}`)
}

/** The same chunks; fails instead of sending the last one if the whole does not match its declaration. */
const checked = (next: NextChunk, check: (result: unknown) => void): NextChunk => {
  const all: Buffer[] = []
  let sent = 0
  return async () => {
    while (all.length < sent + 2) {
      const chunk = await next()
      if (chunk) all.push(chunk)
      else {
        if (sent < all.length) check(JSON.parse(Buffer.concat(all).toString()))
        break
      }
    }
    return all[sent++] ?? null
  }
}

/** The headers that a response depends on; null if the client must not cache it. */
const varyOf = ({ method, secret, produces, csv }: Route): string | null => {
  if (method !== 'GET' || secret || produces === 'events') return null
  return csv === undefined ? 'authorization, cookie, accept-encoding' : 'authorization, cookie, accept, accept-encoding'
}

export const pathOf = (url: string) => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

interface OperationInput {
  readonly params: Anything
  readonly query: Anything
  readonly body: unknown
  /** The file of a multipart body; null if there is none. */
  readonly file: UploadedFile | null | undefined
  /** Headers of the response that concern the fields of the body. */
  readonly fieldHeaders: readonly (readonly [name: string, value: string])[]
}

/** Context of a request plus functions with which the handler sets the status and headers of the response. */
interface ResponseRequest extends ResponseSetters {
  readonly actor: Actor | null
  readonly request: RequestInfo
}

interface ResponseMeta {
  status: number
  headers: (readonly [name: string, value: string])[]
}

/** A compiled operation of the contract: what reads and writes have in common. */
const compileOperation = ({ id, route, handler, checkAccess }: MountedRoute, services: Services, checkAnswers: boolean) => {
  const readParams = parameterReader(route.params)
  const readQuery = rememberingReader(parameterReader(route.query, route.queryErrors))
  const readBody = bodyReader(route)
  const check = checkAnswers ? answerChecker(id, route) : null
  const timed = isTimed(route.response)
  const status = route.status ?? 200
  const plain = typeof handler === 'function'

  return {
    id,
    route,
    check,
    vary: varyOf(route),
    /** Work of the handler outside the transaction; null if there is none. */
    prepare: plain ? null : ((handler as unknown as Prepared<Route>).prepare as unknown as Run),
    handle: (plain ? handler : (handler as unknown as Prepared<Route>).handle) as unknown as Run,

    /** @throws 400 for input that violates the contract */
    inputOf: (request: FastifyRequest, sent: unknown, file: UploadedFile | null | undefined): OperationInput => {
      const params = readParams(request.params as Anything)
      const query = readQuery(request.url.slice(pathOf(request.url).length), request.query as Anything)
      const [body, fieldHeaders] = readBody(sent, request.headers)
      return { params, query, body, file, fieldHeaders }
    },

    /** Checks whether the caller may run the operation at all. @throws the error of the handler */
    checkAccess: async (reading: unknown, request: FastifyRequest, refusal: ApiError): Promise<void> => {
      await (checkAccess as Run | undefined)?.(reading, readParams(request.params as Anything), refusal)
    },

    emptyMeta: (): ResponseMeta => ({ status, headers: [] }),

    /** Discards what the handler set in an earlier run. */
    resetMeta: (meta: ResponseMeta) => {
      meta.status = status
      meta.headers = []
    },

    requestOf: (request: FastifyRequest, meta: ResponseMeta): ResponseRequest => ({
      actor: request.actor,
      request: {
        id: request.id,
        ip: request.ip,
        userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
        url: services.origin() + pathOf(request.url),
        startedAt: request.startedAt,
        cookies: request.headers.cookie,
        overTls: request.headers['x-forwarded-proto'] !== undefined && request.protocol === 'https',
      },
      setHeader: (name, value) => meta.headers.push([name, value]),
      setNotCreated: () => {
        meta.status = route.alternateStatus ?? status
      },
    }),

    /** Serializes by the allowlist of the contract. */
    bodyOf: (result: unknown): Body => {
      const body = assemble(serializerOf(route), result, timed)
      if (!check) return body
      const { chunks } = body
      if (chunks) return { ...body, chunks: { ...chunks, start: () => checked(chunks.start(), check) } }
      check(JSON.parse(String(body.text())))
      return body
    },
  }
}

type Operation = ReturnType<typeof compileOperation>

const readingOf = (services: Services, { snapshot }: FastifyRequest, caller: ResponseRequest): ReadContext & ResponseRequest => ({
  db: services.database.read,
  now: nowOf(services.clock),
  services,
  snapshot,
  ...caller,
})

/** Runs a read-only operation and responds with JSON, CSV or a stream. */
const createReadEndpoint = (operation: Operation, { services, sendResponse, openStream, large }: EndpointTools) => {
  const { id, route, prepare, handle, vary, check } = operation
  const { database } = services
  const table = route.csv === undefined ? null : csvOf(route)
  const pageLinks = pageLinksOf(route)

  return async (request: FastifyRequest, reply: FastifyReply, sent: unknown, file?: UploadedFile | null) => {
    const input = operation.inputOf(request, sent, file)
    const meta = operation.emptyMeta()
    const reading = readingOf(services, request, operation.requestOf(request, meta))
    if (route.produces === 'events') {
      const start = await handle({ ...reading, listening: streamRequestOf(request) }, input)
      return openStream(request, reply, start as StreamResponse, check)
    }
    return large.make(request, id, async () => {
      // The handler may run twice, because a replica may become unavailable.
      const read = () =>
        database.readWithReplica(async (db) => {
          operation.resetMeta(meta)
          const ctx = db === reading.db ? reading : { ...reading, db }
          return handle(ctx, input, prepare ? await prepare(ctx, input) : undefined)
        })
      const result = await (check ? asRead(id, read) : read())
      const { status } = meta
      const headers = [...meta.headers, ...input.fieldHeaders]
      if (!table || !wantsCsv(input.query, request.headers.accept)) {
        const body = operation.bodyOf(result)
        large.note(request, id, body.size)
        const search = request.url.slice(pathOf(request.url).length + 1)
        const link = pageLinks?.({ url: reading.request.url, search, query: input.query }, body)
        if (link) headers.push(['link', link])
        return sendResponse(request, reply, { status, headers, body, type: JSON_TYPE, vary })
      }
      const { text, name } = table(result)
      large.note(request, id, text.length)
      headers.push(['content-disposition', `attachment; filename="${name}"`])
      return sendResponse(request, reply, { status, headers, body: plainBody(text), type: 'text/csv; charset=utf-8', vary })
    })
  }
}

/** Runs an operation that sends further requests: only once, and without holding anything that they could wait for. */
const createCallingEndpoint = (operation: Operation, { services, sendResponse, callsOf }: EndpointTools) => {
  const { handle, vary } = operation
  return async (request: FastifyRequest, reply: FastifyReply, sent: unknown) => {
    const input = operation.inputOf(request, sent, null)
    const meta = operation.emptyMeta()
    const reading = readingOf(services, request, operation.requestOf(request, meta))
    const body = operation.bodyOf(await handle({ ...reading, call: callsOf(request) }, input))
    const headers = [...meta.headers, ...input.fieldHeaders]
    return sendResponse(request, reply, { status: meta.status, headers, body, type: JSON_TYPE, vary })
  }
}

/** Feeds may be written to by thousands at once, since each comment and reaction changes their counters. */
const placeOf = ({ params }: OperationInput): string | undefined => {
  const { feed_id } = params
  return feed_id === undefined ? undefined : `feed:${feed_id}`
}

/** Runs an operation that writes: once per idempotency key and in one transaction, after the work that must stay outside of it. */
const createWriteEndpoint = (operation: Operation, { services, write, sendResponse }: EndpointTools) => {
  const { route, prepare, handle, vary } = operation
  const { database, keys } = services

  const repeatableOf = (request: FastifyRequest, { body, file }: OperationInput): IdempotentRequest | null => {
    if (route.method !== 'POST') return null
    const scope = request.actor ? `user:${request.actor.id}` : `ip:${request.ip}`
    const sent = file ? { ...(body as object), file: [file.name, file.sha256] } : body
    const described = { scope, method: route.method, path: pathOf(request.url), body: sent, secret: route.secret === true }
    return idempotentRequest(request.headers['idempotency-key'], described, keys.encryption)
  }

  /** Response of an earlier request with the same idempotency key. */
  const earlierThan = async (repeatable: IdempotentRequest | null, now: string): Promise<Answer | null> => {
    const found = repeatable && (await replay(database.read, repeatable, now))
    // The first request is answered once its write is durable, and so is this one.
    if (found) await database.waitUntilDurable()
    return found
  }

  const inputOf = async (request: FastifyRequest, reading: object, sent: unknown, file: UploadedFile | null | undefined) => {
    try {
      return operation.inputOf(request, sent, file)
    } catch (error) {
      if (error instanceof ApiError) await operation.checkAccess(reading, request, error)
      throw error
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply, sent: unknown, file?: UploadedFile | null) => {
    const meta = operation.emptyMeta()
    const caller = operation.requestOf(request, meta)
    const reading = readingOf(services, request, caller)
    const input = await inputOf(request, reading, sent, file)
    const repeatable = repeatableOf(request, input)

    const send = ({ status, headers, text }: Answer, replayed: boolean) =>
      sendResponse(request, reply, {
        status,
        headers: [...headers, ...input.fieldHeaders, ...(replayed ? [['idempotency-replayed', 'true'] as const] : [])],
        body: plainBody(text),
        type: JSON_TYPE,
        vary,
      })

    const before = prepare ? await earlierThan(repeatable, reading.now) : null
    if (before) return send(before, true)
    let ready: unknown
    try {
      ready = await prepare?.(reading, input)
    } catch (error) {
      // The failure may be caused by a concurrent request with the same key, which took the unique name or used the token first.
      const twin = await earlierThan(repeatable, reading.now)
      if (twin) return send(twin, true)
      throw error
    }
    const snapshot = services.caches.inTransaction(request.snapshot)
    const result = await write(
      request.actor?.id ?? null,
      (ctx) => {
        operation.resetMeta(meta)
        const work = async (): Promise<Answer> => {
          const body = operation.bodyOf(await handle({ ...ctx, ...caller, snapshot }, input, ready))
          return { status: meta.status, headers: [...meta.headers], text: body.text() }
        }
        return repeatable ? once(ctx.db, repeatable, ctx.now, work) : work()
      },
      placeOf(input),
    )
    return send(result, 'replayed' in result && result.replayed === true)
  }
}
