import { FEED_TYPES } from '@lyceum/contract'
import { type Db, matchingFeeds, parameters, runText } from '../../db/index.ts'
import { isStaff, isStaffEverywhere, staffSpaces } from '../../platform/auth/permissions.ts'
import type { Actor } from '../../platform/context.ts'
import { feedsInReach, visibleFeeds } from './access.ts'
import { countSource, pageSource, type Source, type TopicFilter } from './by-topic.ts'
import type { Cursor } from './cursor.ts'
import { after, type Order, orderBy } from './orders.ts'
import { type FeedHit, hitColumns } from './rows.ts'

export interface ListWhat {
  readonly order: Order
  readonly spaceId?: number | undefined
  readonly userId?: number | undefined
  /** Another status than published: one's own, or what staff decide about. */
  readonly status?: string | undefined
  /** The caller decides about content here, so that pending and spam feeds of others are listed too. */
  readonly decides?: boolean | undefined
  readonly type?: string | undefined
  readonly search?: string | undefined
  readonly topics?: TopicFilter | undefined
  /** Leave this feed out (it stands above the list), or every pinned one. */
  readonly without?: number | 'pinned' | undefined
}

export interface PageWhat {
  readonly limit: number
  readonly offset: number
  readonly cursor?: Cursor | undefined
}

type Place = (value: string | number) => string

/** What waits for a decision; has an index of its own. */
const HELD = `f.status in ('pending', 'spam')`

/** SQL for feeds of that status: published ones are seen by others, the rest by their author and by those who decide about them. */
const hasStatus = (actor: Actor, { status = 'published', userId, decides }: ListWhat, p: Place): string | null => {
  if (status === 'published') return visibleFeeds(actor, p)
  const held = status === 'pending' || status === 'spam'
  if (userId !== actor.id && !(held && decides)) return null
  return `f.status = ${p(status)}${held ? ` and ${HELD}` : ''} and ${feedsInReach(actor, p)}`
}

/** Two types mean the same: a plain feed is one that is none of the others. */
const isPlain = (type: string | undefined) => type === 'feed' || type === 'text'
const OTHER_TYPES = FEED_TYPES.filter((type) => !isPlain(type))
  .map((type) => `'${type}'`)
  .join(', ')

/** The others are named for plain ones too, since a list of wanted types would be sorted rather than read in order. */
const hasType = (type: string, p: Place): string => (isPlain(type) ? `f.type not in (${OTHER_TYPES})` : `f.type = ${p(type)}`)

/** SQL for the rows of a list that the caller may see; null when nothing can match. */
const whereOf = (db: Db, actor: Actor, what: ListWhat, p: Place): string | null => {
  const status = hasStatus(actor, what, p)
  if (!status) return null
  const parts = [status]
  if (what.userId !== undefined) parts.push(`f.user_id = ${p(what.userId)}`)
  if (what.spaceId !== undefined) parts.push(`f.space_id = ${p(what.spaceId)}`)
  if (what.type !== undefined) parts.push(hasType(what.type, p))
  if (what.order.only) parts.push(what.order.only)
  if (what.without === 'pinned') parts.push('f.is_sticky = 0')
  else if (what.without !== undefined) parts.push(`f.id <> ${p(what.without)}`)
  if (what.search) {
    const matching = matchingFeeds(db, what.search, p)
    if (!matching) return null
    parts.push(matching)
  }
  return parts.join(' and ')
}

/** A filter that has an index of its own makes the list short enough to look at each feed's topics. */
const isNarrow = ({ userId, search, status = 'published' }: ListWhat): boolean =>
  userId !== undefined || Boolean(search) || status !== 'published'

/** Where the rows come from; null when nothing can match. */
const sourceOf = (what: ListWhat, p: Place, choose: typeof pageSource = pageSource): Source | null =>
  what.topics ? choose(what.topics, what.order, isNarrow(what), p) : { from: 'feeds f', where: [], order: what.order }

/** One page of a list, one row more than asked when there is a further one. */
export const listFeeds = async (db: Db, actor: Actor, what: ListWhat, { limit, offset, cursor }: PageWhat): Promise<FeedHit[]> => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const where = whereOf(db, actor, what, p)
  const source = sourceOf(what, p)
  if (!where || !source) return []
  const { from, order } = source
  const beyond = cursor ? [after(order, cursor.values.map(p))] : []
  const all = [...source.where, where, ...beyond].join(' and ')
  const skip = cursor || offset === 0 ? '' : ` offset ${p(offset)}`
  const text = `select ${hitColumns(me)} from ${from} where ${all} order by ${orderBy(order)} limit ${p(limit + 1)}${skip}`
  return runText<FeedHit>(db, text, values)
}

