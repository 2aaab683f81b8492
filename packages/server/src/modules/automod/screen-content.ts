import {
  altTexts,
  countExternal,
  findBlockedDomain,
  firstWord,
  isSpam,
  spamPoints,
  textsIn,
  urlsIn,
  visibleText,
  wordsIn,
} from '@lyceum/content/automod'
import type { QueueReason } from '@lyceum/contract'
import { isStaffEverywhere } from '../../auth/authenticate.ts'
import { shift } from '../../core/clock.ts'
import type { Actor, ReadContext } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { type Db, statement, statementOne } from '../../db/index.ts'
import { isInactive, type Policy, policyOf } from './policy-cache.ts'

export interface ModerationHold {
  readonly status: 'pending' | 'spam'
  readonly reason: QueueReason
  readonly details: Readonly<Record<string, unknown>>
}

export interface ScreeningInput {
  readonly kind: 'feed' | 'comment'
  /** The id of the row; undefined if it does not exist yet. */
  readonly id?: number
  readonly author: Pick<Actor, 'id' | 'role' | 'permissions' | 'managedSpaces'>
  /** The author moderates at this location, so the content is not screened. */
  readonly moderates: boolean
  /** It becomes visible for the first time. Otherwise it is an edit, and rules that hold all new content do not apply. */
  readonly appears: boolean
  readonly html: string
  readonly meta: object
  readonly title?: string
  /** Further texts that readers see, the title included. */
  readonly texts?: readonly (string | null)[]
  /** URLs outside of the HTML and the meta. */
  readonly addresses?: readonly (string | null)[]
}

const DAY_S = 24 * 3600
/** Members are newcomers if they joined within this time and have not posted more than this. */
const NEWCOMER_S = 3 * DAY_S
const NEWCOMER_POSTS = 3
const NEWCOMER_LINKS = 2
/** How much of the author's latest content is compared and counted. */
const MAX_FEEDS = 10
const MAX_COMMENTS = 20

const authorOf = statementOne<{ created_at: string; pieces: number }>(
  `select u.created_at, (select count(*) from (select 1 as one from feeds f where f.user_id = u.id and f.listed = 1 limit ${NEWCOMER_POSTS + 1}) k)
    + (select count(*) from (select 1 as one from comments c where c.user_id = u.id and c.status = 'published' limit ${NEWCOMER_POSTS + 1}) k) as pieces
   from users u where u.id = $1`,
)
interface EarlierContent {
  readonly id: number
  readonly html: string
  readonly created_at: string
}

const feedsWhere = (standing: string) =>
  statement<EarlierContent>(
    `select id, message_rendered as html, published_at as created_at from feeds where user_id = $1 and ${standing} and published_at > $2
     order by published_at desc, id desc limit ${MAX_FEEDS}`,
  )
const listedFeeds = feedsWhere('listed = 1')
const spamFeeds = feedsWhere(`status = 'spam'`)
const commentsOf = statement<EarlierContent>(
  `select id, message_rendered as html, created_at from comments where user_id = $1 and created_at > $2
   order by created_at desc, id desc limit ${MAX_COMMENTS}`,
)

const isNewcomer = async ({ db, now }: ScreeningContext, userId: number): Promise<boolean> => {
  const author = await authorOf(db, [userId])
  return author !== undefined && author.created_at > shift(now, -NEWCOMER_S) && author.pieces <= NEWCOMER_POSTS
}

type ScreeningContext = Pick<ReadContext, 'db' | 'now' | 'services' | 'snapshot'>

/** The author's content of the last day, without the screened content itself. */
const earlierOf = async (db: Db, { author, kind, id }: ScreeningInput, since: string) => {
  const values = [author.id, since]
  const others = (list: readonly EarlierContent[], of: ScreeningInput['kind']) => list.filter((row) => kind !== of || row.id !== id)
  const feeds = [...(await listedFeeds(db, values)), ...(await spamFeeds(db, values))]
  return [...others(feeds, 'feed'), ...others(await commentsOf(db, values), 'comment')]
}

