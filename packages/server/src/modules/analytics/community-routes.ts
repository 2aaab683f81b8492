import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { weekdayOf } from '../../util/days.ts'
import { pick } from '../../util/pick.ts'
import { requireCommunity } from './access.ts'
import { perBucket } from './community-queries.ts'
import { average, change, engagement, percentage } from './formulas.ts'
import { type PersonMetric, withNames } from './member-queries.ts'
import { activeIn, activityOf, daysOfAll, hoursOf, metricsIn, topAndActiveIn, topMembersIn, totalsOf, totalsSoFar } from './metrics.ts'
import { bucketsIn, type DayParameters, rangeBefore, rangeOf } from './range.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

/** The name with the largest count; empty if all are zero. */
const peakOf = (names: readonly string[], counts: readonly number[]): string => {
  const most = Math.max(...counts)
  return most > 0 ? (names[counts.indexOf(most)] ?? '') : ''
}

const countsByName = <N extends string>(names: readonly N[], counts: readonly number[]) =>
  Object.fromEntries(names.map((name, i) => [name, counts[i] ?? 0])) as Record<N, number>

type CommunityApi = Pick<
  typeof api.analytics,
  | 'overviewWidget'
  | 'overviewActivity'
  | 'popularDayTime'
  | 'membersWidget'
  | 'membersActivity'
  | 'topMembers'
  | 'topPostStarters'
  | 'topCommenters'
>

const NAMES = ['id', 'display_name', 'avatar', 'username'] as const

/** The top members by a metric, with names. @throws rest_forbidden */
const namedTop = async (ctx: ReadRequest, days: DayParameters, metric: PersonMetric = 'engagement', limit = 10) => {
  requireCommunity(ctx.actor)
  return withNames(ctx.db, await topMembersIn(ctx, await rangeOf(ctx, days), metric, limit))
}

export const communityHandlers: Handlers<CommunityApi> = {
  overviewWidget: async (ctx, { query }) => {
    requireCommunity(ctx.actor)
    const range = await rangeOf(ctx, query)
    const before = query.compare ? await totalsOf(ctx, rangeBefore(range)) : null
    const [active, now] = [await activeIn(ctx, range), await totalsOf(ctx, range)]
    // Read last, so that concurrent writes cannot make a part larger than the whole.
    const ever = await totalsSoFar(ctx, range)
    return {
      total_members: ever.members,
      new_members: now.members,
      total_posts: ever.posts,
      new_posts: now.posts,
      total_comments: ever.comments,
      new_comments: now.comments,
      total_reactions: ever.reactions,
      new_reactions: now.reactions,
      active_spaces: (await metricsIn(ctx, range, null)).length,
      engagement_rate: percentage(active, ever.members),
      ...(before && {
        comparison: {
          members_change: change(now.members, before.members),
          posts_change: change(now.posts, before.posts),
          comments_change: change(now.comments, before.comments),
          reactions_change: change(now.reactions, before.reactions),
        },
      }),
    }
  },

  overviewActivity: async (ctx, { query }) => {
    requireCommunity(ctx.actor)
    const { interval = 'day' } = query
    const range = await rangeOf(ctx, query)
    const buckets = bucketsIn(range, interval)
    const sums = perBucket(buckets, await daysOfAll(ctx, range), ['posts', 'comments', 'reactions', 'members'])
    const activity = await activityOf(ctx, range, interval)
    return {
      data: buckets.map(({ start }, i) => {
        const { posts = 0, comments = 0, reactions = 0, members = 0 } = sums[i] ?? {}
        return { date: start, posts, comments, reactions, new_members: members, active_users: activity[i]?.active ?? 0 }
      }),
    }
  },

  popularDayTime: async (ctx, { query }) => {
    requireCommunity(ctx.actor)
    const days = WEEKDAYS.map(() => 0)
    const hours = HOURS.map(() => 0)
    const range = await rangeOf(ctx, query)
    for (const { hour, n } of await hoursOf(ctx, range)) hours[hour] = n
    for (const { day, posts, comments, reactions } of await daysOfAll(ctx, range)) {
      const weekday = weekdayOf(day)
      days[weekday] = (days[weekday] ?? 0) + posts + comments + reactions
    }
    return {
      by_day: countsByName(WEEKDAYS, days),
      by_hour: countsByName(HOURS, hours),
      peak_day: peakOf(WEEKDAYS, days),
      peak_hour: peakOf(HOURS, hours),
    }
  },

  membersWidget: async (ctx, { query }) => {
    requireCommunity(ctx.actor)
    const range = await rangeOf(ctx, query)
    const { memberCount: active, top: best } = await topAndActiveIn(ctx, range)
    const [top] = await withNames(ctx.db, best)
    const now = await totalsOf(ctx, range)
    const ever = await totalsSoFar(ctx, range)
    return {
      total_members: ever.members,
      active_members: active,
      new_members: now.members,
      inactive_members: Math.max(0, ever.members - active),
      average_posts_per_member: average(now.posts, ever.members),
      average_comments_per_member: average(now.comments, ever.members),
      top_contributor: top
        ? { id: top.id, name: top.display_name || top.username, posts: top.posts, comments: top.comments, username: top.username }
        : null,
    }
  },

  membersActivity: async (ctx, { query }) => {
    requireCommunity(ctx.actor)
    const { interval = 'day' } = query
    const range = await rangeOf(ctx, query)
    const buckets = bucketsIn(range, interval)
    const sums = perBucket(buckets, await daysOfAll(ctx, range), ['members'])
    const activity = await activityOf(ctx, range, interval)
    return {
      data: buckets.map(({ start }, i) => ({
        date: start,
        new_members: sums[i]?.members ?? 0,
        active_members: activity[i]?.active ?? 0,
        returning_members: activity[i]?.existing_members ?? 0,
      })),
    }
  },

  topMembers: async (ctx, { query: { limit, metric, ...days } }) => ({
    members: (await namedTop(ctx, days, metric, limit)).map((person) => ({
      ...pick(person, ...NAMES),
      posts_count: person.posts,
      comments_count: person.comments,
      reactions_count: person.reactions,
      engagement_score: engagement(person),
    })),
  }),

  topPostStarters: async (ctx, { query: { limit, ...days } }) => ({
    members: (await namedTop(ctx, days, 'posts', limit)).map((person) => ({
      ...pick(person, ...NAMES),
      posts_count: person.posts,
      average_reactions: average(person.post_reactions, person.posts),
      average_comments: average(person.post_comments, person.posts),
    })),
  }),

  topCommenters: async (ctx, { query: { limit, ...days } }) => ({
    members: (await namedTop(ctx, days, 'comments', limit)).map((person) => ({
      ...pick(person, ...NAMES),
      comments_count: person.comments,
      average_reactions: average(person.comment_reactions, person.comments),
    })),
  }),
}
