import { isStaff, isStaffEverywhere, staffSpaces } from '../../../auth/permissions.ts'
import type { Actor, ReadRequest } from '../../../core/context.ts'
import { type Db, parameters, runText, statementOne } from '../../../db/index.ts'
import { visibleFeeds } from '../access.ts'
import { isPlain, OTHER_TYPES } from '../feed-types.ts'
import { countMatching, isFiltered, type ListWhat } from './queries.ts'

/** Feeds of the caller that are private in places whose private feeds he does not see in general: kept counts miss them. */
const countOwnPrivate = (me: string, space: string, managed: readonly string[]) => {
  const elsewhere = managed.length > 0 ? ` and (f.space_id is null or f.space_id not in (${managed.join(', ')}))` : ''
  return `select count(*) from feeds f where f.user_id = ${me} and f.listed = 1 and f.privacy = 'private'${space}${elsewhere}
    and (f.space_id is null or exists (select 1 from spaces vs where vs.id = f.space_id and vs.privacy = 'public' and vs.status <> 'draft'))
    and not exists (select 1 from space_members vm where vm.space_id = f.space_id and vm.user_id = ${me} and vm.status = 'active')`
}

/** Private feeds outside of spaces of those whom the caller follows: `cross` lets SQLite begin with the few people, not the many feeds. */
const countFollowedPrivate = (me: string) =>
  `select count(*) from followers vf cross join feeds f where vf.follower_id = ${me} and vf.status = 'active'
    and f.user_id = vf.following_id and f.listed = 1 and f.privacy = 'private' and f.space_id is null`

const pinnedIn = async (db: Db, actor: Actor, spaceId: number | undefined): Promise<number> => {
  const { values, p } = parameters()
  const visible = visibleFeeds(actor, p)
  const space = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from feeds f where f.is_sticky = 1 and ${visible}${space}`, values)
  return row?.n ?? 0
}

/** SQL that holds where a row of counts `c` is of feeds that every member sees; the space, if there is one, is `vs`. */
const OPEN = `c.privacy = 'public' and vs.privacy = 'public' and vs.status <> 'draft'`

const openOnes = statementOne<{ n: number }>(
  `select coalesce((select c.feeds_count from listed_feed_counts c where c.space_id = 0 and c.privacy = 'public'), 0)
   + coalesce((select sum(c.feeds_count) from listed_feed_counts c join spaces vs on vs.id = c.space_id where ${OPEN}), 0) as n`,
)
const everything = statementOne<{ n: number }>('select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c')

/** Figures of that kind there are. */
const FIGURES = 4

/** Figures that are the same for everybody, and change with every feed that comes or goes; those of all places are added up for them. */
const keptFigure = async ({ db, services: { caches } }: ReadRequest, name: string, find: typeof openOnes): Promise<number> => {
  const kept = caches.of<{ n: number }>('list-figures', FIGURES)
  const since = caches.now()
  const known = kept.get(name, since)
  if (known) return known.n
  const n = (await find(db))?.n ?? 0
  kept.set(name, { n }, ['lists'], since)
  return n
}

/** SQL: the feeds of the caller's places that are not for everybody. The `cross` joins begin with the few places. */
const countBeyond = (me: string, managed: readonly string[]) => {
  const own = `select vm.space_id as id from space_members vm cross join spaces vs where vm.user_id = ${me} and vm.status = 'active'
    and vs.id = vm.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin'))`
  const places = managed.length > 0 ? `${own} union select vs.id from spaces vs where vs.id in (${managed.join(', ')})` : own
  return `select sum(c.feeds_count) from (${places}) o cross join spaces vs cross join listed_feed_counts c
    where vs.id = o.id and c.space_id = o.id and not (${OPEN})`
}

/** The size of an unfiltered list of all places from the counts that are kept per place. */
const totalOfAll = async (ctx: ReadRequest): Promise<number> => {
  const { db, actor } = ctx
  if (isStaffEverywhere(actor)) return keptFigure(ctx, 'everything', everything)
  const { values, p } = parameters()
  const me = p(actor.id)
  const managed = staffSpaces(actor).map(p)
  const text = `select coalesce((${countBeyond(me, managed)}), 0) + (${countOwnPrivate(me, '', managed)}) + (${countFollowedPrivate(me)}) as n`
  const [open, [beyond]] = await Promise.all([keptFigure(ctx, 'open', openOnes), runText<{ n: number }>(db, text, values)])
  return open + (beyond?.n ?? 0)
}

/** The same of one space. */
const totalOfSpace = async ({ db, actor }: ReadRequest, spaceId: number): Promise<number> => {
  const { values, p } = parameters()
  const place = p(spaceId)
  if (isStaff(actor, spaceId)) {
    const [row] = await runText<{ n: number }>(
      db,
      `select coalesce(sum(c.feeds_count), 0) as n from listed_feed_counts c where c.space_id = ${place}`,
      values,
    )
    return row?.n ?? 0
  }
  const me = p(actor.id)
  const text = `select coalesce(sum(c.feeds_count), 0) + (${countOwnPrivate(me, ` and f.space_id = ${place}`, [])}) as n from listed_feed_counts c
    where c.space_id = ${place} and exists (
      select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
      where vs.id = c.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin')) and (vm.id is not null or (${OPEN})))`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}

/** How many feeds the whole list has. Counted only where a filter leaves no other way. */
export const countFeeds = async (ctx: ReadRequest, what: ListWhat): Promise<number> => {
  const { db, actor } = ctx
  const { type, ...rest } = what
  // Nearly all feeds are plain: those that are not are counted faster.
  if (isPlain(type) && !isFiltered(rest))
    return (await countFeeds(ctx, rest)) - (await countMatching(db, actor, rest, ` and f.type in (${OTHER_TYPES})`))
  if (isFiltered(what)) return countMatching(db, actor, what)
  const total = await (what.spaceId === undefined ? totalOfAll(ctx) : totalOfSpace(ctx, what.spaceId))
  if (what.without === 'pinned') return total - (await pinnedIn(db, actor, what.spaceId))
  return what.without === undefined ? total : total - 1
}
