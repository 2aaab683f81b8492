import type { Infer, Preview } from '@lyceum/contract'
import { excerpt } from '../../../content/plain-text.ts'
import { isHttpUrl, siteOf } from '../../../content/url.ts'
import { type Outbound, type OutboundAnswer, OutboundError } from '../../../outbound/index.ts'
import { playerOf } from './embed-providers.ts'
import { decodePage, PAGE_BYTES, type PageFacts, readPage } from './html-metadata.ts'

export type LinkPreview = Infer<typeof Preview>

const PAGE = {
  redirects: 4,
  maxBytes: PAGE_BYTES,
  cut: true,
  timeoutMs: 7000,
  headers: { accept: 'text/html,application/xhtml+xml,image/*;q=0.8' },
}
/** With the wait for a turn, all that is asked for one preview takes less time than a connection may be silent. */
const AGAIN = { ...PAGE, timeoutMs: 4000 }
const OEMBED = { redirects: 2, maxBytes: 64 * 1024, timeoutMs: 3000, headers: { accept: 'application/json' } }

const TITLE = 200
const DESCRIPTION = 500
const NAME = 100
const LARGEST = 10_000
const MAX_TEXT = 5000
const MAX_ADDRESS = 4096

/** Plain text on one line, cut; what looks like markup is taken out, for some client will forget to escape it. */
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
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= LARGEST ? number : null
}

/** Null: no answer, or none that means anything. Why is nobody's business. */
const ask = async (outbound: Outbound, url: string, options: Parameters<Outbound['request']>[1]): Promise<OutboundAnswer | null> => {
  try {
    const answer = await outbound.request(url, options)
    return answer.status >= 200 && answer.status < 300 ? answer : null
  } catch (error) {
    if (error instanceof OutboundError) return null
    throw error
  }
}

/** Plain http is refused by most servers anyway, and by ours; what answers to it answers to https. */
const askPage = async (outbound: Outbound, url: URL): Promise<OutboundAnswer | null> => {
  const answer = await ask(outbound, url.href, PAGE)
  if (answer || url.protocol === 'https:' || url.port) return answer
  return ask(outbound, `https:${url.href.slice('http:'.length)}`, AGAIN)
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

export const describePage = (url: string, { meta, title, base }: PageFacts, oembed: Record<string, unknown>): LinkPreview => {
  const { origin } = new URL(url)
  const root = address(base, url) || url
  const player = playerOf(new URL(url))
  const first = (...names: string[]) => names.map((name) => meta.get(name)).find((value) => value)
  const image = first('og:image:secure_url', 'og:image:url', 'og:image', 'twitter:image', 'twitter:image:src')
  return {
    type: player ? 'video' : typeOf(oembed['type'], first('og:type') ?? ''),
    // Never what the page or its description claims: a link must not pass for one to another site.
    provider_name: player?.provider ?? siteOf(url),
    provider_url: origin,
    title: clean(oembed['title'], TITLE) || clean(first('og:title', 'twitter:title') ?? title, TITLE),
    description: clean(first('og:description', 'twitter:description', 'description'), DESCRIPTION),
    author_name: clean(oembed['author_name'], NAME) || clean(first('author', 'article:author'), NAME),
    thumbnail_url: address(oembed['thumbnail_url'], root) || address(image, root),
    html: player?.html ?? '',
    width: player ? 560 : (size(oembed['width']) ?? size(first('og:image:width'))),
    height: player ? 315 : (size(oembed['height']) ?? size(first('og:image:height'))),
  }
}

const picture = (url: string): LinkPreview => {
  const { origin, hostname, pathname } = new URL(url)
  let name = pathname.split('/').at(-1) ?? ''
  try {
    name = decodeURIComponent(name)
  } catch {
    // A name that is not well-formed is shown as it stands.
  }
  return {
    type: 'photo',
    provider_name: siteOf(url),
    provider_url: origin,
    title: clean(name, TITLE) || hostname,
    description: '',
    author_name: '',
    thumbnail_url: address(url, url),
    html: '',
    width: null,
    height: null,
  }
}

/** Asks an address what it leads to; null when that is nothing to show. */
export const fetchPreview = async (outbound: Outbound, url: URL): Promise<LinkPreview | null> => {
  const answer = await askPage(outbound, url)
  if (!answer) return null
  const type = String(answer.headers['content-type'] ?? '').toLowerCase()
  if (type.startsWith('image/')) return picture(answer.url)
  if (!/^(text\/html|application\/xhtml\+xml)\b/.test(type)) return null
  const page = readPage(decodePage(answer.body, type))
  const more = address(page.oembed, answer.url)
  const described = more ? await ask(outbound, more, OEMBED) : null
  const preview = describePage(answer.url, page, described ? parseDescription(described.body.toString('utf8')) : {})
  return preview.title || preview.thumbnail_url ? preview : null
}
