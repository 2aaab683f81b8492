import type { Context, Fields, Handler, Handlers, Operation } from './operations.ts'
import { renamed } from './values.ts'

type Metrics = Extract<Operation, `analytics.${string}`>

/** Maps FluentCommunity's date parameters; `activity` is the name of a chart. */
const daysOf = ({ query }: Context): Fields => {
  const { start_date, end_date, ...rest } = query
  return renamed(
    { ...rest, start_date: start_date?.slice(0, 10), end_date: end_date?.slice(0, 10) },
    { start_date: 'date_from', end_date: 'date_to' },
  )
}

/** Returns metrics under their own names and in `data`. `list`: the field to use as `data`. */
const metrics =
  (operation: Metrics, list?: string): Handler =>
  async (ctx) => {
    const answer = (await ctx.call(operation, { query: daysOf(ctx) })) as Fields
    return { ...answer, data: list === undefined ? answer : answer[list] }
  }

export const analyticsHandlers: Handlers = {
  'GET /analytics/overview/widget': metrics('analytics.overviewWidget'),
  'GET /analytics/overview/activity': metrics('analytics.overviewActivity', 'data'),
  'GET /analytics/overview/popular-day-time': metrics('analytics.popularDayTime'),
  'GET /analytics/members/widget': metrics('analytics.membersWidget'),
  'GET /analytics/members/activity': metrics('analytics.membersActivity', 'data'),
  'GET /analytics/members/top-members': metrics('analytics.topMembers', 'members'),
  'GET /analytics/members/top-post-starters': metrics('analytics.topPostStarters', 'members'),
  'GET /analytics/members/top-commenters': metrics('analytics.topCommenters', 'members'),
  'GET /analytics/spaces/widget': metrics('analytics.spacesWidget'),
  'GET /analytics/spaces/activity': metrics('analytics.spacesActivity', 'data'),
  'GET /analytics/spaces/popular': metrics('analytics.popularSpaces', 'spaces'),
  'GET /analytics/spaces/search': metrics('analytics.searchSpaces', 'spaces'),
}
