import { library } from '../../../platform/library.ts'

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

const htmlparser2 = library<typeof import('htmlparser2')>('htmlparser2')

const MOST_TEXT = 5000
const OEMBED = new Set(['application/json+oembed', 'text/json+oembed'])

/** Reads the head of an HTML page. */
export const readPage = (html: string): PageFacts => {
  const meta = new Map<string, string>()
  let title = ''
  let oembed = ''
  let base = ''
  let inTitle = false
  let done = false
  const parser = new (htmlparser2().Parser)({
    onopentag: (name, attributes) => {
      if (done) return
      if (name === 'title' && title === '') inTitle = true
      if (name === 'body' && meta.size > 0) done = true
      if (name === 'base') base ||= attributes['href'] ?? ''
      if (name === 'link' && OEMBED.has((attributes['type'] ?? '').toLowerCase())) oembed ||= attributes['href'] ?? ''
      if (name !== 'meta') return
      const key = (attributes['property'] ?? attributes['name'] ?? attributes['itemprop'] ?? '').trim().toLowerCase()
      const content = (attributes['content'] ?? '').slice(0, MOST_TEXT).trim()
      if (key && content && !meta.has(key)) meta.set(key, content)
    },
    ontext: (text) => {
      if (inTitle && title.length < MOST_TEXT) title += text
    },
    onclosetag: (name) => {
      if (name === 'title') inTitle = false
    },
  })
  parser.write(html)
  parser.end()
  return { meta, title: title.slice(0, MOST_TEXT), oembed, base }
}

/** The text of a page in the encoding that it names, in its header or at its beginning. */
export const decodePage = (bytes: Buffer, contentType: string): string => {
  const named =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 2048))?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
