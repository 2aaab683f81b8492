import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2'
import { library } from '../../../util/lazy.ts'

/** What a page says about itself, as it says it. */
export interface PageFacts {
  /** `og:title` and the like, each the first one given; names in lower case. */
  readonly meta: ReadonlyMap<string, string>
  readonly title: string
  /** Address of a description as JSON, as the page links it. */
  readonly oembed: string
  /** What relative addresses are relative to, as the page says. */
  readonly base: string
}

/** How much of a page is read. The head of real pages is shorter. */
export const PAGE_BYTES = 128 * 1024
const MAX_TAGS = 2000
const MAX_ATTRIBUTES = 40
const MAX_TEXT = 5000

const htmlparser2 = library<typeof import('htmlparser2')>('htmlparser2')

const OEMBED = new Set(['application/json+oembed', 'text/json+oembed'])
const WANTED = new Set(['meta', 'link', 'base'])
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
 * Reports the opening and closing tags and the text of an HTML document in one pass, without building a tree: the time is linear in the
 * length whatever the nesting. Names are lower case; only the tags in WANTED carry attributes.
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
        key = WANTED.has(name) && attributes.size < MAX_ATTRIBUTES ? html.slice(start, end).toLowerCase() : ''
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

/** Reads the head of an HTML page, which ends where the body begins, after `PAGE_BYTES` characters, or after `MAX_TAGS` tags. */
export const readPage = (html: string): PageFacts => {
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

/** The text of the beginning of a page in the encoding that it names, in its header or at its beginning. */
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
