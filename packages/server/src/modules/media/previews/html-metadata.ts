import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2'
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
const MAX_ATTRIBUTES = 40
const MAX_TEXT = 5000

const htmlparser2 = lazyRequire<typeof import('htmlparser2')>('htmlparser2')

const OEMBED = new Set(['application/json+oembed', 'text/json+oembed'])
const TAGS_WITH_ATTRIBUTES = new Set(['meta', 'link', 'base'])
const NOTHING: Omit<TokenizerCallbacks, 'onopentagname' | 'onopentagend'> = {
  onattribdata() {},
  onattribentity() {},
  onattribend() {},
  onattribname() {},
  oncdata() {},
  onclosetag() {},
  oncomment() {},
  ondeclaration() {},
  onend() {},
  onprocessinginstruction() {},
  onselfclosingtag() {},
  ontext() {},
  ontextentity() {},
}

type Attributes = ReadonlyMap<string, string>

/**
 * Tokenizes an HTML document in one pass without building a tree, so the time is linear in its length whatever the nesting. Names are lower
 * case; only tags in `TAGS_WITH_ATTRIBUTES` carry attributes.
 */
const scan = (
  html: string,
  on: { open: (name: string, attributes: Attributes) => void; close: (name: string) => void; text: (text: string) => void },
): { stop: () => void; run: () => void } => {
  let name = ''
  let attributes = new Map<string, string>()
  let key = ''
  let value = ''
  const add = (text: string) => {
    if (value.length < MAX_TEXT) value += text.slice(0, MAX_TEXT)
  }
  const opened = () => on.open(name, attributes)
  const tokenizer: Tokenizer = new (htmlparser2().Tokenizer)(
    {},
    {
      ...NOTHING,
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase()
        attributes = new Map()
      },
      onattribname: (start, end) => {
        key = TAGS_WITH_ATTRIBUTES.has(name) && attributes.size < MAX_ATTRIBUTES ? html.slice(start, end).toLowerCase() : ''
        value = ''
      },
      onattribdata: (start, end) => {
        if (key) add(html.slice(start, Math.min(end, start + MAX_TEXT)))
      },
      onattribentity: (codepoint) => {
        if (key) add(String.fromCodePoint(codepoint))
      },
      onattribend: () => {
        if (key && !attributes.has(key)) attributes.set(key, value)
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag: (start, end) => on.close(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => on.text(html.slice(start, Math.min(end, start + MAX_TEXT))),
      ontextentity: (codepoint) => on.text(String.fromCodePoint(codepoint)),
    },
  )
  return {
    stop: () => tokenizer.pause(),
    run: () => {
      tokenizer.write(html)
      tokenizer.end()
    },
  }
}

/** Parses the head of an HTML page: up to the body, `PAGE_BYTES` characters or `MAX_TAGS` tags. */
export const readPage = (html: string): PageMetadata => {
  const meta = new Map<string, string>()
  let title = ''
  let oembed = ''
  let base = ''
  let inTitle = false
  let tags = 0
  const scanner = scan(html.slice(0, PAGE_BYTES), {
    open: (name, attributes) => {
      if (name === 'body' || ++tags > MAX_TAGS) scanner.stop()
      else if (name === 'title') inTitle = title === ''
      else if (name === 'base') base ||= attributes.get('href') ?? ''
      else if (name === 'link' && OEMBED.has((attributes.get('type') ?? '').toLowerCase())) oembed ||= attributes.get('href') ?? ''
      else if (name === 'meta') {
        const key = (attributes.get('property') ?? attributes.get('name') ?? attributes.get('itemprop') ?? '').trim().toLowerCase()
        const content = (attributes.get('content') ?? '').slice(0, MAX_TEXT).trim()
        if (key && content && !meta.has(key)) meta.set(key, content)
      }
    },
    close: (name) => {
      if (name === 'title') inTitle = false
      if (name === 'head' || ++tags > MAX_TAGS) scanner.stop()
    },
    text: (text) => {
      if (inTitle && title.length < MAX_TEXT) title += text
    },
  })
  scanner.run()
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
