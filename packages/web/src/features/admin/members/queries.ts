import type { Answers, Inputs } from '@lyceum/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/client.ts'
import { nextPage } from '../../../lib/pagination.ts'
import { keys } from '../../../lib/query-keys.ts'

export type Member = Answers['members']['list']['members']['data'][number]
export type MemberFilter = Pick<Inputs['members']['list'], 'role' | 'status' | 'search' | 'orderby'>
export type Manager = Answers['managers']['list']['managers'][number]

export const membersQuery = (filter: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: keys.admin.members(filter),
    queryFn: async ({ pageParam, signal }) => (await client.members.list({ ...filter, page: pageParam }, { signal })).members,
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })

export const registrationsQuery = (status: 'pending' | 'unverified') =>
  infiniteQueryOptions({
    queryKey: keys.admin.registrations(status),
    queryFn: ({ pageParam, signal }) => client.registrations.list({ status, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => nextPage(meta),
  })

export const managersQuery = infiniteQueryOptions({
  queryKey: keys.admin.managers,
  queryFn: ({ pageParam, signal }) => client.managers.list({ page: pageParam }, { signal }),
  initialPageParam: 1,
  getNextPageParam: ({ pagination }) => nextPage(pagination),
})
