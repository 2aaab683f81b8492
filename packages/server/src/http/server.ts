import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { disabledError, type ErrorCode, type Feature, type Route } from '@lyceum/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'
import type { LastSeenTracker } from '../auth/last-seen.ts'
import type { Snapshot } from '../cache/index.ts'
import type { Services } from '../core/context.ts'
import { ApiError, invalidParameter } from '../core/errors.ts'
import type { Writer } from '../jobs/index.ts'
import { NO_TRACING } from '../observability/tracing.ts'
import { type ClientTimeouts, createListener, rejectInvalidHead, rejectMalformedRequest } from './node-server.ts'
import { createRateLimits, type RateLimits } from './overload/rate-limits.ts'
import { createLoadShedding, createRequestScheduler } from './overload/request-scheduler.ts'
import { createWriteBudgets } from './overload/write-budgets.ts'
import { type Allowed, createAllowedMethods } from './pipeline/allowed-methods.ts'
import { type AuthenticatorOptions, createAuthenticator, type RequestAuthenticator } from './pipeline/authenticate-request.ts'
import { checkAccess, createEndpoint, pathOf } from './pipeline/endpoint.ts'
import { createInnerCalls } from './pipeline/inner-calls.ts'
import { createOperationCalls, type OperationCalls } from './pipeline/operation-calls.ts'
import type { MountedRoute } from './pipeline/route-handlers.ts'
import { parseJsonBody } from './requests/json-body.ts'
import { acceptMultipart } from './requests/multipart.ts'
import { sendError } from './responses/error-handler.ts'
import { createOpenStream } from './responses/event-stream.ts'
import { createCommonHeaders, createLargeResponses, createSendResponse, setCommonHeaders } from './responses/send-response.ts'
import { followPayload, type Unsent } from './responses/unsent-bytes.ts'
import { createCors } from './security/cors.ts'
import { createHostCheck } from './security/host-check.ts'

const BODY_LIMIT = 256 * 1024
const OVERRIDES = new Set<string>(['PUT', 'PATCH', 'DELETE'])
const SAFE_ID = /^[A-Za-z0-9._-]{1,64}$/
const CLOSED: AuthenticatorOptions = { open: false, ignoreCookie: false }

/** `X-HTTP-Method-Override` must be applied before the router reads the method. */
const overrideMethod = (request: IncomingMessage) => {
  const wanted = request.headers['x-http-method-override']
  if (request.method !== 'POST' || typeof wanted !== 'string') return
  const method = wanted.trim().toUpperCase()
  if (OVERRIDES.has(method)) request.method = method
}

/** Fastify with the limits that the open internet requires. */
const createInstance = (
  { config, database, tracing }: Services,
  limits: RateLimits,
  observe: Observe,
  clientTimeouts?: ClientTimeouts,
): FastifyInstance => {
  const admit = createLoadShedding({
    turns: createRequestScheduler({ most: config.maxQueuedRequests, elsewhere: database.queueDepth }),
    headers: limits.uncounted,
    refused: ({ method = '' }) => observe('(refused)', method, 503, 0),
  })
  return Fastify({
    logger: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID()
    },
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy,
    // Requests that arrive at the last moment are answered, with the end of the connection announced.
    return503OnClosing: false,
    // Longer than any URL that the server accepts, because Fastify would send a response of its own format.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 20_000 },
    rewriteUrl: rewriteMalformed([config.apiRoot, ...config.apiAliases]),
    // Fastify leaves all timeouts to the factory.
    serverFactory: (handler) =>
      createListener((request, response) => {
        if (config.basePath) cutBasePath(config.basePath, request)
        admit(request, response, () => {
          overrideMethod(request)
          if (tracing === NO_TRACING) handler(request, response)
          else tracing.request(request, response, handler)
        })
      }, clientTimeouts),
    clientErrorHandler: (error, socket) => rejectMalformedRequest(error, socket, limits.uncounted()),
  })
}

const toPattern = (path: string) => path.replace(/\{([^}]+)\}/g, ':$1')

const gateOptions = (route: Route): AuthenticatorOptions => ({ open: route.access === 'public', ignoreCookie: route.cookies === 'ignored' })

type Done = (error?: Error) => void

export type Observe = (route: string, method: string, status: number, seconds: number) => void

export interface HttpDeps {
  readonly services: Services
  readonly write: Writer
  readonly presence: LastSeenTracker
  readonly unsent: Unsent
  readonly mounted: readonly MountedRoute[]
  /** Whether administrators have this feature enabled. */
  readonly isOn: (feature: Feature, snapshot: Snapshot) => Promise<boolean>
  /** Tests validate every response against the contract. */
  readonly checkAnswers: boolean
  /** Shorter timeouts for tests. */
  readonly clientTimeouts?: ClientTimeouts | undefined
  /** Pages outside the API: health checks, metrics, documents, the web app. */
  readonly pages: (app: FastifyInstance, limits: RateLimits) => void
  /** Pages under each API root that need no authentication, such as the OpenAPI document. */
  readonly openPages: (app: FastifyInstance, root: string, authenticate: RequestAuthenticator) => void
  readonly observe: Observe
  /** A mount for clients of another platform; null by default. */
  readonly compat?: Compat | null
}

