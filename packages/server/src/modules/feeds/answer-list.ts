import type { api, ResponseOf } from '@lyceum/contract'
import type { AskedRead } from '../../platform/context.ts'
import { type Fragment, type Keep, secondsSince, withItems } from '../../platform/http/fragments.ts'
import type { Input } from '../../platform/http/handlers.ts'
import { sameAnswers } from '../../platform/http/same-answers.ts'
import { pageOf } from '../../platform/pagination.ts'
import { feedFragments, feedJson } from './hydrate.ts'
import { type ListPage, listPage } from './list-pages.ts'
import type { FeedView } from './view.ts'

type Answer = ResponseOf<typeof api.feeds.list>
type Query = Input<typeof api.feeds.list>['query']

/** Pages that are kept as they are sent, for all callers who are shown the same. */
const again = sameAnswers('feed-answers', { entries: 2000, bytes: 24 * 2 ** 20, timed: true })

const viewSticky = ({ sticky }: ListPage, part: Fragment | undefined): FeedView | null => {
  const [json] = sticky ? feedJson([sticky], [part]) : []
  return json ? (JSON.parse(String(json)) as FeedView) : null
}

const makeAnswer = (
  ctx: AskedRead,
  query: Query,
  found: ListPage,
  parts: readonly (Fragment | undefined)[],
  keep: Keep | undefined,
): Answer => {
  const { items, total, has_more, next_cursor } = found
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
    execution_time: secondsSince(ctx.request.startedAt),
  }
  return withItems(answer, 'data', feedJson(items, parts), keep)
}

/** A page of a list of feeds. One that is asked for again, while nothing on it has changed, is sent as it was. */
export const answerList = async (ctx: AskedRead, query: Query): Promise<Answer> => {
  const since = ctx.services.caches.now()
  const { page, shows } = await listPage(ctx, query, since)
  // The pinned feed comes last.
  const parts = await feedFragments(ctx, page.sticky ? [...page.items, page.sticky] : page.items, since)
  return again(ctx, { key: shows, parts }, (keep) => makeAnswer(ctx, query, page, parts, keep))
}
