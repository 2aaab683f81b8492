import { isStaff, isStaffEverywhere, staffSpaces } from '../../../auth/permissions.ts'
import type { Actor, ReadRequest } from '../../../core/context.ts'
import { type Db, parameters, runText, statementOne } from '../../../db/index.ts'
import { visibleFeeds } from '../access.ts'
import { isPlain, OTHER_TYPES } from '../feed-types.ts'
import { countMatching, isFiltered, type ListFilter } from './queries.ts'

/**
 * SQL that counts the caller's own private feeds in spaces whose private feeds they do not see in general; the stored counts do not cover
 * these.
 */
const countOwnPrivate = (me: string, space: string, managed: readonly string[]) => {
  const elsewhere = managed.length > 0 ? ` and (f.space_id is null or f.space_id not in (${managed.join(', ')}))` : ''
  return `select count(*) from feeds f where f.user_id = ${me} and f.listed = 1 and f.privacy = 'private'${space}${elsewhere}
    and (f.space_id is null or exists (select 1 from spaces vs where vs.id = f.space_id and vs.privacy = 'public' and vs.status <> 'draft'))
    and not exists (select 1 from space_members vm where vm.space_id = f.space_id and vm.user_id = ${me} and vm.status = 'active')`
}

/**
 * SQL that counts private feeds outside of spaces by members whom the caller follows. `cross` makes SQLite start with the few followed
 * members instead of the many feeds.
 */
const countFollowedPrivate = (me: string) =>
  `select count(*) from followers vf cross join feeds f where vf.follower_id = ${me} and vf.status = 'active'
    and f.user_id = vf.following_id and f.listed = 1 and f.privacy = 'private' and f.space_id is null`

const countPinned = async (db: Db, actor: Actor, spaceId: number | undefined): Promise<number> => {
  const { values, p } = parameters()
  const visible = visibleFeeds(actor, p)
  const space = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from feeds f where f.is_sticky = 1 and ${visible}${space}`, values)
  return row?.n ?? 0
}

/** SQL condition: row `c` of the counts is for feeds that every member sees; its space, if any, is `vs`. */
const OPEN_TO_MEMBERS = `c.privacy = 'public' and vs.privacy = 'public' and vs.status <> 'draft'`

const openTotal = statementOne<{ n: number }>(
  `select coalesce((select c.feeds_count from listed_feed_counts c where c.space_id = 0 and c.privacy = 'public'), 0)
   + coalesce((select sum(c.feeds_count) from listed_feed_counts c join spaces vs on vs.id = c.space_id where ${OPEN_TO_MEMBERS}), 0) as n`,
)
const totalOfEverything = statementOne<{ n: number }>('select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c')

const MAX_ENTRIES = 4

/** Totals that are the same for every caller, cached until any feed enters or leaves a list. */
const cachedTotal = async ({ db, services: { caches } }: ReadRequest, name: string, find: typeof openTotal): Promise<number> => {
  const cache = caches.of<{ n: number }>('list-figures', MAX_ENTRIES)
  const since = caches.now()
  const cached = cache.get(name, since)
  if (cached) return cached.n
  const n = (await find(db))?.n ?? 0
  cache.set(name, { n }, ['lists'], since)
  return n
}

/** SQL that counts the feeds of the caller's spaces that not every member sees. The `cross` joins start with the few spaces. */
const countRestricted = (me: string, managed: readonly string[]) => {
  const own = `select vm.space_id as id from space_members vm cross join spaces vs where vm.user_id = ${me} and vm.status = 'active'
    and vs.id = vm.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin'))`
  const places = managed.length > 0 ? `${own} union select vs.id from spaces vs where vs.id in (${managed.join(', ')})` : own
  return `select sum(c.feeds_count) from (${places}) o cross join spaces vs cross join listed_feed_counts c
    where vs.id = o.id and c.space_id = o.id and not (${OPEN_TO_MEMBERS})`
}

/** The size of the unfiltered list of all feeds, from the stored counts per space. */
const totalOfAll = async (ctx: ReadRequest): Promise<number> => {
  const { db, actor } = ctx
  if (isStaffEverywhere(actor)) return cachedTotal(ctx, 'everything', totalOfEverything)
  const { values, p } = parameters()
  const me = p(actor.id)
  const managed = staffSpaces(actor).map(p)
  const text = `select coalesce((${countRestricted(me, managed)}), 0) + (${countOwnPrivate(me, '', managed)}) + (${countFollowedPrivate(me)}) as n`
  const [openCount, [restricted]] = await Promise.all([cachedTotal(ctx, 'open', openTotal), runText<{ n: number }>(db, text, values)])
  return openCount + (restricted?.n ?? 0)
}

/** The size of the unfiltered list of one space. */
const totalOfSpace = async ({ db, actor }: ReadRequest, spaceId: number): Promise<number> => {
  const { values, p } = parameters()
  const space = p(spaceId)
  if (isStaff(actor, spaceId)) {
    const [row] = await runText<{ n: number }>(
      db,
      `select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c where c.space_id = ${space}`,
      values,
    )
    return row?.n ?? 0
  }
  const me = p(actor.id)
  const text = `select coalesce(sum(c.feeds_count), 0) + (${countOwnPrivate(me, ` and f.space_id = ${space}`, [])}) as n from listed_feed_counts c
    where c.space_id = ${space} and exists (
      select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
      where vs.id = c.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin')) and (vm.id is not null or (${OPEN_TO_MEMBERS})))`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}

/** The size of a list. Counts rows only if a filter requires it. */
export const countFeeds = async (ctx: ReadRequest, filter: ListFilter): Promise<number> => {
  const { db, actor } = ctx
  const { type, ...rest } = filter
  // Nearly all feeds are plain, so counting the others is faster.
  if (isPlain(type) && !isFiltered(rest))
    return (await countFeeds(ctx, rest)) - (await countMatching(db, actor, rest, ` and f.type in (${OTHER_TYPES})`))
  if (isFiltered(filter)) return countMatching(db, actor, filter)
  const total = await (filter.spaceId === undefined ? totalOfAll(ctx) : totalOfSpace(ctx, filter.spaceId))
  if (filter.exclude === 'pinned') return total - (await countPinned(db, actor, filter.spaceId))
  return filter.exclude === undefined ? total : total - 1
}
