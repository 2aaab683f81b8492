import { openapiDocument } from '@lyceum/contract/openapi'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Presence } from '../auth/presence.ts'
import type { Services } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { registerDocs } from './docs.ts'
import { registerFormPages } from './form-pages.ts'
import { createGate } from './gate.ts'
import { noRoute } from './malformed-path.ts'
import type { RateLimits } from './rate-limits.ts'
import { START_PAGE_POLICY, startPage } from './start-page.ts'
import { lazily, sendZipped, zip } from './zipped.ts'

const HTML = 'text/html; charset=utf-8'
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip']

const fromLoopback = (request: FastifyRequest) =>
  /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '') && !FORWARDED.some((name) => request.headers[name])

/** Pages under an API root that need no credentials. */
export const registerOpenPages = (app: FastifyInstance, root: string) => {
  const document = lazily(() => zip('application/json; charset=utf-8', JSON.stringify(openapiDocument(root))))
  app.get('/openapi.json', { config: { free: true } }, async (request, reply) =>
    sendZipped(request, reply.header('cache-control', 'public, no-cache'), await document()),
  )
}

export interface PageDeps {
  readonly services: Services
  readonly limits: RateLimits
  readonly metrics: Metrics
  readonly presence: Presence
}

/** Health, metrics, the interactive reference and the start page. */
export const registerPages = (app: FastifyInstance, { services, limits, metrics, presence }: PageDeps) => {
  const { config, database } = services
  const gate = createGate(services, limits, presence)
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onClose', async () => metrics.dispose())

  app.get('/health/live', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    if (closing) throw new ApiError('service_unavailable', { message: 'The server is stopping.' })
    await database.ping()
    const refusal = database.refusal()
    return reply.send(refusal ? { status: 'read_only', code: refusal } : { status: 'ok' })
  })

  app.get('/metrics', async (request, reply) => {
    if (!fromLoopback(request)) {
      const actor = await gate(request, reply, { open: false, ignoreCookie: true })
      if (actor?.role !== 'admin') throw new ApiError('rest_forbidden')
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })

  registerDocs(app, config.apiRoot)

  app.get('/', (_request, reply) =>
    reply
      .type(HTML)
      .header('content-security-policy', START_PAGE_POLICY)
      .header('referrer-policy', 'no-referrer')
      .send(startPage({ apiRoot: config.apiRoot, origin: services.origin() })),
  )
  registerFormPages(app, config.apiRoot)
  app.setNotFoundHandler((request, reply) => {
    limits.announce(reply)
    throw noRoute(request)
  })
}
