import { BOUNDED_PARSER } from '@lyceum/content'
import { lazyRequire } from '../../../util/lazy.ts'

/** Metadata of a page, unsanitized. */
export interface PageMetadata {
  /** `og:title` and the like, first occurrence only; names in lower case. */
  readonly meta: ReadonlyMap<string, string>
  readonly title: string
  /** URL of the page's oEmbed description. */
  readonly oembed: string
  /** `href` of the `base` element. */
  readonly base: string
}

/** Bytes of a page that are parsed. The head of real pages is shorter. */
export const PAGE_BYTES = 128 * 1024
const MAX_TAGS = 2000
const MAX_TEXT = 5000

const htmlparser2 = lazyRequire<typeof import('htmlparser2')>('htmlparser2')

const OEMBED = new Set(['application/json+oembed', 'text/json+oembed'])

/** Parses the head of an HTML page: up to the body, `PAGE_BYTES` characters or `MAX_TAGS` tags. The time is linear, whatever the nesting. */
export const readPage = (html: string): PageMetadata => {
  const meta = new Map<string, string>()
  let title = ''
  let oembed = ''
  let base = ''
  let inTitle = false
  let tags = 0
  const { Parser } = htmlparser2()
  const parser = new Parser(
    {
      onopentag: (name, { href = '', type = '', content = '', property, name: metaName, itemprop }) => {
        if (name === 'body' || ++tags > MAX_TAGS) parser.pause()
        else if (name === 'title') inTitle = title === ''
        else if (name === 'base') base ||= href
        else if (name === 'link' && OEMBED.has(type.toLowerCase())) oembed ||= href
        else if (name === 'meta') {
          const key = (property ?? metaName ?? itemprop ?? '').trim().toLowerCase()
          const value = content.slice(0, MAX_TEXT).trim()
          if (key && value && !meta.has(key)) meta.set(key, value)
        }
      },
      onclosetag: (name) => {
        if (name === 'title') inTitle = false
        if (name === 'head') parser.pause()
      },
      ontext: (text) => {
        if (inTitle && title.length < MAX_TEXT) title += text
      },
    },
    BOUNDED_PARSER,
  )
  parser.end(html.slice(0, PAGE_BYTES))
  return { meta, title: title.slice(0, MAX_TEXT), oembed, base }
}

/** Decodes the beginning of a page with the encoding named in its header or in the page. */
export const decodePage = (bytes: Buffer, contentType: string): string => {
  const start = bytes.subarray(0, PAGE_BYTES)
  const named =
    /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType.slice(0, 500))?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start.toString('latin1', 0, 2048))?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(start)
  } catch {
    return new TextDecoder().decode(start)
  }
}
