import { MAX_ID } from '@lyceum/contract'
import { normalizeDatetime } from './clock.ts'
import { invalidParameter } from './errors.ts'

/** Query parameters of `paging()` in the contract, with defaults applied. */
export interface PageQuery {
  readonly page?: number
  readonly per_page?: number
}

const withDefaults = ({ page = 1, per_page: perPage = 20 }: PageQuery) => ({ page, perPage })

export const pageOf = (query: PageQuery): { limit: number; offset: number } => {
  const { page, perPage } = withDefaults(query)
  return { limit: perPage, offset: Math.min((page - 1) * perPage, MAX_ID) }
}

const timeOf = (name: string, value: string | undefined): string | undefined => {
  if (value === undefined) return undefined
  const time = normalizeDatetime(value)
  if (!time) throw invalidParameter(name, 'must be a valid date and time')
  return time
}

/** What a list is limited to. */
export interface NewSince {
  readonly since?: string | undefined
  readonly updatedSince?: string | undefined
}

/** The times of `newSince()` in the contract in their stored form. @throws invalid_parameter */
export const newSinceOf = (query: { readonly since?: string; readonly updated_since?: string }): NewSince => ({
  since: timeOf('since', query.since),
  updatedSince: timeOf('updated_since', query.updated_since),
})

/** From this offset on, it is cheaper to find the ids of the rows first. */
export const FAR = 500

/**
 * Reads the same page from the nearer end of a list of `total` rows, because preceding rows are read and discarded. If `reversed`, read the
 * list in the opposite direction and reverse the rows.
 */
export const fromNearerEnd = ({ limit, offset }: { readonly limit: number; readonly offset: number }, total: number) => {
  if (offset < FAR || offset <= total / 2) return { limit, offset, reversed: false }
  const left = Math.max(0, total - offset)
  const shown = Math.min(limit, left)
  return { limit: shown, offset: left - shown, reversed: true }
}

export const pagination = (total: number, page = 1, perPage = 20) => ({
  total,
  per_page: perPage,
  current_page: page,
  total_pages: Math.ceil(total / perPage),
})

/** Linked pages on each side of the current one. */
const NEIGHBOURS = 3

/** Numbers of the linked pages in order; null stands for a gap. */
const linkedPages = (current: number, last: number): (number | null)[] => {
  const wanted = new Set([1, last])
  for (let page = Math.max(1, current - NEIGHBOURS); page <= Math.min(last, current + NEIGHBOURS); page++) wanted.add(page)
  const pages = [...wanted].sort((a, b) => a - b)
  return pages.flatMap((page, i) => (i > 0 && page - (pages[i - 1] ?? 0) > 1 ? [null, page] : [page]))
}

/**
 * The full paginator object. `url` is the absolute URL of the list without its query (`ctx.request.url`); the links keep the other
 * parameters of `query`. `rows` are those of this page, `total` counts all pages.
 */
export const paginator = <Row>(url: string, query: PageQuery & Readonly<Record<string, unknown>>, rows: readonly Row[], total: number) => {
  const { page, perPage } = withDefaults(query)
  const { limit, offset } = pageOf(query)
  const last = Math.max(1, Math.ceil(total / limit))
  const others = Object.entries(query).filter(([name, value]) => name !== 'page' && value !== undefined && value !== null)
  const linkTo = (number: number) => {
    const search = new URLSearchParams(others.map(([name, value]): [string, string] => [name, String(value)]))
    search.set('page', String(number))
    return `${url}?${search}`
  }
  const previous = page > 1 ? linkTo(Math.min(page - 1, last)) : null
  const next = page < last ? linkTo(page + 1) : null
  return {
    current_page: page,
    data: [...rows],
    first_page_url: linkTo(1),
    from: rows.length > 0 ? offset + 1 : null,
    last_page: last,
    last_page_url: linkTo(last),
    links: [
      { url: previous, label: 'Previous', active: false },
      ...linkedPages(page, last).map((number) =>
        number === null
          ? { url: null, label: '…', active: false }
          : { url: linkTo(number), label: String(number), active: number === page },
      ),
      { url: next, label: 'Next', active: false },
    ],
    next_page_url: next,
    path: url,
    per_page: perPage,
    prev_page_url: previous,
    to: rows.length > 0 ? offset + rows.length : null,
    total,
  }
}
