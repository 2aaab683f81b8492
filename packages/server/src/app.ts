import type { AddressInfo } from 'node:net'
import { memoize } from '@lyceum/content/lazy'
import { createMailer } from '@lyceum/mail/transport'
import type { FastifyInstance } from 'fastify'
import { createLastSeenTracker, type LastSeenTracker } from './auth/last-seen.ts'
import { createCaches } from './cache/index.ts'
import { connectRedis } from './cluster/redis.ts'
import type { Config } from './config.ts'
import { type Clock, nowOf, systemClock } from './core/clock.ts'
import type { Services } from './core/context.ts'
import { guardReads } from './core/read-guard.ts'
import { type Database, openDatabase } from './db/index.ts'
import { leave } from './http/node-server.ts'
import { registerOpenPages, registerPages } from './http/pages/system-routes.ts'
import { createAuthenticator } from './http/pipeline/authenticate-request.ts'
import { createMount } from './http/pipeline/route-handlers.ts'
import { createUnsent } from './http/responses/unsent-bytes.ts'
import { type Compat, createHttp, type HttpDeps } from './http/server.ts'
import { closeImageConverter } from './images/index.ts'
import { createRegistry, createWorker, createWriter, type Registry, type Worker, type Writer } from './jobs/index.ts'
import { createTaskRunner, type TaskRunner } from './jobs/recurring-tasks.ts'
import { createBudgets } from './limits/budgets.ts'
import { createLimiter } from './limits/fixed-window.ts'
import { hasAdmin } from './modules/accounts/index.ts'
import { type Rollups, rollupsOf } from './modules/analytics/index.ts'
import { isTrusted } from './modules/automod/index.ts'
import { createSearchWarmup } from './modules/feeds/index.ts'
import { MODULES } from './modules/index.ts'
import { createPointsAggregates } from './modules/leaderboard/index.ts'
import { findPeople } from './modules/members/index.ts'
import { createDigestScheduler, type DigestScheduler } from './modules/notifications/index.ts'
import { createMoved } from './modules/redirects/index.ts'
import { dayStarts, isFeatureOn, limitsReader } from './modules/settings/index.ts'
import { membershipsOf } from './modules/spaces/index.ts'
import { streamSource } from './modules/stream/index.ts'
import { createEventLoopWatchdog } from './observability/event-loop-watchdog.ts'
import { createLog, type Log } from './observability/log.ts'
import { createMetrics } from './observability/metrics.ts'
import { NO_TRACING, type Tracing } from './observability/tracing.ts'
import { createOutbound, type Outbound } from './outbound/index.ts'
import { createHub, createRedisSignals, createWakeups, databaseSignals } from './realtime/index.ts'
import { createAccountPasswords } from './secrets/account-password.ts'
import { deriveKeys, scopeOf } from './secrets/keys.ts'
import { loadSecret } from './secrets/server-secret.ts'
import { createStorage } from './storage/index.ts'

/** Everything below HTTP, shared by the server and the command line. */
export interface Core {
  readonly services: Services
  readonly registry: Registry
  readonly worker: Worker
  readonly write: Writer
  close(): Promise<void>
}

export interface CoreOptions {
  readonly config: Config
  readonly clock?: Clock
  readonly log?: Log
  readonly tracing?: Tracing
  /** A database that is already open; closed together with the core. */
  readonly database?: Database
  /** Outbound clients; tests replace them with stubs. */
  readonly outbound?: Outbound
  readonly providers?: Outbound
  /** Whether the community waits for its first administrator: nobody can register before. A server waits; most tests do not. */
  readonly waitsForAdmin?: boolean
  /** log2 of the scrypt cost of account passwords; tests use a lower one. */
  readonly passwordCost?: number
  /** Maximum number of concurrent deliveries; tests that need a fixed order set 1. */
  readonly maxDeliveries?: number
}

/** Providers configured by the operator may have any address, also a private one. */
const ANY_ADDRESS = ['0.0.0.0/0', '::/0']
const PROVIDER_REQUESTS = 20

