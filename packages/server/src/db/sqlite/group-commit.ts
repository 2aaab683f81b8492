import type Sqlite from 'better-sqlite3'
import { DatabaseUnavailable, type Db, type WriteFailure, type WritePriority } from '../database.ts'

/** Maximum number of writes per commit; more would delay the response of the first one too long. */
const BATCH = 256
/** A commit contains one background write for this many request writes, and at least one: their responses wait for it. */
const REQUESTS_PER_BACKGROUND = 16
/** Background writes per commit if no request waits. */
const BACKGROUND_ONLY = 32
/** While the previous commit is synced, the next one waits until it has this many writes. */
const MIN_WHILE_SYNCING = 16
/** After a rollback, this many commits use a savepoint per write. */
const GUARDED_COMMITS = 32
/** A transaction yields to the event loop after this time. Yielding more often would delay the commit behind every other callback. */
const YIELD_AFTER_MS = 20

interface Waiting {
  readonly priority: WritePriority
  readonly work: (db: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A failed write has changed rows: the other writes of the batch must run again without it. */
const UNDO = Symbol('undo')

type Outcome = { readonly item: Waiting; readonly value?: unknown; readonly error?: unknown }

interface Hooks {
  /** Maps an error of the connection to the error that callers get. */
  readonly unavailable: (error: unknown) => unknown
  /** Called before each commit. */
  readonly committing: () => void
  /** Called after each commit. */
  readonly committed: () => void
  /** Syncs everything committed so far to the disk. */
  readonly sync: () => Promise<void>
  /** The same on this thread, if the disk is known to be fast; false: it is not. */
  readonly syncAtOnce?: () => boolean
}

/** The next iteration of the event loop; until then more writes can join the batch. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

const answer = ({ item, value, error }: Outcome) => {
  if (error === undefined) item.resolve(value)
  else item.reject(error)
}

const refusalOf = (error: unknown): WriteFailure | null => {
  if (!(error instanceof DatabaseUnavailable)) return null
  return error.storageFull ? 'storage_full' : 'service_unavailable'
}

/**
 * Group commit. The writes that are queued in one iteration of the event loop run one after the other inside one BEGIN IMMEDIATE … COMMIT, and
 * resolve once it is synced. The sync runs off this thread while the next writes run.
 *
 * A failed write does not undo the others. Most failures change no rows, so nothing has to be undone. If one did, the transaction is rolled
 * back and all writes run again, each in its own savepoint. Savepoints are not used by default because SQLite then copies every page before
 * each write.
 */
export const createGroupCommit = (
  connection: Sqlite.Database,
  db: Db,
  { unavailable, committing, committed, sync, syncAtOnce = () => false }: Hooks,
) => {
  const begin = connection.prepare('begin immediate')
  const commit = connection.prepare('commit')
  const rollback = connection.prepare('rollback')
  const savepoint = connection.prepare('savepoint one')
  const release = connection.prepare('release one')
  const undo = connection.prepare('rollback to one')
  const changes = connection.prepare('select total_changes()').pluck()
  /** Changes of tables and indexes, which `total_changes()` does not count. */
  const schemaVersion = connection.prepare('pragma schema_version').pluck()

  const waiting: Record<WritePriority, Waiting[]> = { request: [], background: [] }
  const figures = { commits: 0, writes: 0, syncs: 0 }
  let running: Promise<void> | null = null
  let syncing: Promise<void> | null = null
  let held: Promise<void> | null = null
  /** Committed, and no sync has started. */
  let unsynced: Outcome[] = []
  /** Set when a sync failed: committed data may be lost, and a later sync would not report it. */
  let broken: unknown
  /** Why the last transaction failed. */
  let refused: WriteFailure | null = null
  let join: (() => void) | null = null
  /** Remaining commits with savepoints. */
  let careful = 0

  const count = () => waiting.request.length + waiting.background.length

  /** On a full disk or an I/O error SQLite rolls the transaction back itself; then the whole batch is lost. */
  const checkOpen = (error: unknown) => {
    if (!connection.inTransaction) throw new DatabaseUnavailable(error, error instanceof DatabaseUnavailable && error.storageFull)
  }

  const runGuarded = async (item: Waiting): Promise<Outcome> => {
    savepoint.run()
    try {
      const value = await item.work(db)
      release.run()
      return { item, value }
    } catch (error) {
      checkOpen(error)
      undo.run()
      release.run()
      return { item, error }
    }
  }

  const hasChanged = (before: unknown, schema: unknown) => changes.get() !== before || schemaVersion.get() !== schema

  /** Without a savepoint. @throws UNDO */
  const runBare = async (item: Waiting, schema: unknown): Promise<Outcome> => {
    const before = changes.get()
    try {
      return { item, value: await item.work(db) }
    } catch (error) {
      checkOpen(error)
      if (hasChanged(before, schema)) throw UNDO
      return { item, error }
    }
  }

  /** The only write of a transaction is undone with it, which needs no savepoint. */
  const runAlone = async (item: Waiting, schema: unknown): Promise<Outcome> => {
    const before = changes.get()
    try {
      return { item, value: await item.work(db) }
    } catch (error) {
      checkOpen(error)
      if (hasChanged(before, schema)) {
        rollback.run()
        begin.run()
      }
      return { item, error }
    }
  }

  const runAll = async (batch: Waiting[]): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    begin.run()
    const schema = schemaVersion.get()
    const [only] = batch
    if (only && batch.length === 1) return [await runAlone(only, schema)]
    let since = performance.now()
    for (const item of batch) {
      outcomes.push(await (careful > 0 ? runGuarded(item) : runBare(item, schema)))
      if (performance.now() - since < YIELD_AFTER_MS) continue
      await nextTurn()
      since = performance.now()
      // A request does not wait for the rest of a batch of background writes.
      if (item.priority === 'background' && waiting.request.length > 0) waiting.background.unshift(...batch.splice(outcomes.length))
    }
    return outcomes
  }

  const runTwice = async (batch: Waiting[]): Promise<Outcome[]> => {
    if (careful > 0) careful -= 1
    try {
      return await runAll(batch)
    } catch (error) {
      if (error !== UNDO) throw error
      rollback.run()
      careful = GUARDED_COMMITS
      return runAll(batch)
    }
  }

  /** The outcomes of a transaction; undefined if it failed as a whole, and all writes were rejected. */
  const runBatch = async (batch: Waiting[]): Promise<Outcome[] | undefined> => {
    let outcomes: Outcome[]
    try {
      outcomes = await runTwice(batch)
      committing()
      commit.run()
    } catch (error) {
      if (connection.inTransaction) rollback.run()
      const told = unavailable(error)
      refused = refusalOf(told)
      for (const item of batch) item.reject(told)
      return undefined
    }
    refused = null
    figures.commits += 1
    figures.writes += batch.length
    committed()
    return outcomes
  }

  const startSync = () => {
    if (syncing || unsynced.length === 0) return
    const covered = unsynced
    unsynced = []
    figures.syncs += 1
    syncing = (broken ? Promise.reject(broken) : sync())
      .then(
        () => covered.forEach(answer),
        (error) => {
          broken = error
          for (const { item } of covered) item.reject(unavailable(error))
        },
      )
      .finally(() => {
        syncing = null
        startSync()
        join?.()
      })
  }

  const isAtOnce = (): boolean => {
    try {
      return syncAtOnce()
    } catch (error) {
      broken = error
      return false
    }
  }

  /** Resolves the writes of a transaction once it is durable. `changed`: it changed rows. */
  const finish = (outcomes: readonly Outcome[], changed: boolean) => {
    // A transaction without changes may have read changes that are not synced yet.
    const alone = !syncing && unsynced.length === 0
    // A small batch syncs on this thread: switching threads would add latency. A large one syncs off-thread while the next writes run.
    if (alone && (!changed || (outcomes.length < MIN_WHILE_SYNCING && isAtOnce()))) return outcomes.forEach(answer)
    unsynced.push(...outcomes)
    startSync()
  }

  const take = (): Waiting[] => {
    const requests = waiting.request.splice(0, BATCH)
    const room = requests.length === 0 ? BACKGROUND_ONLY : Math.ceil(requests.length / REQUESTS_PER_BACKGROUND)
    return [...requests, ...waiting.background.splice(0, room)]
  }

  /** Waits while a sync is running and few writes are queued. */
  const batchReady = async () => {
    while (syncing && (unsynced.length > 0 || count() < MIN_WHILE_SYNCING)) {
      await new Promise<void>((resolve) => {
        join = resolve
      })
      join = null
    }
  }

  const drain = async () => {
    while (count() > 0) {
      await batchReady()
      await held
      const batch = take()
      const before = changes.get()
      const outcomes = broken ? batch.map((item) => ({ item, error: unavailable(broken) })) : await runBatch(batch)
      if (outcomes) finish(outcomes, changes.get() !== before)
      // Send the responses and accept more requests first, so that the next commit has as many writes as possible.
      await nextTurn()
    }
    running = null
  }

  const write = <T>(work: (db: Db) => Promise<T>, priority: WritePriority = 'request'): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting[priority].push({ priority, work, resolve: resolve as (value: unknown) => void, reject })
      if (unsynced.length === 0 && count() >= MIN_WHILE_SYNCING) join?.()
      running ??= nextTurn().then(drain)
    })

  /** Resolves once everything that can be read now is durable. */
  const settled = async () => {
    for (let rounds = unsynced.length > 0 ? 2 : 1; rounds > 0 && syncing; rounds--) await syncing
    if (broken) throw unavailable(broken)
  }

  /** Resolves when the queue is empty. */
  const drained = async () => {
    while (running !== null || syncing !== null) await (running ?? syncing)
  }

  /** Runs `work` between two transactions. */
  const between = async (work: () => Promise<void>) => {
    const former = held
    const mine = (async () => {
      await former
      while (connection.inTransaction) await nextTurn()
      await work()
    })()
    held = mine.catch(() => {})
    await mine
  }

  return {
    write,
    settled,
    drained,
    between,
    /** Number of request writes that have not started. */
    waiting: () => waiting.request.length,
    refusal: () => (broken ? refusalOf(unavailable(broken)) : refused),
    /** Whether committed data may be lost. */
    isBroken: () => broken !== undefined,
    figures: () => ({ ...figures }),
  }
}
