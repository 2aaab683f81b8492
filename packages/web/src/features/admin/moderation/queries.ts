import type { Answers, Inputs } from '@lyceum/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/client.ts'
import { nextPage } from '../../../lib/pagination.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'

type QueueAnswer = Answers['moderation']['queue']
export type HeldItem = QueueAnswer['items'][number]
export type Report = Answers['moderation']['reports']['reports'][number]
export type AuditEntryData = Answers['audit']['list']['entries'][number]
export type FailedSignIn = Answers['audit']['signInFailures']['failures'][number]
export type ReportFilter = Pick<Inputs['moderation']['reports'], 'status' | 'reason' | 'object_type'>
export type AuditFilter = Pick<Inputs['audit']['list'], 'action' | 'object_type' | 'date_from' | 'date_to'>

/** Page size; the next page loads when this one is done. */
const QUEUE_LENGTH = 50

export const queueQuery = queryOptions({
  queryKey: keys.admin.queue,
  queryFn: ({ signal }) => client.moderation.queue({ per_page: QUEUE_LENGTH }, { signal }),
  staleTime: 0,
})

/** Removes an item from the cached queue. Returns an undo function. */
export const removeFromQueue = (gone: HeldItem): (() => void) => {
  const before = queryClient.getQueryData(queueQuery.queryKey)
  queryClient.setQueryData(
    queueQuery.queryKey,
    (now) =>
      now && {
        items: now.items.filter((item) => item.object_type !== gone.object_type || item.object_id !== gone.object_id),
        pagination: { ...now.pagination, total: Math.max(0, now.pagination.total - 1) },
      },
  )
  return () => queryClient.setQueryData(queueQuery.queryKey, before)
}

export const decide = (item: HeldItem, decision: 'approve' | 'reject', note = ''): Promise<unknown> => {
  const body = { decision, ...(note.trim() && { note: note.trim() }) }
  return item.object_type === 'feed'
    ? client.moderation.decideFeed({ feed_id: item.object_id, ...body })
    : client.moderation.decideComment({ comment_id: item.object_id, ...body })
}

export const reportsQuery = (filter: ReportFilter) =>
  infiniteQueryOptions({
    queryKey: keys.admin.reports(filter),
    queryFn: ({ pageParam, signal }) => client.moderation.reports({ ...filter, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => nextPage(pagination),
  })

export const rulesQuery = queryOptions({
  queryKey: keys.admin.rules,
  queryFn: ({ signal }) => client.moderation.config({}, { signal }),
})

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: keys.admin.audit(filter),
    queryFn: ({ pageParam, signal }) => client.audit.list({ ...filter, page: pageParam, per_page: 50 }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => nextPage(pagination),
  })

export const signInFailuresQuery = (userId: number | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.admin.signInFailures(userId),
    queryFn: ({ pageParam, signal }) =>
      client.audit.signInFailures({ page: pageParam, per_page: 50, ...(userId !== undefined && { user_id: userId }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => nextPage(pagination),
    staleTime: 0,
  })