const findWord = ({ words }: Policy, text: string): ModerationHold | null => {
  const word = words?.find(text) ?? null
  return word === null ? null : { status: 'pending', reason: 'word', details: { word } }
}

const checkSpam = async (
  ctx: ScreeningContext,
  what: ScreeningInput,
  text: string,
  links: number,
  newcomer: boolean,
): Promise<ModerationHold | null> => {
  const earlier = await earlierOf(ctx.db, what, shift(ctx.now, -DAY_S))
  const minute = shift(ctx.now, -60)
  const head = firstWord(what.html)
  const points = spamPoints({
    ...(what.title && { title: what.title }),
    text,
    links,
    earlier: earlier.filter(({ html }) => firstWord(html) === head).map(({ html }) => visibleText(html)),
    recentCount: earlier.filter(({ created_at }) => created_at > minute && created_at <= ctx.now).length,
    newcomer,
  })
  if (!isSpam(points)) return null
  const found = Object.fromEntries(Object.entries(points).filter(([, value]) => value > 0))
  return { status: 'spam', reason: 'spam', details: { points: found } }
}

/**
 * The reason why content about to become visible must wait; null if it can be published. Called inside the write, and only for content to
 * be published: drafts and scheduled feeds are screened when they are due.
 */
export const screen = async (ctx: ScreeningContext, what: ScreeningInput): Promise<ModerationHold | null> => {
  const policy = await policyOf(ctx)
  const { author, kind, html, meta, texts = [] } = what
  if (isInactive(policy) || what.moderates || author.role === 'admin' || isStaffEverywhere(author) || policy.trusted.has(author.id))
    return null
  const rule: ModerationHold | null = what.appears && policy.holdAll[kind] ? { status: 'pending', reason: 'rule', details: {} } : null
  if (!policy.words && !policy.domains && !policy.spam) return rule

  const inMeta = textsIn(meta)
  const visible = visibleText(html)
  const text = [...texts, visible, ...altTexts(html), ...wordsIn(meta)].join('\n')
  const addresses = policy.domains || policy.spam ? urlsIn(html, [...inMeta, ...(what.addresses ?? []).flatMap((url) => url || [])]) : []
  const links = addresses.length > 0 ? countExternal(addresses, new URL(ctx.services.origin()).hostname) : 0
  const newcomer = policy.spam || (policy.domains !== null && links > NEWCOMER_LINKS) ? await isNewcomer(ctx, author.id) : false
  const spam = policy.spam ? await checkSpam(ctx, what, visible, links, newcomer) : null
  if (spam) return spam
  const word = findWord(policy, text)
  if (word) return word
  const domain = policy.domains ? findBlockedDomain(text, addresses, policy.domains) : null
  if (domain) return { status: 'pending', reason: 'domain', details: { domain } }
  if (policy.domains && newcomer && links > NEWCOMER_LINKS) return { status: 'pending', reason: 'links', details: { links } }
  return rule
}

type Author = Pick<Actor, 'id' | 'role' | 'permissions' | 'managedSpaces'>

/**
 * Refuses blocked words and domains in texts that cannot be held for moderation: names, biographies, titles, file names. `fields` maps
 * field names to texts; `author` is null during registration.
 * @throws invalid_data with the field
 */
export const assertNotBlocked = async (
  ctx: Pick<ReadContext, 'db' | 'services' | 'snapshot'>,
  author: Author | null,
  fields: Readonly<Record<string, string | null | undefined>>,
): Promise<void> => {
  const { words, domains, trusted } = await policyOf(ctx)
  if (!words && !domains) return
  if (author && (author.role === 'admin' || isStaffEverywhere(author) || trusted.has(author.id))) return
  for (const [field, text] of Object.entries(fields)) {
    if (!text) continue
    if (words?.find(text) != null) throw invalidField(field, 'contains a word that is not allowed')
    if (domains && findBlockedDomain(text, urlsIn('', [text]), domains) !== null)
      throw invalidField(field, 'contains a link that is not allowed')
  }
}
