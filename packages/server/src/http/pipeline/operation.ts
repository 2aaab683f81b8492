import type { Route } from '@lyceum/contract'
import { Ajv } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyRequest } from 'fastify'
import { assemble, type Body, isTimed } from '../../cache/json-fragments.ts'
import type { Actor, RequestInfo, Services } from '../../core/context.ts'
import type { ApiError } from '../../core/errors.ts'
import { lazy, memoize } from '../../util/lazy.ts'
import { bodyReader } from '../requests/body-validation.ts'
import type { UploadedFile } from '../requests/multipart.ts'
import { parameterReader, rememberingReader } from '../requests/parameters.ts'
import { type Keeping, ONCE } from '../responses/send-response.ts'
import type { Answering, Mounted, Prepared } from './route-handlers.ts'

type Anything = Record<string, unknown>
type Run = (ctx: unknown, input: unknown, prepared?: unknown) => Promise<unknown>

const answers = lazy(
  () => new Ajv({ strict: false, allowUnionTypes: true, formats: { datetime: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/ } }),
)

const validatorOf = memoize((route: Route) => answers().compile(route.response))
const serializerOf = memoize((route: Route) => fastJsonStringify(route.response as object))

/** Refuses a response that does not match its declaration. Tests enable this so that the API document stays correct. */
const answerChecker = (id: string, route: Route) => (result: unknown) => {
  const valid = validatorOf(route)
  if (!valid(result)) throw new Error(`${id} answers off its schema: ${answers().errorsText(valid.errors)}`)
}

/** The same chunks; fails instead of sending the last one if the whole does not match its declaration. */
async function* checked(portions: AsyncIterable<Buffer>, check: (result: unknown) => void): AsyncGenerator<Buffer> {
  const all: Buffer[] = []
  for await (const portion of portions) {
    const [before] = all.slice(-1)
    if (before) yield before
    all.push(portion)
  }
  check(JSON.parse(Buffer.concat(all).toString()))
  yield all.at(-1) ?? Buffer.alloc(0)
}

/** What a response depends on, and whether the client may cache it. */
const keepingOf = (route: Route): Keeping => {
  if (route.method !== 'GET' || route.secret || route.produces === 'events') return ONCE
  return {
    kept: true,
    vary: route.csv === undefined ? 'authorization, cookie, accept-encoding' : 'authorization, cookie, accept, accept-encoding',
  }
}

const pathOf = (url: string) => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

export interface OperationInput {
  readonly params: Anything
  readonly query: Anything
  readonly body: unknown
  /** The file of a multipart body; null if there is none. */
  readonly file: UploadedFile | null | undefined
}

/** Context of a request plus functions with which the handler sets the status and headers of the response. */
export interface ResponseRequest extends Answering {
  readonly actor: Actor | null
  readonly request: RequestInfo
}

/** Status and headers set by a handler. */
export interface ResponseMeta {
  status: number
  headers: (readonly [name: string, value: string])[]
}

/** A compiled operation of the contract: what reads and writes have in common. */
export const compileOperation = ({ id, route, handler, allow }: Mounted, services: Services, checkAnswers: boolean) => {
  const readParams = parameterReader(route.params)
  const readQuery = rememberingReader(parameterReader(route.query, route.queryErrors))
  const readBody = bodyReader(route)
  const check = checkAnswers ? answerChecker(id, route) : null
  const timed = isTimed(route.response)
  const status = route.status ?? 200
  const plain = typeof handler === 'function'
  let asOf: { readonly moment: number; readonly services: Services } = { moment: -1, services }

  return {
    id,
    route,
    check,
    keeping: keepingOf(route),
    /** Work of the handler outside the transaction; null if there is none. */
    prepare: plain ? null : ((handler as unknown as Prepared<Route>).prepare as unknown as Run),
    handle: (plain ? handler : (handler as unknown as Prepared<Route>).handle) as unknown as Run,

    /** @throws 400 for input that violates the contract */
    inputOf: (request: FastifyRequest, sent: unknown, file: UploadedFile | null | undefined): OperationInput => ({
      params: readParams(request.params as Anything),
      query: readQuery(request.url.slice(pathOf(request.url).length), request.query as Anything),
      body: readBody(sent),
      file,
    }),

    /** Checks whether the caller may run the operation at all. @throws the error of the handler */
    allow: async (reading: unknown, request: FastifyRequest, refusal: ApiError): Promise<void> => {
      await (allow as Run | undefined)?.(reading, readParams(request.params as Anything), refusal)
    },

    pathOf: (request: FastifyRequest): string => pathOf(request.url),

    /**
     * Checks access again at the end: if the caller loses a right during the request, nothing made with it may remain. A replica that is as
     * recent as the primary was at the start does not know of later changes.
     */
    servicesAsOf: ({ moment }: FastifyRequest): Services => {
      if (asOf.moment !== moment) asOf = { moment, services: { ...services, caches: services.caches.asOf(moment) } }
      return asOf.services
    },

    emptyMeta: (): ResponseMeta => ({ status, headers: [] }),

    requestOf: (request: FastifyRequest, said: ResponseMeta): ResponseRequest => ({
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
      setHeader: (name, value) => said.headers.push([name, value]),
      setUnmade: () => {
        said.status = route.alternateStatus ?? status
      },
    }),

    /** Discards what the handler set in an earlier run. */
    forget: (said: ResponseMeta) => {
      said.status = status
      said.headers = []
    },

    /** Serializes by the allowlist of the contract. */
    bodyOf: (result: unknown): Body => {
      const body = assemble(serializerOf(route), result, timed)
      if (!check) return body
      const { portions } = body
      if (portions) return { ...body, portions: () => checked(portions(), check) }
      check(JSON.parse(String(body.text())))
      return body
    },
  }
}

export type Operation = ReturnType<typeof compileOperation>
