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
/** What is put in behind: the feed above the list, and how long it took. */
const NOTHING_ABOVE = 'null'
const TIME = ',"execution_time":0}'

/** The JSON of an answer around its feeds, with nothing above them and without its time. */
const around = ({ page, per_page, byCursor, shown, total, has_more, next_cursor }: Frame): [head: string, end: string] => {
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
  if (!rest.endsWith(NOTHING_ABOVE + TIME)) throw new Error('a list of feeds does not end with what stands above it and its time')
  return [head, rest.slice(0, -TIME.length)]
}

/** What every answer begins with. */
export const headOf = lazy(
  () => around({ page: 1, per_page: 10, byCursor: false, shown: 0, total: 0, has_more: false, next_cursor: null })[0],
)

/** What stands behind the feeds of a page; `nothingAbove`: as far as its time, otherwise as far as the feed above them. */
export const endOf = (frame: Frame, nothingAbove: boolean): string => {
  const [, end] = around(frame)
  return nothingAbove ? end : end.slice(0, -NOTHING_ABOVE.length)
}
