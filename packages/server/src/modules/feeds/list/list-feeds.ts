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

/** The feeds of pages as they are sent, for all callers who are shown the same ones, however many more each of them may see. */
const again = sameAnswers('feed-answers', { entries: 2000, bytes: 24 * 2 ** 20 })

/** A page of a list of feeds. Its feeds are sent as they were before, as long as nothing about them has changed. */
export const answerList = async (ctx: ReadRequest, query: Query): Promise<Answer> => {
  const since = ctx.services.caches.now()
  const { items, shows, sticky, end } = await listPage(ctx, query, since)
  // The pinned feed comes last.
  const all = await feedFragments(ctx, sticky ? [...items, sticky] : items, since)
  const parts = sticky ? all.slice(0, -1) : all
  const sent = again(ctx, { key: shows, parts }, () => joinItems(headOf(), feedJson(items, parts)))
  const [above = 'null'] = sticky ? feedJson([sticky], all.slice(-1)) : []
  return sentWithEnd(sent, sticky ? end + String(above) : end, secondsSince(ctx.request.startedAt))
}