/** Creates all services from the configuration. */
export const createCore = ({
  config,
  clock = systemClock,
  log = createLog(config.logLevel, config.logFormat),
  database,
  tracing = NO_TRACING,
  outbound = createOutbound({ allow: config.outboundAllow, tracing }),
  providers = createOutbound({ allow: ANY_ADDRESS, tracing, concurrency: PROVIDER_REQUESTS, waiting: 5 * PROVIDER_REQUESTS }),
  waitsForAdmin = false,
  passwordCost,
  maxDeliveries,
}: CoreOptions): Core => {
  let isSetUp = !waitsForAdmin
  const keys = deriveKeys(loadSecret(config.dataDir, config.secret))
  const redis = connectRedis(config.redisUrl, log)
  const limiter = createLimiter({ ...(redis && { redis }), clock })
  const mailer = createMailer({ smtpUrl: config.smtpUrl, outboxDir: `${config.dataDir}/outbox`, from: config.mailFrom, clock })
  const storage = createStorage(config)
  const opened =
    database ??
    openDatabase({
      url: config.databaseUrl,
      dataDir: config.dataDir,
      poolSize: config.databasePool,
      pooler: config.databasePooler,
      directUrl: config.databaseDirectUrl,
      replicaUrls: config.databaseReplicaUrls,
      warn: (message) => log.warn({ event: 'database_warning' }, message),
    })
  tracing.database(opened)
  const viaDatabase = databaseSignals(opened)
  const viaRedis = redis && createRedisSignals(config.redisUrl, redis, scopeOf(keys), log)
  const wakeups = createWakeups(viaDatabase, viaRedis)
  const reading = () => ({ db: opened.read, now: nowOf(clock), services, snapshot: caches.unpolled() })
  const caches = createCaches(config.cacheMegabytes * 2 ** 20, clock)
  let origin = config.url && config.url + config.basePath
  const services: Services = {
    config,
    database: opened,
    clock,
    log,
    loop: createEventLoopWatchdog(log),
    tracing,
    keys,
    passwords: createAccountPasswords({ ...(passwordCost && { logN: passwordCost }) }),
    mailer,
    limiter,
    budgets: createBudgets({
      limiter,
      clock,
      on: config.rateLimit === 'on',
      read: limitsReader(opened, caches),
      isTrusted: (userId) => isTrusted(opened.read, userId),
    }),
    caches,
    points: createPointsAggregates(opened),
    realtime: createHub({ database: opened, clock, log }, wakeups, streamSource, reading),
    outbound,
    providers,
    storage,
    stateOf: memoize((create: (created: Services) => unknown) => create(services)) as Services['stateOf'],
    isSetUp: async () => {
      isSetUp ||= await hasAdmin(opened.read)
      return isSetUp
    },
    origin: () => origin || `http://${config.host}:${config.port}${config.basePath}`,
    setOrigin: (value) => {
      origin ||= value
    },
  }
  const registry = createRegistry(
    MODULES.flatMap((module) => module.listeners ?? []),
    MODULES.flatMap((module) => module.jobs ?? []),
  )
  const worker = createWorker(services, registry, { maxDeliveries })
  return {
    services,
    registry,
    worker,
    write: createWriter(services, registry, worker),
    close: async () => {
      services.loop.stop()
      await worker.stop()
      await closeImageConverter()
      await services.realtime.stop()
      await mailer.close()
      await outbound.close()
      await providers.close()
      await storage.close()
      viaRedis?.close()
      await services.database.close()
      await tracing.close()
      redis?.disconnect()
    },
  }
}

export interface App extends Core {
  readonly http: FastifyInstance
  readonly presence: LastSeenTracker
  readonly maintenance: TaskRunner
  readonly digests: DigestScheduler
  readonly rollups: Rollups
  /** Starts listening and all background work; returns the base URL of the API. */
  listen(): Promise<string>
  /** Drains: keeps serving for the configured time, while the readiness check reports that the server is about to stop. */
  leave(): Promise<void>
}

