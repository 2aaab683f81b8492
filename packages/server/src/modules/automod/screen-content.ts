import type { QueueReason } from '@lyceum/contract'
import { isStaffEverywhere } from '../../auth/permissions.ts'
import { shift } from '../../core/clock.ts'
import type { Actor, ReadContext } from '../../core/context.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { spokenTexts, textsIn, visibleText, wordsIn } from './extract-text.ts'
import { addressesIn, countForeign, findBlockedDomain } from './link-rules.ts'
import { isIdle, type Policy, policyOf } from './policy-cache.ts'
import { firstWord, isSpam, spamPoints } from './spam-score.ts'

/** That content does not appear now, and why. */
export interface Hold {
  readonly status: 'pending' | 'spam'
  readonly reason: QueueReason
  readonly details: Readonly<Record<string, unknown>>
}

export interface Screened {
  readonly kind: 'feed' | 'comment'
  /** The row; undefined: it is not there yet. */
  readonly id?: number
  readonly author: Pick<Actor, 'id' | 'role' | 'permissions' | 'managedSpaces'>
  /** Decides about content where this stands: what he writes needs no second look. */
  readonly decides: boolean
  /** It appears for the first time; what was already there is looked at for its words alone. */
  readonly appears: boolean
  readonly title?: string
  readonly html: string
  readonly meta: object
  readonly featuredImage?: string | null
}

const DAY_S = 24 * 3600
/** Who is not longer here than that, and has not written more than that, is new. */
const NEWCOMER_S = 3 * DAY_S
const NEWCOMER_PIECES = 3
/** Most addresses of other sites in what somebody new writes. */
const NEWCOMER_LINKS = 2
/** So much of what somebody wrote last is compared, and counted. */
const FEEDS_SEEN = 10
const COMMENTS_SEEN = 20

const authorOf = statementOne<{ created_at: string; pieces: number }>(
  `select u.created_at, (select count(*) from (select 1 as one from feeds f where f.user_id = u.id and f.listed = 1 limit ${NEWCOMER_PIECES + 1}) k)
    + (select count(*) from (select 1 as one from comments c where c.user_id = u.id and c.status = 'published' limit ${NEWCOMER_PIECES + 1}) k) as pieces
   from users u where u.id = $1`,
)
interface Earlier {
  readonly id: number
  readonly html: string
  readonly created_at: string
}

const feedsWhere = (standing: string) =>
  statement<Earlier>(
    `select id, message_rendered as html, published_at as created_at from feeds where user_id = $1 and ${standing} and published_at > $2
     order by published_at desc, id desc limit ${FEEDS_SEEN}`,
  )
const listedFeeds = feedsWhere('listed = 1')
const spamFeeds = feedsWhere(`status = 'spam'`)
const commentsOf = statement<Earlier>(
  `select id, message_rendered as html, created_at from comments where user_id = $1 and created_at > $2
   order by created_at desc, id desc limit ${COMMENTS_SEEN}`,
)

const isNewcomer = async ({ db, now }: Asking, userId: number): Promise<boolean> => {
  const author = await authorOf(db, [userId])
  return author !== undefined && author.created_at > shift(now, -NEWCOMER_S) && author.pieces <= NEWCOMER_PIECES
}

type Asking = Pick<ReadContext, 'db' | 'now' | 'services'>

/** What the author wrote within a day, without the piece itself. */
const earlierOf = async (db: Db, { author, kind, id }: Screened, since: string) => {
  const values = [author.id, since]
  const others = (list: readonly Earlier[], of: Screened['kind']) => list.filter((row) => kind !== of || row.id !== id)
  const feeds = [...(await listedFeeds(db, values)), ...(await spamFeeds(db, values))]
  return [...others(feeds, 'feed'), ...others(await commentsOf(db, values), 'comment')]
}

const findWord = ({ words }: Policy, text: string): Hold | null => {
  const word = words?.find(text) ?? null
  return word === null ? null : { status: 'pending', reason: 'word', details: { word } }
}

const judgeSpam = async (ctx: Asking, what: Screened, text: string, links: number, newcomer: boolean): Promise<Hold | null> => {
  const earlier = await earlierOf(ctx.db, what, shift(ctx.now, -DAY_S))
  const minute = shift(ctx.now, -60)
  const head = firstWord(what.html)
  const points = spamPoints({
    ...(what.title && { title: what.title }),
    text,
    links,
    earlier: earlier.filter(({ html }) => firstWord(html) === head).map(({ html }) => visibleText(html)),
    lately: earlier.filter(({ created_at }) => created_at > minute && created_at <= ctx.now).length,
    newcomer,
  })
  if (!isSpam(points)) return null
  const found = Object.fromEntries(Object.entries(points).filter(([, value]) => value > 0))
  return { status: 'spam', reason: 'spam', details: { points: found } }
}

/**
 * Whether something that is about to appear must wait, and why; null: it appears. Asked inside the write, for what is to be published
 * alone: drafts and plans are looked at when their time comes.
 */
export const screen = async (ctx: Asking, what: Screened): Promise<Hold | null> => {
  const policy = await policyOf(ctx)
  const { author, kind, html, meta, title = '', featuredImage } = what
  if (isIdle(policy) || what.decides || author.role === 'admin' || isStaffEverywhere(author) || policy.trusted.has(author.id)) return null
  const rule: Hold | null = what.appears && policy.holdsAll[kind] ? { status: 'pending', reason: 'rule', details: {} } : null
  if (!policy.words && !policy.domains && !policy.spam) return rule

  const inMeta = textsIn(meta)
  const visible = visibleText(html)
  const text = [title, visible, ...spokenTexts(html), ...wordsIn(meta)].join('\n')
  const addresses = policy.domains || policy.spam ? addressesIn(html, [...inMeta, ...(featuredImage ? [featuredImage] : [])]) : []
  const links = addresses.length > 0 ? countForeign(addresses, new URL(ctx.services.origin()).hostname) : 0
  const newcomer = policy.spam || (policy.domains !== null && links > NEWCOMER_LINKS) ? await isNewcomer(ctx, author.id) : false
  const spam = policy.spam ? await judgeSpam(ctx, what, visible, links, newcomer) : null
  if (spam) return spam
  const word = findWord(policy, text)
  if (word) return word
  const domain = policy.domains ? findBlockedDomain(text, addresses, policy.domains) : null
  if (domain) return { status: 'pending', reason: 'domain', details: { domain } }
  if (policy.domains && newcomer && links > NEWCOMER_LINKS) return { status: 'pending', reason: 'links', details: { links } }
  return rule
}
