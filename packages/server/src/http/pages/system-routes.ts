import { lazy } from '@lyceum/content/lazy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { equalInConstantTime } from '../../secrets/timing-safe-equal.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import { announceShutdown, isShuttingDown } from '../node-server.ts'
import type { RateLimits } from '../overload/rate-limits.ts'
import type { RequestAuthenticator } from '../pipeline/authenticate-request.ts'
import { compressAsset, lazily, sendCompressedAsset } from '../responses/compressed-asset.ts'
import { pictureHosts } from '../security/picture-hosts.ts'
import { noRoute } from '../server.ts'
import { registerFormPages } from './account-pages.ts'
import { registerDocs } from './docs.ts'
import { pageFile, sendPage } from './page-file.ts'
import { type Page, registerWebApp } from './static-web-app.ts'
import { registerWellKnown } from './well-known.ts'

const notSetUpPage = pageFile('not-set-up.html', "form-action 'none'")
const startPage = pageFile('start.html', 'img-src data:', "form-action 'none'")
/** Timeout of the readiness check. */
const READY_WITHIN_MS = 2000
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip']

/** A site with a public name runs behind a proxy, often on the same machine, so its requests also come from loopback. */
const isPublic = (origin: string) => origin !== '' && !/^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(origin)

const fromLoopback = (request: FastifyRequest) =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') && !FORWARDED.some((name) => request.headers[name])

/** Access without administrator credentials: with the token, or, if none is set and the site is not public, from this machine. */
const mayReadMetrics = (request: FastifyRequest, { metricsToken, url }: Config): boolean => {
  if (metricsToken === '') return fromLoopback(request) && !isPublic(url)
  return equalInConstantTime(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
}

/** Pages under an API root that need no authentication. */
export const registerOpenPages = (app: FastifyInstance, root: string, { origin }: Services, authenticate: RequestAuthenticator) => {
  // With all its texts and examples, it would be a tenth of what a start loads.
  const load = () => import('@lyceum/contract/openapi')
  const whole = lazy(async () => (await load()).openapiDocument(`${origin()}${root}`))
  const asset = lazily(async () => compressAsset('application/json; charset=utf-8', JSON.stringify(await whole())))
  app.get<{ Querystring: { tags?: string | string[] } }>('/openapi.json', async (request, reply) => {
    reply.header('cache-control', 'public, no-cache')
    const tags = [request.query.tags ?? '']
      .flat()
      .flatMap((list) => list.split(','))
      .filter(Boolean)
    if (tags.length === 0) return sendCompressedAsset(request, reply, await asset())
    // Each part is made anew, so unlike the whole it counts against the rate limit.
    await authenticate(request, reply, { open: true, ignoreCookie: true })
    const { openapiPart } = await load()
    try {
      return openapiPart(await whole(), tags)
    } catch (error) {
      throw error instanceof RangeError ? new ApiError('invalid_parameter', { message: error.message, data: { field: 'tags' } }) : error
    }
  })
}

interface PageDeps {
  readonly services: Services
  readonly limits: RateLimits
  readonly metrics: Metrics
  readonly authenticate: RequestAuthenticator
  /** Folder of the web app. Without it, the page at `/` shows where the API is. */
  readonly web: string | null
  /** Redirects the addresses that objects had before they were imported. */
  readonly moved: Page
}

/** Health checks, metrics, the API reference and the start page. */
export const registerPages = (app: FastifyInstance, { services, limits, metrics, authenticate, web, moved }: PageDeps) => {
  const { config, database } = services
  app.addHook('preClose', async () => announceShutdown(app.server))
  app.addHook('onClose', async () => metrics.dispose())

  app.get('/health/live', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    if (isShuttingDown(app.server)) throw new ApiError('service_unavailable', { message: 'The server is shutting down.' })
    const answers = await withTimeout(
      database.ping().then(() => true),
      READY_WITHIN_MS,
      false,
    )
    if (!answers) throw new ApiError('service_unavailable', { message: 'The database does not respond.' })
    const refusal = database.lastWriteFailure()
    return reply.send(refusal ? { status: 'read_only', code: refusal } : { status: 'ok' })
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, config)) {
      const actor = await authenticate(request, reply, { open: false, ignoreCookie: true })
      if (actor?.role !== 'admin') throw new ApiError('rest_forbidden')
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })

  registerDocs(app, config)

  /** Until there is an administrator, every page but that of the set-up link says where the link is. */
  const instead: Page = async ({ url }, reply) =>
    /^\/setup(?:\?|$)/.test(url) || (await services.isSetUp()) ? null : sendPage(reply, notSetUpPage({}))
  const webPage =
    web === null
      ? null
      : registerWebApp(app, {
          folder: web,
          instead,
          basePath: config.basePath,
          roots: [config.apiRoot, ...config.apiAliases],
          pictureHosts: pictureHosts(config),
        })
  app.get('/', async (request, reply) => {
    const page = (await moved(request, reply)) ?? (await webPage?.(request, reply))
    return (
      page ??
      sendPage(
        reply,
        startPage({ base_path: config.basePath, api_root: config.basePath + config.apiRoot, api_url: services.origin() + config.apiRoot }),
      )
    )
  })
  registerWellKnown(app, services, webPage !== null)
  // The web app has pages of its own for these.
  if (!webPage) registerFormPages(app, config.basePath + config.apiRoot)
  app.setNotFoundHandler(async (request, reply) => {
    limits.announce(reply)
    const page = (await moved(request, reply)) ?? (await webPage?.(request, reply))
    if (page) return page
    throw noRoute(request)
  })
}
