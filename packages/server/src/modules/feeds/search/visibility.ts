import { isStaffEverywhere, staffSpaces } from '../../../auth/permissions.ts'
import type { ReadRequest } from '../../../core/context.ts'
import { parameters, runText } from '../../../db/index.ts'
import { visibleFeeds } from '../access.ts'

/** Most callers whose reach is kept. */
const KEPT = 5000

/** What a caller sees of what stands in lists. */
export interface VisibleScope {
  /** Places whose feeds he sees whosever they are: `placeKey` of them. */
  readonly places: ReadonlySet<number>
  /** Private feeds that he sees for their author's sake, wherever they stand. */
  readonly personal: readonly number[]
}

export const placeKey = (spaceId: number | null, privacy: string): number => (spaceId ?? 0) * 2 + (privacy === 'private' ? 1 : 0)

/** Each place as a feed of nobody: the predicate of all lists decides about it. */
const PLACES = `select s.id as space_id, k.privacy, 0 as user_id, 1 as listed
  from spaces s cross join (select 'public' as privacy union all select 'private' as privacy) k
  union all select cast(null as bigint), 'public', 0, 1 union all select cast(null as bigint), 'private', 0, 1`

const placesOf = async ({ db, actor }: ReadRequest): Promise<ReadonlySet<number>> => {
  const { values, p } = parameters()
  const text = `select c.space_id, c.privacy from (${PLACES}) c where ${visibleFeeds(actor, p, 'c')}`
  const rows = await runText<{ space_id: number | null; privacy: string }>(db, text, values)
  return new Set(rows.map(({ space_id, privacy }) => placeKey(space_id, privacy)))
}

/** His own private feeds and, outside of spaces, those of whom he follows: `cross` lets SQLite begin with the few people. */
const personalOf = async ({ db, actor }: ReadRequest): Promise<number[]> => {
  if (isStaffEverywhere(actor)) return []
  const { values, p } = parameters()
  const me = p(actor.id)
  const visible = visibleFeeds(actor, p)
  const text = `select f.id from feeds f where f.user_id = ${me} and f.privacy = 'private' and ${visible}
    union select f.id from followers vf cross join feeds f where vf.follower_id = ${me} and vf.status = 'active'
      and f.user_id = vf.following_id and f.listed = 1 and f.privacy = 'private' and f.space_id is null`
  return (await runText<{ id: number }>(db, text, values)).map(({ id }) => id)
}

const kept = async <V>(ctx: ReadRequest, name: string, subjects: readonly string[], work: (ctx: ReadRequest) => Promise<V>): Promise<V> => {
  const { caches } = ctx.services
  const { actor } = ctx
  const cache = caches.of<{ value: V }>(name, KEPT)
  const key = `${actor.id} ${isStaffEverywhere(actor)} ${staffSpaces(actor).join()}`
  const since = caches.now()
  const found = cache.get(key, since)
  if (found) return found.value
  const value = await work(ctx)
  cache.set(key, { value }, [...subjects, `member:${actor.id}`, `account:${actor.id}`], since)
  return value
}

/** What the caller sees at this moment. */
export const reachOf = async (ctx: ReadRequest): Promise<VisibleScope> => {
  const [places, personal] = await Promise.all([
    kept(ctx, 'places in reach', ['places'], placesOf),
    kept(ctx, 'private feeds in reach', ['lists'], personalOf),
  ])
  return { places, personal }
}
