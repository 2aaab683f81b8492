import type { Access, Route } from '@lyceum/contract'
import { Ajv } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nowOf } from '../clock.ts'
import type { Actor, ReadContext, RequestInfo, Services } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Writer } from '../jobs/index.ts'
import { onceFor, whenWanted } from '../library.ts'
import type { Credential } from '../realtime/realtime.ts'
import { bodyReader } from './body-validation.ts'
import { csvOf, wantsCsv } from './csv.ts'
import { listeningOf, type OpenStream, type Streaming } from './event-stream.ts'
import { assemble, type Body, isTimed, tagOf } from './fragments.ts'
import type { Mounted, Prepared } from './handlers.ts'
import { type Answer, idempotentRequest, once, replay } from './idempotency.ts'
import { createUploads, type UploadedFile } from './multipart.ts'
import { parameterReader, rememberingReader } from './parameters.ts'
import { JSON_TYPE, type Keeping, ONCE, type SendAnswer } from './send-answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    credential: Credential | null
    /** The caches' moment before it was known who asks: what he may see is decided as of then. */
    moment: number
    /** When it began, by `performance.now()`. */
    startedAt: number
    /** The path of its operation, and whether its answer stays open; null outside of operations. Fastify makes a new object of all it knows. */
    place: { readonly url: string; readonly open: boolean } | null
  }
}

type Anything = Record<string, unknown>
type Run = (ctx: unknown, input: unknown, prepared?: unknown) => Promise<unknown>

const answers = whenWanted(
  () => new Ajv({ strict: false, allowUnionTypes: true, formats: { datetime: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/ } }),
)

const validatorOf = onceFor((route: Route) => answers().compile(route.response))
const serializerOf = onceFor((route: Route) => fastJsonStringify(route.response as object))

