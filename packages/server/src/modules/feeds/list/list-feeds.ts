import type { api, ResponseOf } from '@lyceum/contract'
import { joinItems, secondsSince, sentWithEnd } from '../../../cache/json-fragments.ts'
import { sameAnswers } from '../../../cache/shared-response-cache.ts'
import type { ReadRequest } from '../../../core/context.ts'
import type { Input } from '../../../http/pipeline/route-handlers.ts'
import { feedFragments, feedJson } from '../feed-json-cache.ts'
import { headOf } from './envelope.ts'
import { listPage } from './page-cache.ts'

type Answer = ResponseOf<typeof api.feeds.list>
type Query = Input<typeof api.feeds.list>['query']

/** Response bodies of pages, shared by all callers who are shown the same feeds, even if the lengths of their lists differ. */
const responseCache = sameAnswers('feed-answers', { entries: 2000, bytes: 24 * 2 ** 20 })

/** Responds with a page of feeds. Reuses the serialized page until one of its feeds changes. */
export const respondWithList = async (ctx: ReadRequest, query: Query): Promise<Answer> => {
  const since = ctx.services.caches.now()
  const { items, contentKey, sticky, end } = await listPage(ctx, query, since)
  // The pinned feed is the last item.
  const all = await feedFragments(ctx, sticky ? [...items, sticky] : items, since)
  const parts = sticky ? all.slice(0, -1) : all
  const sent = responseCache(ctx, { key: contentKey, parts }, () => joinItems(headOf(), feedJson(items, parts)))
  const [above = 'null'] = sticky ? feedJson([sticky], all.slice(-1)) : []
  return sentWithEnd(sent, sticky ? end + String(above) : end, secondsSince(ctx.request.startedAt))
}
