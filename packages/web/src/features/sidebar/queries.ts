import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { keys } from '../../lib/query-keys.ts'

const SHOWN = 4
/** New posts count as active too, so posts without comments are skipped. */
const LOOKED_AT = 15
const STAYS_MS = 120_000

/** Posts with the latest comments. */
export const activeDiscussionsQuery = queryOptions({
  queryKey: keys.sidebar.activeDiscussions,
  queryFn: async ({ signal }) => {
    const { feeds } = await client.feeds.list({ order_by_type: 'new_activity', per_page: LOOKED_AT, disable_sticky: 'yes' }, { signal })
    return feeds.data.filter(({ comments_count }) => comments_count > 0).slice(0, SHOWN)
  },
  staleTime: STAYS_MS,
})

/** Courses the user has started but not completed. */
export const continueLearningQuery = queryOptions({
  queryKey: keys.sidebar.continueLearning,
  queryFn: async ({ signal }) => (await client.courses.mine({ status: 'active', per_page: SHOWN - 1 }, { signal })).courses.data,
  staleTime: STAYS_MS,
})

/** Members with the most points this month. */
export const topMembersQuery = queryOptions({
  queryKey: keys.sidebar.topMembers,
  queryFn: async ({ signal }) => {
    const { leaderboard } = await client.leaderboard.list({ period: 'this_month', limit: SHOWN + 1 }, { signal })
    return leaderboard.find(({ key }) => key === 'this_month')?.items ?? []
  },
  staleTime: STAYS_MS,
})
