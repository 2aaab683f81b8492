import type { Kysely } from 'kysely'
import type { Listening, SignalChannel, SignalListener } from './postgres/listen-notify.ts'
import type { Schema } from './schema.ts'
import type { ChangeListener } from './sqlite/change-triggers.ts'

/** A handle on the tables: a read-only view outside of writes, the transaction inside. */
export type Db = Kysely<Schema>

export type Dialect = 'sqlite' | 'postgres'

/** How commits are followed. */
export interface Following {
  /** Commits of this process are told in their moment; otherwise all are told at looks, and what is kept is of use only to who has looked. */
  readonly atOnce: boolean
  /** Whether the last look could tell what was committed. */
  holds(): boolean
  /** Every commit that was there before, by whatever process, has been told afterwards; false: nobody knows, and nothing kept may be used. */
  look(): boolean | Promise<boolean>
}

/** Requests wait for their writes; what runs in the background lets them go first. */
export type WritePriority = 'request' | 'background'

/** Codes of the contract, which callers are told as well. */
export type Refusal = 'storage_full' | 'service_unavailable'

export interface PoolStats {
  readonly connections: { readonly open: number; readonly idle: number; readonly waiting: number }
  /** Calls of `reading` by the server that answered them. */
  readonly readings: { readonly primary: number; readonly replica: number }
}

/** One open database, the same to everybody above `db/`. */
export interface Database {
  readonly dialect: Dialect
  /** Reads committed data and never waits for a write. */
  readonly read: Db
  /**
   * Reads all that was committed before it was called, wherever that is cheapest: on a replica that has come that far, else like `read`.
   * `work` may run again, on the other server, and must do nothing but read.
   */
  reading<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction and resolves once it is durable. Inside, the handle that `work` receives is the only one to use.
   * No network, hashing or image work inside. On a conflict that the database resolves by retrying, `work` may run again.
   * `place`: what many may write to at once, so that they would wait for its row; they do not keep others waiting.
   */
  write<T>(work: (db: Db) => Promise<T>, urgency?: WritePriority, place?: string): Promise<T>
  /**
   * Resolves once nothing of what `read` shows now could be lost by a power cut. To be awaited before something is said on the strength of
   * what was read that nobody could take back.
   */
  settled(): Promise<void>
  /** Runs `work` on the data as they are at one moment, however long it takes and whatever is written meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** How many writes are worth having under way at once. */
  readonly concurrentWrites: number
  /** Settings of the server that could lose acknowledged writes, in words; empty when it is safe. */
  unsafeSettings(): Promise<string[]>
  /** What an operator should set otherwise, in words; empty when nothing is known. */
  advice(): Promise<string[]>
  /** Calls `listener` with what commits changed; null where changes cannot be followed. */
  follow(listener: ChangeListener): Following | null
  /** Says each text to the processes on this database that listen, where it can carry that; never in a transaction that writes. */
  signal(channel: SignalChannel, texts: readonly string[]): Promise<void>
  /** Hears what any process says, this one included, until it is stopped. What is said before it has begun, or while it is away, is lost. */
  onSignal(channel: SignalChannel, listener: SignalListener): Listening
  /** How many requests wait for a connection, or for their write to be begun. */
  waiting(): number
  /** How the connections to a server stand, and which of them has answered reads; null without a server. */
  load(): PoolStats | null
  /** Why writes are refused, as the last one tells: there is no room, or the disk failed. Null: they are not. */
  refusal(): Refusal | null
  /**
   * Overwrites what deleted rows left in the files of SQLite: in the full-text index, and in the log. Takes a moment now and then from writes.
   * PostgreSQL does that by vacuum.
   */
  scrub(): Promise<void>
  /** Rejects when the database cannot answer. */
  ping(): Promise<void>
  /** Checks the file or tables themselves; problems in words, empty when sound. */
  integrity(): Promise<string[]>
  close(): Promise<void>
}

/** Thrown by reads and writes when the database is away, busy beyond patience or out of space; nothing was stored. */
export class DatabaseUnavailable extends Error {
  readonly storageFull: boolean
  constructor(cause: unknown, storageFull = false) {
    super(`the database is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'DatabaseUnavailable'
    this.storageFull = storageFull
  }
}

/** Why a statement failed, as far as callers may care: SQLite and PostgreSQL name it differently. */
export const isUniqueViolation = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null)?.code
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

export const dialectOf = (db: Db): Dialect => (db.getExecutor().adapter.supportsMultipleConnections ? 'postgres' : 'sqlite')