/** Loads what traces only if a collector is configured. */
const createTracing = async ({ tracesUrl: endpoint, tracesService: service, tracesRatio: ratio }: Config, log: Log): Promise<Tracing> => {
  if (endpoint === '') return NO_TRACING
  // Not checked with the server, as the web app is not.
  const telemetry = await import('../../telemetry/src/index.ts' as string)
  return telemetry.createTracing({ endpoint, service, ratio, warn: (text: string) => log.warn({ event: 'trace_export_failed' }, text) })
}

const loadCompat = async ({ read }: Database): Promise<Compat> => {
  const { FLUENT_COMMUNITY } = await import('../../compat/src/index.ts')
  return {
    root: FLUENT_COMMUNITY.root,
    mount: (app, tools) =>
      FLUENT_COMMUNITY.mount(app, {
        ...tools,
        people: (actor, ids) => findPeople({ db: read, actor }, ids),
        memberships: (userId) => membershipsOf(read, userId),
      }),
  }
}

/** The whole server, before it listens. */
export const createApp = async (
  options: CoreOptions & Pick<HttpDeps, 'clientTimeouts'> & { readonly checkAnswers?: boolean; readonly web?: string | null },
): Promise<App> => {
  const log = options.log ?? createLog(options.config.logLevel, options.config.logFormat)
  const core = createCore({ tracing: await createTracing(options.config, log), ...options, log })
  const { services, worker, write } = core
  const { config, database } = services
  if (options.checkAnswers) guardReads(database)
  const { mount, mounted } = createMount()
  for (const module of MODULES) module.mount?.(mount)

  const presence = createLastSeenTracker(services, write, dayStarts)
  const maintenance = createTaskRunner(
    services,
    write,
    MODULES.flatMap(({ recurringTasks = [] }) => recurringTasks),
  )
  const digests = createDigestScheduler(services, write)
  const rollups = rollupsOf(services)
  const background = [presence, maintenance, createSearchWarmup(services), rollups, digests]
  const unsent = createUnsent({ perOwner: config.responseBufferMemberMegabytes * 2 ** 20, total: config.responseBufferMegabytes * 2 ** 20 })
  const metrics = createMetrics(services, unsent)
  const compat = config.compat === 'fluentcommunity' ? await loadCompat(database) : null
  const http = await createHttp({
    compat,
    services,
    write,
    presence,
    unsent,
    mounted,
    isOn: (feature, snapshot) => isFeatureOn({ services, snapshot }, feature),
    checkAnswers: options.checkAnswers ?? false,
    clientTimeouts: options.clientTimeouts,
    observe: metrics.observe,
    openPages: (api, root, authenticate) => registerOpenPages(api, root, services, authenticate),
    pages: (app, limits) => {
      const authenticate = createAuthenticator(services, limits, presence)
      registerPages(app, { services, limits, metrics, authenticate, web: options.web ?? null, moved: createMoved(services, authenticate) })
      for (const module of MODULES) module.pages?.(app, { services, write, limits, authenticate, unsent })
    },
  })

  // Closing waits for open responses, and streams never end on their own.
  http.addHook('preClose', () => services.realtime.stop())

  return {
    ...core,
    http,
    presence,
    maintenance,
    digests,
    rollups,
    listen: async () => {
      await http.listen({ host: config.host, port: config.port, backlog: config.maxQueuedRequests })
      const { port } = http.server.address() as AddressInfo
      // No browser opens the address that stands for all of them.
      const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.host] ?? config.host
      const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}${config.basePath}`
      services.setOrigin(base)
      services.caches.subscribe(database)
      services.loop.start()
      for (const task of [worker, ...background]) task.start()
      await database.ping()
      return base + config.apiRoot
    },
    leave: () => leave(http.server, config.drainSeconds),
    close: async () => {
      await http.close()
      unsent.close()
      for (const task of background.toReversed()) await task.stop()
      await core.close()
    },
  }
}
