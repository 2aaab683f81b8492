import { basic } from '#test/media.ts'
import { rawGet } from '#test/raw-get.ts'
import type { RawAnswer, World } from '#test/world.ts'
import { type Community, type Secret, TOKEN } from './community.ts'
import { type CrawlRequest, crawlRequestsOf } from './requests.ts'
import { type ActorName, seesComment, seesResults } from './rules.ts'

/** A response that should have been different. */
export interface Fault {
  readonly actor: ActorName
  readonly request: string
  readonly what: string
  /** The kind of leak, if any. */
  readonly sort?: Secret['sort'] | 'results' | 'reference'
}

export interface Crawl {
  readonly faults: readonly Fault[]
  /** Secrets seen by someone who may see them. */
  readonly met: ReadonlySet<string>
  readonly requests: number
  readonly compared: number
}

const AT_ONCE = 24
const MOST_PAGES = 2000
/** Membership in the community is public, in a space not: names may appear here unless a space is queried. */
const DIRECTORY = new Set(['members.list', 'members.active', 'members.newest', 'members.topContributors', 'leaderboard.list'])
const isDirectory = ({ id, query }: CrawlRequest) =>
  id === 'spaceMembers.searchUsers' || (DIRECTORY.has(id) && !('space_id' in query) && !('space' in query))
/** Headers that depend on the time or the caller's budget. */
const PASSING = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'connection', 'keep-alive'])

type Send = (path: string) => Promise<RawAnswer>

const addressOf = (path: string, query: Readonly<Record<string, string>>) => {
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

const headersOf = ({ headers }: RawAnswer) => [...headers].filter(([name]) => !PASSING.has(name)).map((header) => header.join(': '))

interface Pages {
  readonly total?: number
  readonly items: number
  readonly more: boolean
}

/** Paging information of a response, in any of the API's three forms. */
const pagesOf = (body: Record<string, unknown>, page: number): Pages | null => {
  const lists = [body, ...Object.values(body)].filter(
    (value): value is Record<string, unknown> => value !== null && typeof value === 'object',
  )
  for (const list of lists) {
    const { data, total, has_more, last_page, per_page } = list as Partial<Record<string, number>> & { data?: unknown; has_more?: boolean }
    if (!Array.isArray(data) || total === undefined) continue
    return { total, items: data.length, more: has_more ?? page < (last_page ?? Math.ceil(total / (per_page ?? total))) }
  }
  const meta = (body['pagination'] ?? body['meta']) as { total?: number; total_pages?: number } | undefined
  const items = Object.values(body).find(Array.isArray)
  if (!items) return null
  if (meta?.total === undefined) return { items: items.length, more: false }
  return { total: meta.total, items: items.length, more: page < (meta.total_pages ?? 0) }
}

/** Surveys in a response, with their feeds. */
function* surveysIn(value: unknown): Generator<{ feed: number; total: unknown }> {
  if (value === null || typeof value !== 'object') return
  const { id, meta } = value as { id?: number; meta?: { survey?: { total_votes?: unknown } } }
  if (id !== undefined && meta?.survey) yield { feed: id, total: meta.survey.total_votes }
  for (const part of Object.values(value)) yield* surveysIn(part)
}

/** All text in a response, including decoded cursors. */
const textsOf = (answer: RawAnswer): string => {
  const cursors = [...answer.text.matchAll(/"next_cursor":"([^"]+)"/g)].map(([, cursor]) =>
    Buffer.from(cursor ?? '', 'base64url').toString(),
  )
  return [answer.text, ...headersOf(answer), ...cursors].join('\n')
}

/**
 * Sends every request, or every n-th, as one actor, and checks each response against the rules of `as`: no forbidden word, a 404 like that of a missing
 * object for anything hidden, and totals that match the visible items.
 */
export const crawl = async (
  world: World,
  community: Community,
  actor: ActorName,
  { as = actor, every = 1, atOnce = AT_ONCE }: { readonly as?: ActorName; readonly every?: number; readonly atOnce?: number } = {},
): Promise<Crawl> => {
  const faults: Fault[] = []
  const met = new Set<string>()
  let requests = 0
  let compared = 0
  const { tokensIn = (text: string) => text.match(TOKEN) ?? [] } = community
  const who = actor === 'anonymous' ? null : community.people[actor]
  const send: Send = (path) => {
    requests += 1
    return rawGet(world.base + path, who ? basic(who) : {})
  }
  const missing = new Map<string, Promise<RawAnswer>>()
  const missingAnswer = (path: string) => {
    const known = missing.get(path) ?? send(path)
    missing.set(path, known)
    return known
  }

  const lookAt = (ask: CrawlRequest, address: string, answer: RawAnswer) => {
    for (const token of new Set(tokensIn(textsOf(answer)))) {
      // Input may be echoed, such as in the links of a list.
      if (address.includes(token)) continue
      const secret = community.secrets.get(token)
      if (!secret || (secret.name && isDirectory(ask))) continue
      const { of, sort, on } = secret
      if (!secret.seenBy(as)) faults.push({ actor, request: address, what: `tells ${of}`, sort })
      else if (on && !on.includes(ask.id)) faults.push({ actor, request: address, what: `tells ${of} where it is no matter`, sort })
      else met.add(token)
    }
    for (const { feed: id, total } of surveysIn(answer.body)) {
      const feed = community.feeds.find((one) => one.id === id)
      const may = feed?.survey !== undefined && seesResults(as, feed, feed.survey, as === 'member')
      if ((total === null) === may) faults.push({ actor, request: address, what: `results of survey ${id}: ${total}`, sort: 'results' })
    }
    for (const [, id] of answer.text.matchAll(/comment_id=(\d+)/g)) {
      const comment = community.comments.find((one) => one.id === Number(id))
      if (comment && !seesComment(as, comment)) faults.push({ actor, request: address, what: `refers to comment ${id}`, sort: 'reference' })
    }
  }

  const compare = async ({ missing: path, query, exists, empty }: CrawlRequest, address: string, answer: RawAnswer) => {
    if (!path || !exists) return
    if (exists(as)) {
      if (answer.status === 404 && !empty) faults.push({ actor, request: address, what: 'is not there' })
      return
    }
    const other = await missingAnswer(addressOf(path, query))
    compared += 1
    const [one, two] = [answer, other].map((each) => [each.status, each.text, ...headersOf(each)].join('\n'))
    if (one !== two) faults.push({ actor, request: address, what: 'is answered otherwise than what does not exist' })
  }

  const askAll = async (ask: CrawlRequest) => {
    let items = 0
    for (let page = 1; page <= MOST_PAGES; page++) {
      const address = addressOf(ask.path, page === 1 ? ask.query : { ...ask.query, page: String(page) })
      const answer = await send(address)
      if (answer.status >= 500) faults.push({ actor, request: address, what: `answers ${answer.status}` })
      lookAt(ask, address, answer)
      if (page === 1) await compare(ask, address, answer)
      const pages = answer.status === 200 && answer.body ? pagesOf(answer.body, page) : null
      if (!pages) return
      items += pages.items
      if (pages.more) continue
      if (pages.total !== undefined && pages.total !== items)
        faults.push({ actor, request: address, what: `counts ${pages.total}, shows ${items}` })
      return
    }
    faults.push({ actor, request: ask.path, what: 'has no end' })
  }

  const left = crawlRequestsOf(community).filter((_, i) => i % every === 0)
  const lane = async () => {
    for (let ask = left.pop(); ask; ask = left.pop()) await askAll(ask)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return { faults, met, requests, compared }
}
