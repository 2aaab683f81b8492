import { createHttp } from '../../http.ts'
import { UnreadableSource } from '../../source.ts'

export type Json = unknown
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectAt = (value: Json, name: string): JsonObject => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}
export const listAt = (value: Json, name: string): JsonObject[] => {
  const found = isObject(value) ? value[name] : undefined
  return Array.isArray(found) ? found.filter(isObject) : []
}

/** REST API client of a site, with an administrator's account. */
export interface RestApi {
  /** The response of a path below `/wp-json`; null if it does not exist. @throws UnreadableSource if the site rejects the account */
  readonly get: (path: string, query?: Readonly<Record<string, string | number>>) => Promise<Json>
  /** The items of all pages of a list; `name` is the response property that contains the page. */
  readonly pages: (path: string, name: string, query?: Readonly<Record<string, string | number>>) => AsyncGenerator<JsonObject[]>
}

const MOST_BYTES = 64 * 1024 * 1024
const PER_PAGE = 100
/** Guards against broken sites whose lists never end. */
const MOST_PAGES = 100_000

const parsed = (body: string): Json => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** `password` is an application password. */
export const openRestApi = async (address: string, user: string, password: string): Promise<RestApi> => {
  const site = address.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  const http = createHttp({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` })
  let isPretty = true

  const urlOf = (path: string, query: Readonly<Record<string, string | number>>): string => {
    const parameters = new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))
    if (!isPretty) return `${site}/?${new URLSearchParams({ rest_route: path })}&${parameters}`
    return `${site}/wp-json${path}${parameters.size > 0 ? `?${parameters}` : ''}`
  }

  const request = async (path: string, query: Readonly<Record<string, string | number>>) => {
    const { status, body } = await http.get(urlOf(path, query), MOST_BYTES)
    return { status, value: parsed(body) }
  }

  const get: RestApi['get'] = async (path, query = {}) => {
    const { status, value } = await request(path, query)
    if (status === 401 || status === 403) {
      const message = isObject(value) && typeof value['message'] === 'string' ? `: ${value['message']}` : ''
      throw new UnreadableSource(
        `${site} denies ${user} access to ${path}${message}. The account must be an administrator, with an application password.`,
      )
    }
    if (status >= 500) throw new UnreadableSource(`${site} answered ${path} with ${status}.`)
    return status < 400 && value !== undefined ? value : null
  }

  // Sites without permalinks serve the API through a query parameter.
  if ((await request('/', {}).catch(() => null))?.value === undefined) {
    isPretty = false
    if ((await request('/', {}).catch(() => null))?.value === undefined) isPretty = true
  }

  return {
    get,
    pages: async function* (path, name, query = {}) {
      for (let page = 1; page <= MOST_PAGES; page++) {
        const answer = await get(path, { ...query, page, per_page: PER_PAGE })
        const list = Array.isArray(answer) ? { data: answer } : objectAt(answer, name)
        const items = listAt(list, 'data')
        if (items.length > 0) yield items
        const last = Number(list['last_page'])
        const isLast = 'has_more' in list ? list['has_more'] !== true : Number.isFinite(last) ? page >= last : items.length < PER_PAGE
        if (isLast || items.length === 0) return
      }
    },
  }
}