/** `also` is a further condition, of constant text. */
const count = async (db: Db, actor: Actor, what: ListWhat, also = ''): Promise<number> => {
  const { values, p } = parameters()
  const where = whereOf(db, actor, what, p)
  const source = sourceOf(what, p, countSource)
  if (!where || !source) return 0
  const all = [...source.where, where].join(' and ')
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from ${source.from} where ${all}${also}`, values)
  return row?.n ?? 0
}

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

/** The size of an unfiltered list from the counts that are kept per place. */
const keptTotal = async (db: Db, actor: Actor, spaceId: number | undefined): Promise<number> => {
  const { values, p } = parameters()
  const space = spaceId === undefined ? '' : ` and c.space_id = ${p(spaceId)}`
  if (isStaffEverywhere(actor) || (spaceId !== undefined && isStaff(actor, spaceId))) {
    const [row] = await runText<{ n: number }>(db, `select coalesce(sum(c.listed), 0) as n from feed_counts c where 1 = 1${space}`, values)
    return row?.n ?? 0
  }
  const me = p(actor.id)
  const managed = staffSpaces(actor).map(p)
  const staff = managed.length > 0 ? ` or c.space_id in (${managed.join(', ')})` : ''
  const own = countOwnPrivate(me, space.replace('c.', 'f.'), managed)
  const followed = spaceId === undefined ? ` + (${countFollowedPrivate(me)})` : ''
  const text = `select coalesce(sum(c.listed), 0) + (${own})${followed} as n from feed_counts c where c.listed > 0${space} and (
    (c.space_id = 0 and c.privacy = 'public')
    or exists (select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
      where vs.id = c.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin'))
      and (vm.id is not null or (vs.privacy = 'public' and c.privacy = 'public')))${staff})`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}

/** A page of a search with the size of the whole result, both from one pass over what matches. */
export const searchFeeds = async (db: Db, actor: Actor, what: ListWhat, page: PageWhat): Promise<{ rows: FeedHit[]; total: number }> => {
  if (page.cursor) return { rows: await listFeeds(db, actor, what, page), total: await count(db, actor, what) }
  const { values, p } = parameters()
  const me = p(actor.id)
  const where = whereOf(db, actor, what, p)
  const source = sourceOf(what, p)
  if (!where || !source) return { rows: [], total: 0 }
  const all = [...source.where, where].join(' and ')
  const window = `limit ${p(page.limit + 1)} offset ${p(page.offset)}`
  const hits = `select f.id as hit, count(*) over () as total from ${source.from} where ${all} order by ${orderBy(what.order)} ${window}`
  const text = `select ${hitColumns(me)}, h.total from (${hits}) h join feeds f on f.id = h.hit order by ${orderBy(what.order)}`
  const rows = await runText<FeedHit & { total: number }>(db, text, values)
  const [first] = rows
  if (!first) return { rows: [], total: page.offset === 0 ? 0 : await count(db, actor, what) }
  return { rows, total: first.total }
}

/** Whether a list is narrower than its place, so that kept counts do not tell its size. */
export const isFiltered = ({ userId, type, search, topics, order, status }: ListWhat): boolean =>
  userId !== undefined ||
  type !== undefined ||
  topics !== undefined ||
  Boolean(search || order.only) ||
  (status !== undefined && status !== 'published')

/** How many feeds the whole list has. Counted only where a filter leaves no other way. */
export const countFeeds = async (db: Db, actor: Actor, what: ListWhat): Promise<number> => {
  const { type, ...rest } = what
  // Nearly all feeds are plain: those that are not are counted faster.
  if (isPlain(type) && !isFiltered(rest))
    return (await countFeeds(db, actor, rest)) - (await count(db, actor, rest, ` and f.type in (${OTHER_TYPES})`))
  if (isFiltered(what)) return count(db, actor, what)
  const total = await keptTotal(db, actor, what.spaceId)
  if (what.without === 'pinned') return total - (await pinnedIn(db, actor, what.spaceId))
  return what.without === undefined ? total : total - 1
}

/** The pinned feed of a space, or the one of the whole community, if the caller may see it. */
export const pinnedFeed = async (db: Db, actor: Actor, spaceId: number | undefined): Promise<FeedHit | undefined> => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const visible = visibleFeeds(actor, p)
  const text = `select ${hitColumns(me)} from feeds f where f.is_sticky = 1 and coalesce(f.space_id, 0) = ${p(spaceId ?? 0)} and ${visible}`
  const [row] = await runText<FeedHit>(db, text, values)
  return row
}
