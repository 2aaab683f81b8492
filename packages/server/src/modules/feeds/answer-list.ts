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

/** An answer, and what it was made from: while that is the same, so is the answer. */
interface Kept {
  readonly page: ListPage
  readonly parts: readonly (Fragment | undefined)[]
  readonly sent: SentAnswer
}

const secondsSince = (startedAt: number) => Math.round((performance.now() - startedAt) * 100) / 100_000

const isOf = (kept: Kept, page: ListPage, parts: Kept['parts']): boolean =>
  kept.page === page && kept.parts.every((part, i) => part === parts[i])

const viewSticky = ({ sticky }: ListPage, part: Fragment | undefined): FeedView | null => {
  const [json] = sticky ? itemsOf([sticky], [part]) : []
  return json ? (JSON.parse(String(json)) as FeedView) : null
}

/** A page of a list of feeds. One that is asked for again, while nothing on it has changed, is sent as it was. */
export const answerList = async (ctx: AskedRead, query: Query): Promise<Answer> => {
  const { caches } = ctx.services
  const since = caches.now()
  const { page: found, key } = await listPage(ctx, query, since)
  const { items, total, has_more, next_cursor, sticky } = found
  // The pinned feed comes last.
  const parts = await feedFragments(ctx, sticky ? [...items, sticky] : items, since)
  const answers = caches.of<Kept>('feed-answers', KEPT, 'content', KEPT_BYTES)
  const kept = key === null ? undefined : answers.get(key, since)
  const execution_time = secondsSince(ctx.request.startedAt)
  if (kept && isOf(kept, found, parts)) return sentAgain(kept.sent, execution_time)

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
  const keep = (sent: SentAnswer) => {
    if (key !== null) answers.set(key, { page: found, parts, sent }, [], since)
  }
  return withItems(answer, 'data', itemsOf(items, parts), keep)
}
