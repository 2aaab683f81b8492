import { api } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { splitAt } from '../../../cache/json-fragments.ts'
import { pageOf } from '../../../core/pagination.ts'
import { lazy } from '../../../util/lazy.ts'

interface Frame {
  readonly page: number
  readonly per_page: number
  readonly byCursor: boolean
  readonly shown: number
  readonly total: number
  readonly has_more: boolean
  readonly next_cursor: string | null
}

const serializer = lazy(() => fastJsonStringify(api.feeds.list.response as object))
/** The end of the serialized response: the pinned feed and the execution time, which differ from request to request. */
const NO_STICKY = 'null'
const TIME = ',"execution_time":0}'

/** Serializes the response without feeds and splits it where they belong, without a pinned feed and before the execution time. */
const renderEnvelope = ({ page, per_page, byCursor, shown, total, has_more, next_cursor }: Frame): [head: string, end: string] => {
  const { limit, offset } = pageOf({ page, per_page })
  const isCounted = shown > 0 && !byCursor
  const feeds = {
    data: [],
    current_page: page,
    per_page: limit,
    from: isCounted ? offset + 1 : null,
    to: isCounted ? offset + shown : null,
    has_more,
    total,
    next_cursor,
  }
  const [head, rest] = splitAt(serializer()({ feeds, sticky: null, execution_time: 0 }), 'data')
  if (!rest.endsWith(NO_STICKY + TIME)) throw new Error('a list of feeds does not end with what stands above it and its time')
  return [head, rest.slice(0, -TIME.length)]
}

/** Start of every response. */
export const headOf = lazy(
  () => renderEnvelope({ page: 1, per_page: 10, byCursor: false, shown: 0, total: 0, has_more: false, next_cursor: null })[0],
)

/** The part after the feeds: up to the execution time if there is no pinned feed, else up to the pinned feed. */
export const tailOf = (frame: Frame, withoutSticky: boolean): string => {
  const [, end] = renderEnvelope(frame)
  return withoutSticky ? end : end.slice(0, -NO_STICKY.length)
}