/** Refuses an answer that does not match its declaration; tests switch this on, so that the document never lies. */
const answerChecker = (id: string, route: Route) => (result: unknown) => {
  const valid = validatorOf(route)
  if (!valid(result)) throw new Error(`${id} answers off its schema: ${answers().errorsText(valid.errors)}`)
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

/** What an answer depends on, and whether its caller may keep it. */
const keepingOf = (route: Route): Keeping => {
  if (route.method !== 'GET' || route.secret || route.produces === 'events') return ONCE
  return {
    kept: true,
    vary: route.csv === undefined ? 'authorization, cookie, accept-encoding' : 'authorization, cookie, accept, accept-encoding',
  }
}

const plainBody = (text: string | Buffer): Body => ({ tag: () => tagOf(text), text: () => text })

const pathOf = (url: string) => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

export interface EndpointTools {
  readonly services: Services
  readonly write: Writer
  readonly sendAnswer: SendAnswer
  readonly openStream: OpenStream
  readonly checkAnswers: boolean
}

interface Made {
  readonly status: number
  readonly headers: readonly [string, string][]
  readonly body: Body
}

/**
 * One operation from request to answer: validate, open a write (anything but GET), run the handler, serialise by the contract's
 * allow-list. Credentials, limits and access have been checked before the body was read.
 */
export const createEndpoint = (
  { id, route, handler }: Mounted,
  { services, write, sendAnswer, openStream, checkAnswers }: EndpointTools,
) => {
  const readParams = parameterReader(route.params)
  const readQuery = rememberingReader(parameterReader(route.query, route.queryErrors))
  const readBody = bodyReader(route)
  const table = route.csv === undefined ? null : csvOf(route)
  const check = checkAnswers ? answerChecker(id, route) : null
  const reads = route.method === 'GET' || route.write === false
  const timed = isTimed(route.response)
  const keeping = keepingOf(route)
  const status = route.status ?? 200
  const plain = typeof handler === 'function'
  const prepare = plain ? null : ((handler as unknown as Prepared<Route>).prepare as unknown as Run)
  const handle = (plain ? handler : (handler as unknown as Prepared<Route>).handle) as unknown as Run

  /**
   * Whoever loses a right while his request is under way must not leave behind what was made with it; and a replica, which has come as far as
   * the primary was in that moment, knows nothing of what has been told since.
   */
  let asOf: { readonly moment: number; readonly services: Services } = { moment: -1, services }
  const servicesAsOf = (moment: number): Services => {
    if (asOf.moment !== moment) asOf = { moment, services: { ...services, caches: services.caches.asOf(moment) } }
    return asOf.services
  }

  const bodyOf = (result: unknown): Body => {
    const body = assemble(serializerOf(route), result, timed)
    check?.(JSON.parse(String(body.text())))
    return body
  }

  const run = async (request: FastifyRequest, reply: FastifyReply, sent: unknown, file?: UploadedFile | null) => {
    const { actor } = request
    const path = pathOf(request.url)
    const input = {
      params: readParams(request.params as Anything),
      query: readQuery(request.url.slice(path.length), request.query as Anything),
      body: readBody(sent),
      file,
    }
    const info: RequestInfo = {
      id: request.id,
      ip: request.ip,
      userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
      url: services.origin() + path,
      startedAt: request.startedAt,
    }
    const headers: [string, string][] = []
    let code: number = status
    const asked = {
      actor,
      request: info,
      setHeader: (name: string, value: string) => headers.push([name, value]),
      setUnmade: () => {
        code = route.unmade ?? status
      },
    }
    const reading: ReadContext & typeof asked = {
      db: services.database.read,
      now: nowOf(services.clock),
      services: servicesAsOf(request.moment),
      ...asked,
    }

    /** It may run twice: a replica may go away in the middle. */
    const onReading = <T>(work: (ctx: typeof reading) => Promise<T>): Promise<T> =>
      services.database.reading((db) => {
        headers.length = 0
        code = status
        return work(db === reading.db ? reading : { ...reading, db })
      })

    const send = (made: Made) => sendAnswer(request, reply, { ...made, type: JSON_TYPE, keeping })
    const finish = async (ctx: unknown, ready: unknown): Promise<Made> => {
      const body = bodyOf(await handle(ctx, input, ready))
      return { status: code, headers, body }
    }
    if (route.produces === 'events') {
      const start = await handle({ ...reading, listening: listeningOf(request) }, input)
      return openStream(request, reply, start as Streaming, check)
    }
    if (table && wantsCsv(input.query, request.headers.accept)) {
      const { text, name } = table(await onReading(async (ctx) => handle(ctx, input, await prepare?.(ctx, input))))
      headers.push(['content-disposition', `attachment; filename="${name}"`])
      return sendAnswer(request, reply, { status, headers, body: plainBody(text), type: 'text/csv; charset=utf-8', keeping })
    }
    if (reads) return send(await onReading(async (ctx) => finish(ctx, prepare ? await prepare(ctx, input) : undefined)))

    const sendStored = ({ status: earlier, headers: stored, text }: Answer, replayed: boolean) =>
      send({
        status: earlier,
        headers: replayed
          ? [...stored.map(([name, value]): [string, string] => [name, value]), ['idempotency-replayed', 'true']]
          : [...(stored as [string, string][])],
        body: plainBody(text),
      })
    const scope = actor ? `user:${actor.id}` : `ip:${request.ip}`
    const repeatable =
      route.method === 'POST'
        ? idempotentRequest(
            request.headers['idempotency-key'],
            { scope, method: route.method, path, body: file ? { ...input.body, file: [file.name, file.sha256] } : input.body },
            services.keys.sealing,
          )
        : null
    const earlier = async () => {
      const found = repeatable && (await replay(services.database.read, repeatable, reading.now))
      // The twin itself is answered when its write can no longer be lost, and so is this.
      if (found) await services.database.settled()
      return found
    }
    const before = prepare ? await earlier() : null
    if (before) return sendStored(before, true)
    let ready: unknown
    try {
      ready = await prepare?.(reading, input)
    } catch (error) {
      // A twin that ended meanwhile is why: its name is taken, its token used up.
      const twin = await earlier()
      if (twin) return sendStored(twin, true)
      throw error
    }
    const result = await write(actor?.id ?? null, (ctx) => {
      headers.length = 0
      code = status
      const work = async (): Promise<Answer> => {
        const made = await finish({ ...ctx, ...asked }, ready)
        return { status: made.status, headers: [...made.headers], text: made.body.text() }
      }
      return repeatable ? once(ctx.db, repeatable, ctx.now, work) : work()
    })
    return sendStored(result, 'replayed' in result && result.replayed === true)
  }
  if (route.consumes !== 'multipart') return (request: FastifyRequest, reply: FastifyReply) => run(request, reply, request.body)
  const withUpload = createUploads(services.config)
  return (request: FastifyRequest, reply: FastifyReply) => withUpload(request, ({ fields, file }) => run(request, reply, fields, file))
}
