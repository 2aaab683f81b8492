import type { Answers, Inputs } from '@lyceum/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { nextPage } from '../../lib/pagination.ts'
import { keys } from '../../lib/query-keys.ts'

export type SpaceDetail = Answers['spaces']['bySlug']['data']
export type Space = Answers['spaces']['discover']['spaces']['data'][number]
export type SpaceMember = Answers['spaceMembers']['list']['data'][number]
export type SpaceFilter = Pick<Inputs['spaces']['discover'], 'search' | 'type'>
export type MemberFilter = Pick<Inputs['spaceMembers']['list'], 'search' | 'status' | 'role'>

/** Groups with the spaces in them, as navigation shows them. */
export const spaceGroupsQuery = queryOptions({
  queryKey: keys.spaces.groups,
  queryFn: ({ signal }) => client.spaceGroups.list({}, { signal }),
  staleTime: 120_000,
})

export const spaceListQuery = (filter: SpaceFilter) =>
  infiniteQueryOptions({
    queryKey: keys.spaces.list(filter),
    queryFn: ({ pageParam, signal }) => client.spaces.discover({ ...filter, page: pageParam, per_page: 60 }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ spaces }) => nextPage(spaces),
    placeholderData: keepPreviousData,
  })

export const spaceQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.spaces.detail(slug),
    queryFn: async ({ signal }) => (await client.spaces.bySlug({ space_slug: slug }, { signal })).data,
  })

/** All topics, with the spaces that offer them. */
export const allTopicsQuery = queryOptions({
  queryKey: keys.spaces.topics,
  queryFn: async ({ signal }) => (await client.topics.list({ per_page: 100 }, { signal })).topics,
})

/** The lock screen of a private space. */
export const lockScreenQuery = (slug: string) =>
  queryOptions({
    queryKey: keys.spaces.lockScreen(slug),
    queryFn: ({ signal }) => client.spaces.lockscreens({ space_slug: slug }, { signal }),
  })

export const spaceMembersQuery = (slug: string, filter: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: keys.spaces.members(slug, filter),
    queryFn: ({ pageParam, signal }) =>
      client.spaceMembers.list({ space_slug: slug, ...filter, page: pageParam, per_page: 30 }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }) => nextPage(meta),
    placeholderData: keepPreviousData,
  })
