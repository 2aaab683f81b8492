import type { EventName, EventPayload, Permission } from '@lyceum/contract'
import type { Caches } from '../cache/index.ts'
import type { Config } from '../config.ts'
import type { Database, Db } from '../db/index.ts'
import type { Budgets } from '../limits/budgets.ts'
import type { Limiter } from '../limits/fixed-window.ts'
import type { Mailer } from '../mail/transport.ts'
import type { EventLoopWatchdog } from '../observability/event-loop-watchdog.ts'
import type { Log } from '../observability/log.ts'
import type { Outbound } from '../outbound/index.ts'
import type { Realtime } from '../realtime/types.ts'
import type { AccountPasswords } from '../secrets/account-password.ts'
import type { Keys } from '../secrets/keys.ts'
import type { Storage } from '../storage/index.ts'
import type { Clock } from './clock.ts'

/** What the process holds once; made in `app.ts`. */
export interface Services {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly loop: EventLoopWatchdog
  readonly keys: Keys
  readonly passwords: AccountPasswords
  readonly mailer: Mailer
  readonly limiter: Limiter
  /** What members, addresses and mailboxes may use up in a time. */
  readonly budgets: Budgets
  readonly caches: Caches
  /** The streams that members listen to. */
  readonly realtime: Realtime
  /** The one client for addresses that members or other sites chose. */
  readonly outbound: Outbound
  /** The client for the providers whose addresses the operator set. */
  readonly providers: Outbound
  /** Where uploaded files lie. */
  readonly storage: Storage
  /** Public origin without a trailing slash, for links. */
  readonly origin: () => string
  /** Called once it is known where the server listens; LYCEUM_URL beats it. */
  readonly setOrigin: (origin: string) => void
}

/** Who asks: an active account with what its manager record allows. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly role: 'member' | 'moderator' | 'admin'
  readonly permissions: ReadonlySet<Permission>
  /** The spaces its permissions are limited to; null: all of them. */
  readonly managedSpaces: readonly number[] | null
  /** When the account was made. */
  readonly createdAt: string
  /** Set when the request came with a session cookie. */
  readonly sessionId: number | null
  /** Set when it came with an application password. */
  readonly applicationPasswordId?: number
}

/** What reads get: committed data, and the present moment in the stored form. */
export interface ReadContext {
  readonly db: Db
  readonly now: string
  readonly services: Services
}

/** An event and the account that caused it. */
export interface AttributedEvent<N extends EventName> {
  readonly actorId: number | null
  readonly payload: EventPayload<N>
}

/** What writes get: `db` is the transaction, the only handle to use; events and jobs are born in it. */
export interface WriteContext extends ReadContext {
  /** Records an event and one job for each of its listeners. */
  emit<N extends EventName>(name: N, payload: EventPayload<N>): Promise<void>
  /** The same for many events of one name, each with whoever caused it. */
  emitEach<N extends EventName>(name: N, caused: readonly AttributedEvent<N>[]): Promise<void>
  /** Adds a job that runs after the commit, or at `runAt`. */
  enqueue(name: string, payload: object, options?: { readonly runAt?: string }): Promise<void>
  /** The same for many of one name. */
  enqueueEach(name: string, payloads: readonly object[], options?: { readonly runAt?: string }): Promise<void>
}

/**
 * Runs `work` as one write of `actorId` (null: the system): rows, events and jobs are durable together when it resolves. `place` as of
 * `Database.write`.
 */
export type Writer = <T>(actorId: number | null, work: (ctx: WriteContext) => Promise<T>, place?: string) => Promise<T>

export interface RequestInfo {
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  /** Absolute address of the path without its query, for links to further pages. */
  readonly url: string
  readonly startedAt: number
  /** The Cookie header, for the few operations that look at cookies of their own. */
  readonly cookies?: string | undefined
  /** A proxy that is trusted says that the request came to it over https. */
  readonly overTls?: boolean
}

/** Adds the caller to what a handler gets. */
export interface AuthContext<A = Actor> {
  readonly actor: A
  readonly request: RequestInfo
}

export type ReadRequest<A = Actor> = ReadContext & AuthContext<A>
export type WriteRequest<A = Actor> = WriteContext & AuthContext<A>
