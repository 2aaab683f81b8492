import type { EventName, EventPayload, Permission } from '@lyceum/contract'
import type { Mailer } from '@lyceum/mail/transport'
import type { Caches, Snapshot } from '../cache/index.ts'
import type { Config } from '../config.ts'
import type { Database, Db } from '../db/index.ts'
import type { Budgets } from '../limits/budgets.ts'
import type { Limiter } from '../limits/fixed-window.ts'
import type { EventLoopWatchdog } from '../observability/event-loop-watchdog.ts'
import type { Log } from '../observability/log.ts'
import type { Tracing } from '../observability/tracing.ts'
import type { Outbound } from '../outbound/index.ts'
import type { Realtime } from '../realtime/types.ts'
import type { AccountPasswords } from '../secrets/account-password.ts'
import type { Keys } from '../secrets/keys.ts'
import type { Storage } from '../storage/index.ts'
import type { Clock } from './clock.ts'

/** Points of members in total, per day and per period: they follow the ledger with a delay of at most a second. */
export interface PointsAggregates {
  /** Notes that a transaction added rows to the ledger. */
  noteAdded(): void
  /** Adds the rows committed so far. */
  fold(): Promise<void>
  /** For reads: does so if this process added rows and the last time was a second ago. Never fails; waits for two seconds at most. */
  catchUp(): Promise<void>
}

/** Services of the process, created in `app.ts`. */
export interface Services {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly loop: EventLoopWatchdog
  readonly tracing: Tracing
  readonly keys: Keys
  readonly passwords: AccountPasswords
  readonly mailer: Mailer
  readonly limiter: Limiter
  /** Budgets of members, addresses and mailboxes. */
  readonly budgets: Budgets
  readonly caches: Caches
  readonly points: PointsAggregates
  /** Event streams of members. */
  readonly realtime: Realtime
  /** Client for URLs that members or other sites chose. */
  readonly outbound: Outbound
  /** Client for providers whose URLs the operator configured. */
  readonly providers: Outbound
  /** Storage of uploaded files. */
  readonly storage: Storage
  /** Whether there is an administrator, or the community does not wait for one. */
  readonly isSetUp: () => Promise<boolean>
  /** State of a module in this process, created by this function on first use. */
  readonly stateOf: <T>(create: (services: Services) => T) => T
  /** Public origin without a trailing slash, for links. */
  readonly origin: () => string
  /** Called once the listening address is known; LYCEUM_URL takes precedence. */
  readonly setOrigin: (origin: string) => void
}

/** The actor of a request: an active account with the permissions of its manager record. */
export interface Actor {
  readonly id: number
  readonly username: string
  readonly role: 'member' | 'moderator' | 'admin'
  readonly permissions: ReadonlySet<Permission>
  /** Spaces to which the permissions are limited; null means all spaces. */
  readonly managedSpaces: readonly number[] | null
  /** When the account was created. */
  readonly createdAt: string
  /** Set if the request was authenticated by a session cookie. */
  readonly sessionId: number | null
  /** Set if the request was authenticated by an application password. */
  readonly applicationPasswordId?: number
}

/** Context of reads: committed data and the current time in the stored form. */
export interface ReadContext {
  readonly db: Db
  readonly now: string
  readonly services: Services
  /** The state of the data as of which cached values are used. */
  readonly snapshot: Snapshot
}

/** An event and the account that caused it. */
export interface AttributedEvent<N extends EventName> {
  readonly actorId: number | null
  readonly payload: EventPayload<N>
}

/** Context of writes. `db` is the transaction and the only handle to use; events and jobs are written in the same transaction. */
export interface WriteContext extends ReadContext {
  /** Records an event and a job for each of its listeners. */
  emit<N extends EventName>(name: N, payload: EventPayload<N>): Promise<void>
  /** Records many events of one name, each with its actor. */
  emitEach<N extends EventName>(name: N, caused: readonly AttributedEvent<N>[]): Promise<void>
  /** Adds a job that runs after the commit, or at `runAt`. */
  enqueue(name: string, payload: object, options?: { readonly runAt?: string }): Promise<void>
  /** Adds many jobs of one name. */
  enqueueEach(name: string, payloads: readonly object[], options?: { readonly runAt?: string }): Promise<void>
}

/**
 * Runs `work` as one write of `actorId` (null: the system). Rows, events and jobs are durable together when it resolves. `lockKey` is that of
 * `Database.write`.
 */
export type Writer = <T>(actorId: number | null, work: (ctx: WriteContext) => Promise<T>, lockKey?: string) => Promise<T>

export interface RequestInfo {
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  /** Absolute URL of the path without its query, for links to other pages. */
  readonly url: string
  readonly startedAt: number
  /** The Cookie header, for the few operations that use cookies of their own. */
  readonly cookies?: string | undefined
  /** Whether a trusted proxy reports that the client used HTTPS. */
  readonly overTls?: boolean
}

export interface AuthContext<A = Actor> {
  readonly actor: A
  readonly request: RequestInfo
}

export type ReadRequest<A = Actor> = ReadContext & AuthContext<A>
export type WriteRequest<A = Actor> = WriteContext & AuthContext<A>