/** What a mount for clients of another platform gets. It can do only what operations do. */
export interface CompatTools {
  readonly root: string
  readonly origin: () => string
  readonly now: () => Date
  /** Authenticates and counts a request, and checks the nonce of a session. */
  readonly enter: (request: FastifyRequest, reply: FastifyReply, options: AuthenticatorOptions, done: Done) => void
  /** Runs an operation for an admitted request. */
  readonly run: OperationCalls
  /** Counts a further operation against the rate limit; it sees what the operations before it have changed. */
  readonly countAgain: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  readonly acceptMultipart: (scope: FastifyInstance) => void
  /** Parses a JSON body with the limits of all bodies. */
  readonly parseJsonBody: (bytes: Buffer) => unknown
  readonly refuse: (code: ErrorCode) => Error
}

export interface Compat {
  readonly root: string
  readonly mount: (app: FastifyInstance, tools: CompatTools) => Promise<void>
}

export const createHttp = async (deps: HttpDeps): Promise<FastifyInstance> => {
  const { services, write, unsent, mounted, isOn, checkAnswers, observe } = deps
  const { config, log } = services
  const limits = createRateLimits(services, unsent)
  const app = createInstance(services, limits, observe, deps.clientTimeouts)
  const authenticate = createAuthenticator(services, limits, deps.presence)
  const writeBudgetOf = createWriteBudgets(services)
  const checkHost = createHostCheck(config)
  // Where clients of another platform find its API, the plain one does not exist.
  const roots = new Set([config.apiRoot, ...config.apiAliases].filter((root) => root !== deps.compat?.root))
  const cors = createCors(config.corsOrigins, [...roots, ...(deps.compat ? [deps.compat.root] : []), '/media'])
  const commonHeaders = createCommonHeaders(limits, cors)

  app.decorateRequest('actor', null)
  app.decorateRequest('credential', null)
  app.decorateRequest('snapshot', null as unknown as Snapshot)
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('place', null)
  app.decorateReply('rateLimit', null)
  const checked = checkAnswers ? (await import('./pipeline/assert-declared-errors.ts')).errorChecker(mounted) : (error: unknown) => error
  app.setErrorHandler((error, request, reply) => sendError(checked(error, request), request, reply, log))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    parseJsonBody(body, (request.routeOptions.config as { maxFields?: number } | undefined)?.maxFields),
  )

  const reportResponse = (request: FastifyRequest, status: number) => {
    const { url, open } = request.place ?? { url: request.routeOptions.url ?? '(none)', open: false }
    const ms = performance.now() - request.startedAt
    // The duration of a stream says nothing about the speed of the server.
    if (!open) observe(url, request.method, status, ms / 1000)
    if (!log.isLevelEnabled('info')) return
    log.info(
      {
        event: 'request_completed',
        request_id: request.id,
        method: request.method,
        route: url,
        status,
        ms: Math.round(ms * 100) / 100,
        user_id: request.actor?.id,
      },
      'request',
    )
  }
  const tools = {
    services,
    write,
    checkAnswers,
    large: createLargeResponses(unsent),
    callsOf: createInnerCalls(app, mounted, config.apiRoot),
    sendResponse: createSendResponse(commonHeaders, unsent, log, reportResponse),
    openStream: createOpenStream(
      (request, reply) => setCommonHeaders(request, reply, commonHeaders),
      (request) => reportResponse(request, 200),
      unsent,
    ),
  }

  // Hooks with a callback: an async hook costs a microtask, and each request runs all of these.
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    try {
      rejectInvalidHead(request.raw)
      checkHost?.(request)
      if (!cors?.answered(request, reply)) done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    setCommonHeaders(request, reply, commonHeaders)
    followPayload(unsent, request, reply, payload)
    reportResponse(request, reply.statusCode)
    done()
  })

  /** Admits the request, synchronously if possible. */
  const enter = (request: FastifyRequest, reply: FastifyReply, options: AuthenticatorOptions, done: Done) => {
    let actor: ReturnType<typeof authenticate>
    try {
      actor = authenticate(request, reply, options)
    } catch (error) {
      return done(error as Error)
    }
    if (!(actor instanceof Promise)) {
      request.actor = actor
      return done()
    }
    actor.then((found) => {
      request.actor = found
      done()
    }, done)
  }

  /** What precedes an endpoint: access, whether the feature is on, and the write budget. Synchronous if possible. */
  const checkOf = (route: Route) => {
    const { feature } = route
    const spend = writeBudgetOf(route)
    return (request: FastifyRequest): Promise<void> | undefined => {
      const { actor, snapshot } = request
      checkAccess(route, actor)
      if (!feature) return spend?.(actor, snapshot)
      return isOn(feature, snapshot).then((on) => {
        // Created only when needed: an error with its stack costs more than many handlers.
        if (!on) throw new ApiError(disabledError(feature))
        return spend?.(actor, snapshot)
      })
    }
  }

  const endpoints = mounted.map((entry) => {
    const run = services.tracing.operation(toPattern(entry.route.path), createEndpoint(entry, tools))
    return { ...entry, run: (request: FastifyRequest, reply: FastifyReply) => services.loop.during(entry.id, () => run(request, reply)) }
  })
  const byPath = Map.groupBy(endpoints, ({ route }) => toPattern(route.path))
  const allowedMethods = createAllowedMethods(byPath)

  for (const root of roots) {
    await app.register(
      (api, _options, done) => {
        const refuseMethod = ({ pattern, allow, open }: Allowed, request: FastifyRequest, reply: FastifyReply, done: Done) => {
          request.place = { url: `${root}${pattern}`, open: false }
          enter(request, reply, { open, ignoreCookie: open }, (error) => {
            if (error) return done(error)
            reply.header('allow', allow)
            done(request.method === 'OPTIONS' ? undefined : new ApiError('method_not_allowed'))
          })
        }
        api.addHook('onRequest', (request, reply, done) => {
          if (!request.is404) return done()
          const allowed = allowedMethods.find(request.method, pathOf(request.url).slice(root.length))
          if (allowed) refuseMethod(allowed, request, reply, done)
          else enter(request, reply, CLOSED, done)
        })
        api.addHook('onSend', (_request, reply, _payload, done) => {
          if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
          done()
        })
        for (const [url, list] of byPath) {
          for (const { route, run, id } of list) {
            const options = gateOptions(route)
            const check = checkOf(route)
            const place = { url: `${root}${url}`, open: route.produces === 'events' }
            const declaration: RouteOptions = {
              method: route.method,
              url,
              config: { id, maxFields: route.maxFields } as object,
              onRequest: (request, reply, done) => {
                request.place = place
                enter(request, reply, options, (error) => {
                  if (error) return done(error)
                  let checked: Promise<void> | undefined
                  try {
                    checked = check(request)
                  } catch (refused) {
                    return done(refused as Error)
                  }
                  if (checked === undefined) done()
                  else checked.then(() => done(), done)
                })
              },
              handler: run,
            }
            if (route.consumes !== 'multipart') api.route(declaration)
            else
              api.register((scope, _options, done) => {
                acceptMultipart(scope)
                scope.route(declaration)
                done()
              })
          }
        }
        for (const { methods, ...allowed } of allowedMethods.shadowing)
          api.route({
            method: methods,
            url: allowed.pattern,
            exposeHeadRoute: false,
            onRequest: (request, reply, done) => refuseMethod(allowed, request, reply, done),
            handler: () => {
              throw new ApiError('method_not_allowed')
            },
          })
        deps.openPages(api, root, authenticate)
        api.setNotFoundHandler((request, reply) => {
          // `OPTIONS` of a path that has routes.
          if (request.place) return reply.code(204).send()
          throw noRoute(request)
        })
        done()
      },
      { prefix: root },
    )
  }

  if (deps.compat) {
    const { root, mount } = deps.compat
    await mount(app, {
      root,
      origin: services.origin,
      now: () => services.clock.now(),
      enter,
      run: createOperationCalls(mounted, tools, checkOf),
      countAgain: async (request, reply) => {
        await limits.count(request, reply, request.actor)
        request.snapshot = await services.caches.poll()
      },
      acceptMultipart,
      parseJsonBody,
      refuse: (code) => new ApiError(code),
    })
  }
  deps.pages(app, limits)
  return app
}

