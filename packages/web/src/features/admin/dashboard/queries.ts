import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/client.ts'
import { keys } from '../../../lib/query-keys.ts'
import { daysOf, intervalOf, type Range } from './ranges.ts'

const CACHE_OPTIONS = { staleTime: 60_000, placeholderData: keepPreviousData } as const
const TOP = 5

export const overviewQuery = (range: Range) =>
  queryOptions({
    ...CACHE_OPTIONS,
    queryKey: keys.admin.analytics('overview', range),
    queryFn: ({ signal }) => client.analytics.overviewWidget({ ...daysOf(range), compare: true }, { signal }),
  })

export const backupsQuery = queryOptions({
  staleTime: 60_000,
  queryKey: keys.admin.backups,
  queryFn: ({ signal }) => client.backups.list({}, { signal }),
})

/** Query parameters of the period, and of the previous one if they are compared. */
export const activityQuery = (range: Range, compared: boolean) =>
  queryOptions({
    ...CACHE_OPTIONS,
    queryKey: keys.admin.analytics('activity', range, compared),
    queryFn: async ({ signal }) => {
      const interval = intervalOf(range)
      const [now, before] = await Promise.all([
        client.analytics.overviewActivity({ ...daysOf(range), interval }, { signal }),
        compared ? client.analytics.overviewActivity({ ...daysOf(range, 1), interval }, { signal }) : null,
      ])
      return { now: now.data, before: before?.data ?? null }
    },
  })

export const popularQuery = (range: Range) =>
  queryOptions({
    ...CACHE_OPTIONS,
    queryKey: keys.admin.analytics('popular', range),
    queryFn: ({ signal }) => client.analytics.popularDayTime(daysOf(range), { signal }),
  })

export const topListsQuery = (range: Range) =>
  queryOptions({
    ...CACHE_OPTIONS,
    queryKey: keys.admin.analytics('top-lists', range),
    queryFn: async ({ signal }) => {
      const about = { ...daysOf(range), limit: TOP }
      const [members, starters, commenters, spaces] = await Promise.all([
        client.analytics.topMembers(about, { signal }),
        client.analytics.topPostStarters(about, { signal }),
        client.analytics.topCommenters(about, { signal }),
        client.analytics.popularSpaces(about, { signal }),
      ])
      return { members: members.members, starters: starters.members, commenters: commenters.members, spaces: spaces.spaces }
    },
  })
