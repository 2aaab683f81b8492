import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError, invalidParameter } from '../../core/errors.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { pick } from '../../util/pick.ts'
import { loadSpace, type SpaceNamed, spaceAbilities } from '../spaces/index.ts'
import { readableSpaces } from './access.ts'
import { perBucket } from './community-queries.ts'
import { average, engagement } from './formulas.ts'
import { daysOf, metricsIn, totalPosts } from './metrics.ts'
import { bucketsIn, rangeOf } from './range.ts'
import {
  largestSpaces,
  metricsOf,
  type Scope,
  type SpaceMetrics,
  searchSpaces,
  spacesById,
  spaceTotals,
  topSpaces,
  unnameableSpaces,
} from './space-queries.ts'

const NO_ACTIVITY = { posts: 0, comments: 0, reactions: 0 }

const withoutUnnameable = async ({ db, actor }: ReadRequest, metrics: readonly SpaceMetrics[]): Promise<SpaceMetrics[]> => {
  const unnameable = await unnameableSpaces(db, actor)
  return metrics.filter(({ space_id }) => !unnameable.has(space_id))
}

type SpacesApi = Pick<typeof api.analytics, 'spacesWidget' | 'spacesActivity' | 'popularSpaces' | 'searchSpaces'>

/** The requested space. @throws space_not_found, 400 if id and slug name different spaces */
const requestedSpace = async (
  { db, actor }: ReadRequest,
  { space_id, space: slug }: SpaceNamed,
  readable: Scope,
): Promise<number | undefined> => {
  const key = slug ?? space_id ?? undefined
  if (key === undefined) return undefined
  const space = await loadSpace(db, key, actor.id)
  if (!space || (readable === null ? !spaceAbilities(actor, space).view : !readable.includes(space.id)))
    throw new ApiError('space_not_found')
  if (typeof space_id === 'number' && space.id !== space_id) throw invalidParameter('space_id', 'does not match space')
  return space.id
}

export const spaceHandlers: Handlers<SpacesApi> = {
  spacesWidget: async (ctx, { query }) => {
    const scope = readableSpaces(ctx.actor)
    const range = await rangeOf(ctx, query)
    const { spaces, members } = await spaceTotals(ctx.db, scope)
    const metrics = await metricsIn(ctx, range, scope)
    const [top] = topSpaces(await withoutUnnameable(ctx, metrics), 'engagement', 1)
    const space = top && (await spacesById(ctx.db, [top.space_id])).get(top.space_id)
    return {
      total_spaces: spaces,
      active_spaces: metrics.length,
      total_posts: await totalPosts(ctx, range, scope),
      total_members: members,
      average_posts_per_space: average(
        metrics.reduce((sum, { posts }) => sum + posts, 0),
        spaces,
      ),
      average_members_per_space: average(members, spaces),
      most_active_space:
        top && space
          ? { id: space.id, title: space.title, posts_count: top.posts, members_count: space.members_count, slug: space.slug }
          : null,
    }
  },

  spacesActivity: async (ctx, { query }) => {
    const { interval = 'day' } = query
    const readable = readableSpaces(ctx.actor)
    const range = await rangeOf(ctx, query)
    const buckets = bucketsIn(range, interval)
    const spaceId = await requestedSpace(ctx, query, readable)
    const scope: Scope = spaceId === undefined ? readable : [spaceId]
    const sums = perBucket(buckets, await daysOf(ctx, range, scope), ['posts', 'comments', 'reactions', 'joins'])
    return {
      data: buckets.map(({ start }, i) => {
        const { posts = 0, comments = 0, reactions = 0, joins = 0 } = sums[i] ?? {}
        return { date: start, posts, comments, reactions, new_members: joins }
      }),
    }
  },

  popularSpaces: async (ctx, { query: { limit = 10, metric = 'engagement', ...days } }) => {
    const scope = readableSpaces(ctx.actor)
    const range = await rangeOf(ctx, days)
    const metrics = new Map<number, SpaceMetrics>()
    const order: number[] = []
    if (metric === 'members') {
      order.push(...(await largestSpaces(ctx.db, ctx.actor, scope, limit)).map(({ id }) => id))
      for (const row of await metricsOf(ctx.db, range, order)) metrics.set(row.space_id, row)
    } else {
      for (const row of topSpaces(await withoutUnnameable(ctx, await metricsIn(ctx, range, scope)), metric, limit)) {
        order.push(row.space_id)
        metrics.set(row.space_id, row)
      }
    }
    const names = await spacesById(ctx.db, order)
    return {
      spaces: order.flatMap((id) => {
        const space = names.get(id)
        const activity = metrics.get(id) ?? NO_ACTIVITY
        const { posts: posts_count, comments: comments_count } = activity
        return space
          ? [
              {
                ...pick(space, 'id', 'title', 'slug', 'members_count'),
                posts_count,
                comments_count,
                engagement_score: engagement(activity),
              },
            ]
          : []
      }),
    }
  },

  searchSpaces: async (ctx, { query: { search, limit = 10 } }) => ({
    spaces: await searchSpaces(ctx.db, ctx.actor, readableSpaces(ctx.actor), search.trim(), limit),
  }),
}
