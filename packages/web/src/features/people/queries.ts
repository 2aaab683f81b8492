import type { Answers, Inputs } from '@lyceum/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { nextPage } from '../../lib/pagination.ts'
import { keys } from '../../lib/query-keys.ts'

export type Profile = Answers['profiles']['get']['profile']
export type Member = Answers['members']['list']['members']['data'][number]
export type FollowStatus = Answers['followers']['status']['data']
export type MemberOrder = NonNullable<Inputs['members']['list']['orderby']>
export type Period = NonNullable<Inputs['leaderboard']['list']['period']>

export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: keys.profiles.detail(username),
    queryFn: async ({ signal }) => (await client.profiles.get({ username }, { signal })).profile,
  })

export const followStatusQuery = (username: string) =>
  queryOptions({
    queryKey: keys.profiles.followStatus(username),
    queryFn: async ({ signal }) => (await client.followers.status({ username }, { signal })).data,
  })

export const membersQuery = (filter: { readonly search?: string; readonly orderby: MemberOrder }) =>
  infiniteQueryOptions({
    queryKey: keys.people.members(filter),
    queryFn: ({ pageParam, signal }) =>
      client.members.list(
        { ...filter, order: filter.orderby === 'display_name' ? 'asc' : 'desc', page: pageParam, per_page: 30 },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ members }) => nextPage(members),
    placeholderData: keepPreviousData,
  })

export const commentsQuery = (username: string) =>
  infiniteQueryOptions({
    queryKey: keys.profiles.comments(username),
    queryFn: ({ pageParam, signal }) => client.profiles.comments({ username, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ comments }) => nextPage(comments),
  })

export const profileSpacesQuery = (username: string) =>
  queryOptions({
    queryKey: keys.spaces.ofMember(username),
    queryFn: async ({ signal }) => (await client.profiles.spaces({ username }, { signal })).spaces,
  })

const FOLLOW_SIDES = ['followers', 'following'] as const
export type FollowSide = (typeof FOLLOW_SIDES)[number]

export const followListQuery = (username: string, side: FollowSide) =>
  infiniteQueryOptions({
    queryKey: keys.profiles.follows(side, username),
    queryFn: async ({ pageParam, signal }) => {
      const input = { username, page: pageParam, per_page: 30 }
      return side === 'followers'
        ? (await client.followers.followers(input, { signal })).followers
        : (await client.followers.followings(input, { signal })).followings
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })

export const requestsQuery = queryOptions({
  queryKey: keys.people.requests,
  queryFn: ({ signal }) => client.followers.requests({}, { signal }),
})

export const activityQuery = (user_id: number) =>
  infiniteQueryOptions({
    queryKey: keys.profiles.activity(user_id),
    queryFn: ({ pageParam, signal }) =>
      client.activities.list({ 'context[user_id]': user_id, 'context[type]': 'user', page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ activities: { current_page, per_page, total } }) =>
      current_page * per_page < total ? current_page + 1 : undefined,
  })

export const leaderboardQuery = (period: Period) =>
  queryOptions({
    queryKey: keys.people.leaderboard(period),
    queryFn: ({ signal }) => client.leaderboard.list({ period, limit: 50 }, { signal }),
    placeholderData: keepPreviousData,
  })
