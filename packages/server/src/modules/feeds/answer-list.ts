import type { api, ResponseOf } from '@lyceum/contract'
import type { AskedRead } from '../../platform/context.ts'
import { type Fragment, type SentAnswer, sentAgain, withItems } from '../../platform/http/fragments.ts'
import type { Input } from '../../platform/http/handlers.ts'
import { pageOf } from '../../platform/pagination.ts'
import { feedFragments, itemsOf } from './hydrate.ts'
import { type ListPage, listPage } from './list-pages.ts'
import type { FeedView } from './view.ts'

type Answer = ResponseOf<typeof api.feeds.list>
type Query = Input<typeof api.feeds.list>['query']

/** Most answers that are kept as they were sent, and their bytes. */
const KEPT = 2000
const KEPT_BYTES = 12 * 2 ** 20

/** Pages that were asked for lately, by key: a page that nobody asks for again soon is not worth its memory. */
const LATELY = 256

/** An answer, and what it was made from: while that is the same, so is the answer. */
interface Kept {
  readonly page: object
  readonly parts: readonly (Fragment | undefined)[]
  readonly sent: SentAnswer
}

const secondsSince = (startedAt: number) => Math.round((performance.now() - startedAt) * 100) / 100_000

const isOf = (kept: Kept, page: object, parts: Kept['parts']): boolean =>
  kept.page === page && kept.parts.every((part, i) => part === parts[i])

const viewSticky = ({ sticky }: ListPage, part: Fragment | undefined): FeedView | null => {
  const [json] = sticky ? itemsOf([sticky], [part]) : []
  return json ? (JSON.parse(String(json)) as FeedView) : null
}

/** A page of a list of feeds. One that is asked for again, while nothing on it has changed, is sent as it was. */
export const answerList = async (ctx: AskedRead, query: Query): Promise<Answer> => {
  const { caches } = ctx.services
  const since = caches.now()
  const { page: found, kept } = await listPage(ctx, query, since)
  const { items, total, has_more, next_cursor, sticky } = found
  // The pinned feed comes last.
  const parts = await feedFragments(ctx, sticky ? [...items, sticky] : items, since)
  const answers = caches.of<Kept>('feed-answers', KEPT, 'content', KEPT_BYTES)
  const earlier = kept ? answers.get(kept.key, since) : undefined
  const execution_time = secondsSince(ctx.request.startedAt)
  if (kept && earlier && isOf(earlier, kept.same, parts)) return sentAgain(earlier.sent, execution_time)

  const { page = 1, per_page = 10 } = query
  const { limit, offset } = pageOf({ page, per_page })
  const isCounted = items.length > 0 && !query.cursor
  const answer: Answer = {
    feeds: {
      data: [],
      current_page: page,
      per_page: limit,
      from: isCounted ? offset + 1 : null,
      to: isCounted ? offset + items.length : null,
      has_more,
      total,
      next_cursor,
    },
    sticky: viewSticky(found, parts[items.length]),
    execution_time,
  }
  const lately = caches.of<true>('feed-pages-lately', LATELY, 'content')
  const isAgain = kept !== null && lately.get(kept.key, since) === true
  if (kept && !isAgain) lately.set(kept.key, true, [], since)
  const keep = (sent: SentAnswer) => {
    // The parts are counted too, since they stay with it.
    if (kept) answers.set(kept.key, { page: kept.same, parts, sent }, [], since, null, 2 * sent.beginning.length)
  }
  return withItems(answer, 'data', itemsOf(items, parts), isAgain ? keep : undefined)
}
