import { isStaffEverywhere, staffSpaces } from '../../../auth/authenticate.ts'
import { cachedAggregate } from '../../../cache/cached.ts'
import type { ReadRequest } from '../../../core/context.ts'
import { selectRows } from '../../../db/index.ts'
import { visibleFeeds } from '../access.ts'

/** The part of the listed feeds that a caller sees. */
export interface VisibleScope {
  /** `locationKey` of each space and privacy in which the caller sees all feeds. */
  readonly locations: ReadonlySet<number>
  /** Private feeds that the caller sees because of their author. */
  readonly personal: readonly { readonly id: number; readonly space_id: number | null }[]
}

export const locationKey = (spaceId: number | null, privacy: string): number => (spaceId ?? 0) * 2 + (privacy === 'private' ? 1 : 0)

/** A dummy feed for each space and privacy, so that the standard visibility predicate can be evaluated per location. */
const ALL_LOCATIONS = `select s.id as space_id, k.privacy, 0 as user_id, 1 as listed
  from spaces s cross join (select 'public' as privacy union all select 'private' as privacy) k
  union all select cast(null as bigint), 'public', 0, 1 union all select cast(null as bigint), 'private', 0, 1`

const loadLocations = async ({ db, actor }: ReadRequest): Promise<ReadonlySet<number>> => {
  const rows = await selectRows<{ space_id: number | null; privacy: string }>(
    db,
    (p) => `select c.space_id, c.privacy from (${ALL_LOCATIONS}) c where ${visibleFeeds(actor, p, 'c')}`,
  )
  return new Set(rows.map(({ space_id, privacy }) => locationKey(space_id, privacy)))
}

/**
 * The caller's own private feeds and, outside of spaces, those of members they follow. `cross` makes SQLite start with the few followed
 * members.
 */
const loadPersonal = ({ db, actor }: ReadRequest): Promise<VisibleScope['personal']> =>
  selectRows(db, (p) => {
    if (isStaffEverywhere(actor)) return null
    const me = p(actor.id)
    return `select f.id, f.space_id from feeds f where f.user_id = ${me} and f.privacy = 'private' and ${visibleFeeds(actor, p)}
      union select f.id, f.space_id from followers vf cross join feeds f where vf.follower_id = ${me} and vf.status = 'active'
        and f.user_id = vf.following_id and f.listed = 1 and f.privacy = 'private' and f.space_id is null`
  })

const cachedForCaller = <V>(ctx: ReadRequest, name: string, tags: string[], load: (ctx: ReadRequest) => Promise<V>): Promise<V> => {
  const { actor } = ctx
  const key = `${name} ${actor.id} ${isStaffEverywhere(actor)} ${staffSpaces(actor).join()}`
  return cachedAggregate(ctx, key, (track) => {
    track.tag(...tags, `member:${actor.id}`, `account:${actor.id}`)
    return load(ctx)
  })
}

/** The caller's current scope, cached until it changes. */
export const visibleScopeOf = async (ctx: ReadRequest): Promise<VisibleScope> => {
  const [locations, personal] = await Promise.all([
    cachedForCaller(ctx, 'visible locations', ['spaces'], loadLocations),
    cachedForCaller(ctx, 'visible private feeds', ['listed:private', 'spaces'], loadPersonal),
  ])
  return { locations, personal }
}
