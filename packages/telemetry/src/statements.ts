import { type Span, SpanKind, type Tracer } from '@opentelemetry/api'
import { contextOf, currentScope, during, inScope, type Scope, type Statements } from './scope.ts'

/** Statements that are further apart than this have spans of their own. */
const APART_MS = 5

type Query = { readonly sql: string }
type Execute = (query: Query) => Promise<unknown>
type Handle = { executeQuery: Execute; getExecutor(): { executeQuery: Execute } }
type Work<T> = (db: Handle) => Promise<T>

/** What of a database can be traced. */
export interface Traceable {
  readonly dialect: string
  readonly read: Handle
  write<T>(work: Work<T>, ...further: unknown[]): Promise<T>
  readWithReplica<T>(work: Work<T>): Promise<T>
}

const now = () => performance.timeOrigin + performance.now()

/** Adds up statements in a span. `rested` is called at the end, or when none has run for a moment. */
const countIn = (span: Span, rested?: (last: number) => void): Statements => {
  let [count, running, busy, slowest, last] = [0, 0, 0, -1, 0]
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    clearTimeout(timer)
    span.setAttributes({ 'lyceum.db.statements': count, 'lyceum.db.busy_ms': Math.round(busy * 1000) / 1000 })
    rested?.(last)
  }
  return {
    end,
    run: async (text, work) => {
      clearTimeout(timer)
      running += 1
      const started = now()
      try {
        return await work()
      } finally {
        last = now()
        running -= 1
        count += 1
        busy += last - started
        if (last - started > slowest && !ended) {
          slowest = last - started
          // Texts of statements contain placeholders instead of values.
          span.setAttribute('db.query.text', text)
        }
        if (rested && running === 0 && !ended) timer = setTimeout(end, APART_MS).unref()
      }
    },
  }
}

/** Puts statements into spans: one for each transaction, and one for reads that follow each other. */
export const traceStatements = (tracer: Tracer, database: Traceable): void => {
  const attributes = { 'db.system.name': database.dialect === 'postgres' ? 'postgresql' : database.dialect }
  const start = (name: string, parent: Scope) => tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, contextOf(parent.span))

  const readsOf = (scope: Scope): Statements => {
    const span = start('database read', scope)
    return countIn(span, (last) => {
      scope.statements = null
      span.end(last)
    })
  }

  const traced =
    (execute: Execute): Execute =>
    (query) => {
      const scope = currentScope()
      if (!scope?.span.isRecording()) return execute(query)
      scope.statements ??= readsOf(scope)
      return scope.statements.run(query.sql, () => execute(query))
    }

  const known = new WeakSet<Handle>()
  const watched = (db: Handle): Handle => {
    if (known.has(db)) return db
    known.add(db)
    const executor = db.getExecutor()
    Object.defineProperty(db, 'executeQuery', { value: traced(db.executeQuery.bind(db)), configurable: true })
    executor.executeQuery = traced(executor.executeQuery.bind(executor))
    return db
  }

  const { write, readWithReplica } = database
  watched(database.read)
  database.readWithReplica = (work) => readWithReplica((db) => work(watched(db)))
  database.write = (work, ...further) => {
    const parent = currentScope()
    if (!parent?.span.isRecording()) return write((db) => work(watched(db)), ...further)
    const span = start('database write', parent)
    const scope: Scope = { span, statements: countIn(span) }
    const asked = now()
    // Its turn comes in the context of another write.
    const inTurn = (db: Handle) => {
      span.setAttribute('lyceum.db.waited_ms', Math.round((now() - asked) * 1000) / 1000)
      return inScope(scope, () => work(watched(db)))
    }
    return during(scope, () => write(inTurn, ...further))
  }
}
