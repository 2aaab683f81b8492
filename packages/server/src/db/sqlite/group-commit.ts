import type Sqlite from 'better-sqlite3'
import { DatabaseUnavailable, type Db, type Refusal, type WritePriority } from '../database.ts'

/** Most writes that share one commit; beyond it the first of them would wait too long for its answer. */
const BATCH = 256
/** Of work that nobody waits for a commit takes as many writes as of requests, and some more where there are few. */
const LEAST_IN_BACKGROUND = 8
/** Where no request waits, so many of it share a commit. */
const ALL_BACKGROUND = 32
/** A commit waits for so many while the one before it is brought to the disk. */
const WORTH_A_COMMIT = 16
/** Where a write had to be undone, so many commits are made with a savepoint for each of theirs. */
const CAREFUL = 32
/** After so long within a transaction others have their turn. More often would leave it waiting behind all of them again and again. */
const TURN_MS = 20

interface Waiting {
  readonly work: (db: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A write failed that has changed something: what is to stay has to be done once more without it. */
const UNDO = Symbol('undo')

type Outcome = { readonly item: Waiting; readonly value?: unknown; readonly error?: unknown }

interface Hooks {
  /** What an error of the connection is to callers. */
  readonly unavailable: (error: unknown) => unknown
  /** The changes of a transaction will be readable at once. */
  readonly committing: () => void
  /** The changes of a transaction can be read now. */
  readonly committed: () => void
  /** Brings everything committed so far to the disk. */
  readonly sync: () => Promise<void>
  /** The same on this thread, where that is known to be quick; false: it is not. */
  readonly syncAtOnce?: () => boolean
}

/** The turn after this one: until then further writes may join. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

const answer = ({ item, value, error }: Outcome) => {
  if (error === undefined) item.resolve(value)
  else item.reject(error)
}

const refusalOf = (error: unknown): Refusal | null => {
  if (!(error instanceof DatabaseUnavailable)) return null
  return error.storageFull ? 'storage_full' : 'service_unavailable'
}

/**
 * Group commit. The writes that wait in one turn of the event loop run one after the other inside one BEGIN IMMEDIATE … COMMIT; they are
 * answered once that is on the disk. It gets there beside this thread, while the next ones run.
 *
 * One failure does not undo its neighbours. Nearly all that fail have changed nothing yet, so there is nothing to undo. When one has, the
 * transaction is undone and all run again, each in a savepoint of its own: these make SQLite keep every page as it was before each write,
 * which costs too much to be done for every one.
 */
export const createWriteQueue = (
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
  /** What is no change of rows: tables and indexes that come and go. */
  const tables = connection.prepare('pragma schema_version').pluck()

  const waiting: Record<WritePriority, Waiting[]> = { request: [], background: [] }
  const figures = { commits: 0, writes: 0, syncs: 0 }
  let running: Promise<void> | null = null
  let syncing: Promise<void> | null = null
  let held: Promise<void> | null = null
  /** Committed, and not yet on its way to the disk. */
  let unsynced: Outcome[] = []
  /** Set when the disk failed: what is committed may be lost, and no later sync would tell. */
  let broken: unknown
  /** Why the last transaction came to nothing. */
  let refused: Refusal | null = null
  let join: (() => void) | null = null
  /** Commits that are still to be made with savepoints. */
  let careful = 0

  const count = () => waiting.request.length + waiting.background.length

  /** A full disk or a failed write makes SQLite end the transaction by itself; then the whole batch is lost. */
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

  /** Without a savepoint. @throws UNDO */
  const runBare = async (item: Waiting, schema: unknown): Promise<Outcome> => {
    const before = changes.get()
    try {
      return { item, value: await item.work(db) }
    } catch (error) {
      checkOpen(error)
      if (changes.get() !== before || tables.get() !== schema) throw UNDO
      return { item, error }
    }
  }

  const runAll = async (batch: readonly Waiting[]): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    begin.run()
    const schema = tables.get()
    let since = performance.now()
    for (const item of batch) {
      outcomes.push(await (careful > 0 || batch.length === 1 ? runGuarded(item) : runBare(item, schema)))
      if (performance.now() - since < TURN_MS) continue
      await nextTurn()
      since = performance.now()
    }
    return outcomes
  }

  const runTwice = async (batch: readonly Waiting[]): Promise<Outcome[]> => {
    if (careful > 0) careful -= 1
    try {
      return await runAll(batch)
    } catch (error) {
      if (error !== UNDO) throw error
      rollback.run()
      careful = CAREFUL
      return runAll(batch)
    }
  }

  /** The outcomes of a transaction; undefined when it failed as a whole, and all have been told. */
  const runBatch = async (batch: readonly Waiting[]): Promise<Outcome[] | undefined> => {
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

  /** Answers a transaction once it is on the disk. `changed`: it wrote anything. */
  const finish = (outcomes: readonly Outcome[], changed: boolean) => {
    // What changed nothing may have seen what is not on the disk yet.
    const alone = !syncing && unsynced.length === 0
    // Of few writes each would wait for a turn of the event loop or two longer; many are worth that the next ones run meanwhile.
    if (alone && (!changed || (outcomes.length < WORTH_A_COMMIT && isAtOnce()))) return outcomes.forEach(answer)
    unsynced.push(...outcomes)
    startSync()
  }

  const take = (): Waiting[] => {
    const requests = waiting.request.splice(0, BATCH)
    const room = requests.length === 0 ? ALL_BACKGROUND : Math.max(LEAST_IN_BACKGROUND, requests.length)
    return [...requests, ...waiting.background.splice(0, room)]
  }

  /** Waits while a commit would be worth little: one is on its way to the disk, and few have come since. */
  const worthwhile = async () => {
    while (syncing && (unsynced.length > 0 || count() < WORTH_A_COMMIT)) {
      await new Promise<void>((resolve) => {
        join = resolve
      })
      join = null
    }
  }

  const drain = async () => {
    while (count() > 0) {
      await worthwhile()
      await held
      const batch = take()
      const before = changes.get()
      const outcomes = broken ? batch.map((item) => ({ item, error: unavailable(broken) })) : await runBatch(batch)
      if (outcomes) finish(outcomes, changes.get() !== before)
      // Let the answers go out and further requests come in, so that the next commit is shared by as many as possible.
      await nextTurn()
    }
    running = null
  }

  const write = <T>(work: (db: Db) => Promise<T>, urgency: WritePriority = 'request'): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting[urgency].push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (unsynced.length === 0 && count() >= WORTH_A_COMMIT) join?.()
      running ??= nextTurn().then(drain)
    })

  /** Everything that can be read now is on the disk when it resolves. */
  const settled = async () => {
    const rounds = unsynced.length > 0 ? 2 : 1
    for (let round = 0; round < rounds && syncing; round++) await syncing
    if (broken) throw unavailable(broken)
  }

  /** Resolves when nothing waits any more. */
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
    /** How many writes of requests have not been begun. */
    waiting: () => waiting.request.length,
    refusal: () => (broken ? refusalOf(unavailable(broken)) : refused),
    /** Whether what is committed may be lost. */
    isBroken: () => broken !== undefined,
    figures: () => ({ ...figures }),
  }
}
