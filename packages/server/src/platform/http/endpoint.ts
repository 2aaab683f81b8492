import type { Access, Route } from '@lyceum/contract'
import { Ajv } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { nowOf } from '../clock.ts'
import type { Actor, ReadContext, RequestInfo, Services } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Writer } from '../jobs/index.ts'
import type { Credential } from '../realtime/realtime.ts'
import { bodyReader } from './body-validation.ts'
import { csvOf, wantsCsv } from './csv.ts'
import { listeningOf, openStream, type Streaming } from './event-stream.ts'
import { assemble } from './fragments.ts'
import type { Mounted, Prepared } from './handlers.ts'
import { type Answer, idempotentRequest, once, replay } from './idempotency.ts'
import { createUploads, type UploadedFile } from './multipart.ts'
import { parameterReader } from './parameters.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    credential: Credential | null
  }
}

type Anything = Record<string, unknown>
type Run = (ctx: unknown, input: unknown, prepared?: unknown) => Promise<unknown>

const answers = new Ajv({ strict: false, allowUnionTypes: true, formats: { datetime: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/ } })

/** Refuses an answer that does not match its declaration; tests switch this on, so that the document never lies. */
const answerChecker = (id: string, route: Route) => {
  const valid = answers.compile(route.response)
  return (result: unknown) => {
    if (!valid(result)) throw new Error(`${id} answers off its schema: ${answers.errorsText(valid.errors)}`)
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

/**
 * One operation from request to answer: validate, open a write (anything but GET), run the handler, serialise by the contract's
 * allow-list. Credentials, limits and access have been checked before the body was read.
 */
export const createEndpoint = ({ id, route, handler }: Mounted, services: Services, write: Writer, checkAnswers: boolean) => {
  const readParams = parameterReader(route.params)
  const readQuery = parameterReader(route.query, route.queryErrors)
  const readBody = bodyReader(route)
  const serialize = fastJsonStringify(route.response as object)
  const table = route.csv === undefined ? null : csvOf(route)
  const check = checkAnswers ? answerChecker(id, route) : null
  const reads = route.method === 'GET' || route.write === false
  const status = route.status ?? 200
  const plain = typeof handler === 'function'
  const prepare = plain ? null : ((handler as unknown as Prepared<Route>).prepare as unknown as Run)
  const handle = (plain ? handler : (handler as unknown as Prepared<Route>).handle) as unknown as Run

  const answer = (result: unknown) => {
    const text = assemble(serialize, result)
    check?.(JSON.parse(String(text)))
    return text
  }

  const run = async (request: FastifyRequest, reply: FastifyReply, sent: unknown, file?: UploadedFile | null) => {
    const body = readBody(sent)
    const input = { params: readParams(request.params as Anything), query: readQuery(request.query as Anything), body, file }
    const { actor } = request
    const path = request.url.split('?', 1)[0] ?? ''
    const info: RequestInfo = {
      id: request.id,
      ip: request.ip,
      userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
      url: services.origin() + path,
      startedAt: performance.now(),
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
    const reading: ReadContext & typeof asked = { db: services.database.read, now: nowOf(services.clock), services, ...asked }

    const send = (result: Answer, replayed = false) => {
      for (const [name, value] of result.headers) reply.header(name, value)
      if (replayed) reply.header('idempotency-replayed', 'true')
      return reply.code(result.status).type('application/json; charset=utf-8').send(result.text)
    }
    const finish = async (ctx: unknown, ready: unknown): Promise<Answer> => {
      const text = answer(await handle(ctx, input, ready))
      return { status: code, headers: [...headers], text }
    }
    if (route.produces === 'events') {
      const start = await handle({ ...reading, listening: listeningOf(request) }, input)
      return openStream(request, reply, start as Streaming, check)
    }
    if (table && wantsCsv(input.query, request.headers.accept)) {
      const { text, name } = table(await handle(reading, input, await prepare?.(reading, input)))
      for (const [header, value] of headers) reply.header(header, value)
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return reply.code(status).type('text/csv; charset=utf-8').send(text)
    }
    if (reads) return send(await finish(reading, await prepare?.(reading, input)))

    const scope = actor ? `user:${actor.id}` : `ip:${request.ip}`
    const repeatable =
      route.method === 'POST'
        ? idempotentRequest(
            request.headers['idempotency-key'],
            { scope, method: route.method, path, body: file ? { ...body, file: [file.name, file.sha256] } : body },
            services.keys.sealing,
          )
        : null
    const earlier = () => repeatable && replay(services.database.read, repeatable, reading.now)
    const before = prepare ? await earlier() : null
    if (before) return send(before, true)
    let ready: unknown
    try {
      ready = await prepare?.(reading, input)
    } catch (error) {
      // A twin that ended meanwhile is why: its name is taken, its token used up.
      const twin = await earlier()
      if (twin) return send(twin, true)
      throw error
    }
    const result = await write(actor?.id ?? null, (ctx) => {
      headers.length = 0
      code = status
      const work = () => finish({ ...ctx, ...asked }, ready)
      return repeatable ? once(ctx.db, repeatable, ctx.now, work) : work()
    })
    return send(result, 'replayed' in result && result.replayed === true)
  }
  if (route.consumes !== 'multipart') return (request: FastifyRequest, reply: FastifyReply) => run(request, reply, request.body)
  const withUpload = createUploads(services.config)
  return (request: FastifyRequest, reply: FastifyReply) => withUpload(request, ({ fields, file }) => run(request, reply, fields, file))
}
