import type { Kysely } from 'kysely'
import type { SignalChannel, SignalListener, Subscription } from './postgres/listen-notify.ts'
import type { Schema } from './schema.ts'
import type { ChangeListener } from './sqlite/change-detection.ts'

/** A handle on the tables: a read-only view outside of writes, the transaction inside. */
export type Db = Kysely<Schema>

export type Dialect = 'sqlite' | 'postgres'

export interface ChangeSubscription {
  /**
   * True: commits of this process invalidate synchronously. False: invalidations arrive only with a poll, so cache entries may be used only after
   * one.
   */
  readonly isSynchronous: boolean
  isUpToDate(): boolean
  /**
   * Polls for commits: those of any process that ended before the call have been reported. False: unknown, so no cache entry may be used.
   */
  poll(): boolean | Promise<boolean>
  /** Whether changes of this table as a whole are reported; if not, they will be soon. */
  watchTable(table: string): boolean
}

/** Writes of requests go before background writes. */
export type WritePriority = 'request' | 'background'

/** Error codes of the API. */
export type WriteFailure = 'storage_full' | 'service_unavailable'

interface PoolStats {
  readonly connections: { readonly open: number; readonly idle: number; readonly waiting: number }
  /** Calls of `readWithReplica`, by the server that served them. */
  readonly reads: { readonly primary: number; readonly replica: number }
}

/** An open database: the interface is the same for SQLite and PostgreSQL. */
export interface Database {
  readonly dialect: Dialect
  /** Reads committed data and never waits for a write. */
  readonly read: Db
  /**
   * Reads everything committed before the call: on a replica that has replayed it, or else like `read`. `work` may run again on the primary, so
   * it must only read.
   */
  readWithReplica<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction and resolves once it is durable. Inside, the handle that `work` receives is the only one to use.
   * Do no network, hashing or image work inside. `work` runs again after a serialization failure or a deadlock.
   * `lockKey`: the key of a hot row. Writes with the same key queue in this process, so they do not occupy all connections.
   */
  write<T>(work: (db: Db) => Promise<T>, priority?: WritePriority, lockKey?: string): Promise<T>
  /** Resolves once everything that `read` shows now is durable. Await it before an action that depends on a read and cannot be undone. */
  waitUntilDurable(): Promise<void>
  /** Runs `work` on one snapshot of the data, however long it takes. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** How many concurrent writes increase the throughput. */
  readonly concurrentWrites: number
  /** Descriptions of database settings that can lose acknowledged writes; empty if there are none. */
  unsafeSettings(): Promise<string[]>
  /** Recommendations for the operator; empty if there are none. */
  advice(): Promise<string[]>
  /** Calls `listener` with the cache tags that commits changed; null if changes cannot be observed. */
  subscribeToChanges(listener: ChangeListener): ChangeSubscription | null
  /** Sends each text to the listening processes on this database, where it supports that. Do not call it in a writing transaction. */
  signal(channel: SignalChannel, texts: readonly string[]): Promise<void>
  /**
   * Receives the signals of all processes, this one included. Signals sent before the subscription starts, or while the connection is down,
   * are lost.
   */
  onSignal(channel: SignalChannel, listener: SignalListener): Subscription
  /** Number of requests that wait for a connection or for their write to start. */
  queueDepth(): number
  /** Connections of the pool, and which servers served reads; null on SQLite. */
  poolStats(): PoolStats | null
  /** Why the last write was refused: the disk is full, or it failed. Null: writes succeed. */
  lastWriteFailure(): WriteFailure | null
  /** For a process that writes much and serves nobody: changes the file less often, and more at once. */
  prepareForLoad(): void
  /**
   * Overwrites deleted data in the SQLite files: in the full-text index and in the WAL. Writes pause briefly meanwhile. On PostgreSQL, vacuum does
   * this.
   */
  scrub(): Promise<void>
  /** Rejects if the database does not respond. */
  ping(): Promise<void>
  /** Checks the integrity of the database file; returns descriptions of the problems. */
  integrity(): Promise<string[]>
  close(): Promise<void>
}

/** Thrown if the database is unreachable, too busy or out of disk space; nothing was stored. */
export class DatabaseUnavailable extends Error {
  readonly storageFull: boolean
  constructor(cause: unknown, storageFull = false) {
    super(`the database is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'DatabaseUnavailable'
    this.storageFull = storageFull
  }
}

/** Whether a statement violated a unique constraint, by the codes of both databases. */
export const isUniqueViolation = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null)?.code
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

export const dialectOf = (db: Db): Dialect => (db.getExecutor().adapter.supportsMultipleConnections ? 'postgres' : 'sqlite')
