import type { Route } from '@lyceum/contract'
import type { Body } from '../../cache/json-fragments.ts'

const TOTAL = '"total":'
const NEXT_CURSOR = /"next_cursor":"([^"]+)"/

const LONGEST = 16

const numberAfter = (text: string | Buffer, at: number): number | null => {
  if (at < 0) return null
  const start = at + TOTAL.length
  return Number.parseInt(String(text.slice(start, start + LONGEST)), 10)
}

/**
 * The total of a list, from its JSON: cached responses exist only as bytes. Quotes inside of strings are escaped, so this finds names only.
 * What a list says about itself follows its items, or is the beginning of the end that was not cached.
 */
const totalIn = ({ pieces, text }: Body): number | null => {
  if (!pieces) {
    const whole = String(text())
    return numberAfter(whole, whole.lastIndexOf(TOTAL))
  }
  const [beginning, end] = pieces
  return numberAfter(end, end.indexOf(TOTAL)) ?? numberAfter(beginning, beginning.lastIndexOf(TOTAL))
}

/** Characters that a URL in a header cannot contain. */
const escaped = (text: string) =>
  text.replace(/[^\x21-\x7e]|[<>"]/g, (char) => `%${(char.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`)

const header = (links: readonly (readonly [rel: string, url: string])[]) => links.map(([rel, url]) => `<${url}>; rel="${rel}"`).join(', ')

interface Asked {
  /** Absolute, without its query. */
  readonly url: string
  /** The query as it was sent, without its question mark. */
  readonly search: string
  readonly query: Readonly<Record<string, unknown>>
}

const linksOf = ({ url, search, query }: Asked, body: Body): string | null => {
  const others = search.split('&').filter((pair) => pair !== '' && !/^(?:page|cursor)(?:=|$)/.test(pair))
  const linkTo = (place: string) => `${url}?${escaped([...others, place].join('&'))}`
  if (query['cursor'] !== undefined) {
    const next = NEXT_CURSOR.exec(body.pieces?.[1] ?? '')?.[1]
    return header([['first', linkTo('page=1')], ...(next ? [['next', linkTo(`cursor=${next}`)] as const] : [])])
  }
  const total = totalIn(body)
  const [page, perPage] = [Number(query['page']), Number(query['per_page'])]
  if (total === null || !(perPage > 0)) return null
  const last = Math.max(1, Math.ceil(total / perPage))
  return header([
    ['first', linkTo('page=1')],
    ...(page > 1 ? [['prev', linkTo(`page=${Math.min(page - 1, last)}`)] as const] : []),
    ...(page < last ? [['next', linkTo(`page=${page + 1}`)] as const] : []),
    ['last', linkTo(`page=${last}`)],
  ])
}

/** The header of cached responses, for the latest request of each. */
const known = new WeakMap<object, Pick<Asked, 'url' | 'search'> & { readonly links: string | null }>()

/** Builds the `Link` header (RFC 8288) of a list with pages; null for other operations. */
export const pageLinksOf = ({ query: schema }: Route) => {
  if (!schema || !Object.hasOwn(schema.properties, 'page')) return null
  return (asked: Asked, body: Body): string | null => {
    const { url, search } = asked
    const found = body.packed && known.get(body.packed)
    if (found?.search === search && found.url === url) return found.links
    const links = body.chunks ? null : linksOf(asked, body)
    if (body.packed) known.set(body.packed, { url, search, links })
    return links
  }
}
