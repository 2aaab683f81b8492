import { type Db, matchingFeeds, parameters, runText } from '../../db/index.ts'
import { isStaff, isStaffEverywhere } from '../../platform/auth/permissions.ts'
import type { Actor } from '../../platform/context.ts'
import { visibleFeeds } from './access.ts'
import type { Cursor } from './cursor.ts'
import { after, type Order, orderBy } from './orders.ts'
import { type FeedHit, hitColumns } from './rows.ts'

export interface ListWhat {
  readonly order: Order
  readonly spaceId?: number | undefined
  readonly userId?: number | undefined
  /** Another status than published: one's own, or what staff decide about. */
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly search?: string | undefined
  /** Slug of a topic. */
  readonly topic?: string | undefined
  /** Leave this feed out (it stands above the list), or every pinned one. */
  readonly without?: number | 'pinned' | undefined
}

export interface PageWhat {
  readonly limit: number
  readonly offset: number
  readonly cursor?: Cursor | undefined
}

type Place = (value: string | number) => string

/** SQL for the rows of a list that the caller may see; null when nothing can match. */
const whereOf = (db: Db, actor: Actor, what: ListWhat, p: Place): string | null => {
  // No feed carries a topic yet.
  if (what.topic !== undefined) return null
  const parts: string[] = []
  if (what.status && what.status !== 'published') {
    const mine = what.userId === actor.id
    const decides = (what.status === 'pending' || what.status === 'spam') && isStaffEverywhere(actor)
    if (!mine && !decides) return null
    parts.push(`f.status = ${p(what.status)}`)
  } else parts.push(visibleFeeds(actor, p))
  if (what.userId !== undefined) parts.push(`f.user_id = ${p(what.userId)}`)
  if (what.spaceId !== undefined) parts.push(`f.space_id = ${p(what.spaceId)}`)
  if (what.type !== undefined) parts.push(`f.type = ${p(what.type)}`)
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

/** One page of a list, one row more than asked when there is a further one. */
export const listFeeds = async (db: Db, actor: Actor, what: ListWhat, { limit, offset, cursor }: PageWhat): Promise<FeedHit[]> => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const where = whereOf(db, actor, what, p)
  if (!where) return []
  const beyond = cursor ? ` and ${after(what.order, cursor.values.map(p))}` : ''
  const skip = cursor || offset === 0 ? '' : ` offset ${p(offset)}`
  const text = `select ${hitColumns(me)} from feeds f where ${where}${beyond} order by ${orderBy(what.order)} limit ${p(limit + 1)}${skip}`
  return runText<FeedHit>(db, text, values)
}

const count = async (db: Db, actor: Actor, what: ListWhat): Promise<number> => {
  const { values, p } = parameters()
  const where = whereOf(db, actor, what, p)
  if (!where) return 0
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from feeds f where ${where}`, values)
  return row?.n ?? 0
}

/** Feeds of the caller that are private in places whose private feeds he does not see in general: kept counts miss them. */
const OWN_PRIVATE = (
  me: string,
  space: string,
) => `select count(*) from feeds f where f.user_id = ${me} and f.listed = 1 and f.privacy = 'private'${space}
  and (f.space_id is null or exists (select 1 from spaces vs where vs.id = f.space_id and vs.privacy = 'public' and vs.status <> 'draft'))
  and not exists (select 1 from space_members vm where vm.space_id = f.space_id and vm.user_id = ${me} and vm.status = 'active')`

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
  const managed = actor.managedSpaces?.filter((id) => isStaff(actor, id)) ?? []
  const staff = managed.length > 0 ? ` or c.space_id in (${managed.map(p).join(', ')})` : ''
  const text = `select coalesce(sum(c.listed), 0) + (${OWN_PRIVATE(me, space.replace('c.', 'f.'))}) as n from feed_counts c where c.listed > 0${space} and (
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
  if (!where) return { rows: [], total: 0 }
  const window = `limit ${p(page.limit + 1)} offset ${p(page.offset)}`
  const hits = `select f.id as hit, count(*) over () as total from feeds f where ${where} order by ${orderBy(what.order)} ${window}`
  const text = `select ${hitColumns(me)}, h.total from (${hits}) h join feeds f on f.id = h.hit order by ${orderBy(what.order)}`
  const rows = await runText<FeedHit & { total: number }>(db, text, values)
  const [first] = rows
  if (!first) return { rows: [], total: page.offset === 0 ? 0 : await count(db, actor, what) }
  return { rows, total: first.total }
}

/** Whether a list is narrower than its place, so that kept counts do not tell its size. */
export const isFiltered = ({ userId, type, search, topic, order, status }: ListWhat): boolean =>
  userId !== undefined ||
  type !== undefined ||
  topic !== undefined ||
  Boolean(search || order.only) ||
  (status !== undefined && status !== 'published')

/** How many feeds the whole list has. Counted only where a filter leaves no other way. */
export const countFeeds = async (db: Db, actor: Actor, what: ListWhat): Promise<number> => {
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
