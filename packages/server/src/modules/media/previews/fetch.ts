import { excerpt, isHttpUrl, siteOf } from '@lyceum/content'
import type { Infer, Preview } from '@lyceum/contract'
import { type Outbound, type OutboundAnswer, OutboundError } from '../../../outbound/index.ts'
import { decodePath } from '../../../util/decode-path.ts'
import { playerOf } from './embed-providers.ts'
import { decodePage, PAGE_BYTES, type PageMetadata, readPage } from './html-metadata.ts'

export type LinkPreview = Infer<typeof Preview>

const PAGE_REQUEST = {
  redirects: 4,
  maxBytes: PAGE_BYTES,
  cut: true,
  timeoutMs: 7000,
  headers: { accept: 'text/html,application/xhtml+xml,image/*;q=0.8' },
}
/** Together with the time in the queue, all requests of one preview must finish before an idle connection times out. */
const RETRY_REQUEST = { ...PAGE_REQUEST, timeoutMs: 4000 }
const OEMBED_REQUEST = { redirects: 2, maxBytes: 64 * 1024, timeoutMs: 3000, headers: { accept: 'application/json' } }

const TITLE_LENGTH = 200
const DESCRIPTION_LENGTH = 500
const NAME_LENGTH = 100
const MAX_DIMENSION = 10_000
const MAX_TEXT = 5000
const MAX_ADDRESS = 4096

/** One line of plain text, truncated. Markup is removed, in case a client forgets to escape it. */
const clean = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? excerpt(
        value
          .slice(0, MAX_TEXT)
          .toWellFormed()
          .replace(/<[^<>]*>?/g, ' ')
          .replace(/[\p{Cc}\p{Cf}]/gu, ' '),
        most,
      )
    : ''

const address = (value: unknown, base: string): string => {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ADDRESS || !URL.canParse(value, base)) return ''
  const { href } = new URL(value, base)
  return isHttpUrl(href) ? href : ''
}

const size = (value: unknown): number | null => {
  const number = typeof value === 'string' ? Number.parseInt(value.slice(0, 20), 10) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_DIMENSION ? number : null
}

/** Null if the request failed or the status is an error; callers do not need the reason. */
const request = async (outbound: Outbound, url: string, options: Parameters<Outbound['request']>[1]): Promise<OutboundAnswer | null> => {
  try {
    const answer = await outbound.request(url, options)
    return answer.status >= 200 && answer.status < 300 ? answer : null
  } catch (error) {
    if (error instanceof OutboundError) return null
    throw error
  }
}

/** The outbound client usually refuses plain http, and sites serving it serve https as well, so a failed request is retried with https. */
const requestPage = async (outbound: Outbound, url: URL): Promise<OutboundAnswer | null> => {
  const answer = await request(outbound, url.href, PAGE_REQUEST)
  if (answer || url.protocol === 'https:' || url.port) return answer
  return request(outbound, `https:${url.href.slice('http:'.length)}`, RETRY_REQUEST)
}

export const parseDescription = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const TYPES = ['link', 'photo', 'video', 'rich'] as const

const typeOf = (said: unknown, ogType: string): LinkPreview['type'] =>
  TYPES.find((type) => type === said) ?? (ogType.startsWith('video') ? 'video' : 'link')

export const describePage = (url: string, { meta, title, base }: PageMetadata, oembed: Record<string, unknown>): LinkPreview => {
  const { origin } = new URL(url)
  const root = address(base, url) || url
  const player = playerOf(new URL(url))
  const first = (...names: string[]) => names.map((name) => meta.get(name)).find((value) => value)
  const image = first('og:image:secure_url', 'og:image:url', 'og:image', 'twitter:image', 'twitter:image:src')
  return {
    type: player ? 'video' : typeOf(oembed['type'], first('og:type') ?? ''),
    // Never taken from the page: a link must not be able to pose as another site.
    provider_name: player?.provider ?? siteOf(url),
    provider_url: origin,
    title: clean(oembed['title'], TITLE_LENGTH) || clean(first('og:title', 'twitter:title') ?? title, TITLE_LENGTH),
    description: clean(first('og:description', 'twitter:description', 'description'), DESCRIPTION_LENGTH),
    author_name: clean(oembed['author_name'], NAME_LENGTH) || clean(first('author', 'article:author'), NAME_LENGTH),
    thumbnail_url: address(oembed['thumbnail_url'], root) || address(image, root),
    html: player?.html ?? '',
    width: player ? 560 : (size(oembed['width']) ?? size(first('og:image:width'))),
    height: player ? 315 : (size(oembed['height']) ?? size(first('og:image:height'))),
  }
}

const picture = (url: string): LinkPreview => {
  const { origin, hostname, pathname } = new URL(url)
  const name = decodePath(pathname.split('/').at(-1) ?? '')
  return {
    type: 'photo',
    provider_name: siteOf(url),
    provider_url: origin,
    title: clean(name, TITLE_LENGTH) || hostname,
    description: '',
    author_name: '',
    thumbnail_url: address(url, url),
    html: '',
    width: null,
    height: null,
  }
}

/** Fetches the preview of an address; null if there is nothing to show. */
export const fetchPreview = async (outbound: Outbound, url: URL): Promise<LinkPreview | null> => {
  const answer = await requestPage(outbound, url)
  if (!answer) return null
  const type = String(answer.headers['content-type'] ?? '').toLowerCase()
  if (type.startsWith('image/')) return picture(answer.url)
  if (!/^(text\/html|application\/xhtml\+xml)\b/.test(type)) return null
  const page = readPage(decodePage(answer.body, type))
  const more = address(page.oembed, answer.url)
  const described = more ? await request(outbound, more, OEMBED_REQUEST) : null
  const preview = describePage(answer.url, page, described ? parseDescription(described.body.toString('utf8')) : {})
  return preview.title || preview.thumbnail_url ? preview : null
}