/** The absolute form of a request target, `http://community.example/feeds`, which every server must accept. */
const ABSOLUTE = /^https?:\/\/[^/?#]+/i

/** Path and query of the target; null if it is malformed. */
const ownPart = (url: string): string | null => {
  if (url.startsWith('/') && !url.includes('%')) return url
  const part = url.replace(ABSOLUTE, '')
  if (!part.startsWith('/')) return null
  if (!part.includes('%')) return part
  try {
    decodeURI(part.split(/[?#]/, 1)[0] as string)
    return part
  } catch {
    return null
  }
}

/** Removes the base path from the target, unless a proxy has done so. */
const cutBasePath = (base: string, request: IncomingMessage): void => {
  const url = (request.url ?? '/').replace(ABSOLUTE, '')
  const rest = url.slice(base.length)
  if (url.startsWith(base) && /^(?:[/?]|$)/.test(rest)) request.url = rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Fastify responds to malformed URLs such as `/%zz` without running hooks and in its own format. They are rewritten to an unknown path
 * under the same API root, so that authentication, limits and headers apply.
 */
export const rewriteMalformed = (roots: readonly string[]) => (request: Pick<IncomingMessage, 'url'>) => {
  const url = request.url ?? '/'
  return ownPart(url) ?? `${roots.find((root) => url.startsWith(`${root}/`)) ?? ''}/-`
}

export const noRoute = (request: FastifyRequest): ApiError =>
  ownPart(request.originalUrl) === null ? invalidParameter('path', 'is not well-formed') : new ApiError('rest_no_route')
