import type { ReactNode } from 'react'
import { Failure, Skeleton } from './feedback.tsx'

interface Props {
  readonly query: {
    readonly data: unknown
    readonly error: unknown
    readonly isPending: boolean
    readonly refetch: () => unknown
  }
  /** Lines of the placeholder. */
  readonly lines?: number
  /** Replaces the default placeholder. */
  readonly placeholder?: ReactNode
  readonly isEmpty?: boolean
  /** The empty state. */
  readonly empty?: ReactNode
}

/** What a query shows in place of its data: a placeholder, the error with a retry button, or the empty state. */
export const QueryState = ({ query, lines = 6, placeholder, isEmpty = false, empty }: Props) => {
  if (query.data !== undefined) return isEmpty ? empty : null
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return query.isPending ? (placeholder ?? <Skeleton lines={lines} />) : null
}
