import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, type SpanContext, SpanStatusCode, trace } from '@opentelemetry/api'

/** Counts the statements that run in a span. */
export interface Statements {
  run<T>(text: string, work: () => Promise<T>): Promise<T>
  end(): void
}

/** A span in progress, and where its statements are counted. */
export interface Scope {
  readonly span: Span
  statements: Statements | null
}

const scopes = new AsyncLocalStorage<Scope>()

export const currentScope = (): Scope | undefined => scopes.getStore()
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

export const contextOf = (span: Span | SpanContext | undefined): Context => {
  if (!span) return ROOT_CONTEXT
  return 'spanContext' in span ? trace.setSpan(ROOT_CONTEXT, span) : trace.setSpanContext(ROOT_CONTEXT, span)
}

export const endScope = ({ span, statements }: Scope): void => {
  statements?.end()
  span.end()
}

/** Runs work in a span, which ends with it. */
export const during = async <T>(scope: Scope, work: () => Promise<T>): Promise<T> => {
  try {
    return await inScope(scope, work)
  } catch (error) {
    // Messages can contain what members wrote.
    scope.span.setStatus({ code: SpanStatusCode.ERROR })
    scope.span.setAttribute('error.type', error instanceof Error ? error.name : 'Error')
    throw error
  } finally {
    endScope(scope)
  }
}
