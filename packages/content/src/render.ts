import { LINK_REL } from './allow-list.ts'
import { enforce } from './html-allowlist.ts'
import { MAX_MENTION_LINKS, markdownToHtml } from './markdown.ts'
import { mentionHref, replaceMentions } from './mention-syntax.ts'
import { sanitizeForeign } from './sanitize.ts'

export type ContentType = 'text' | 'markdown' | 'html' | 'document' | 'survey' | 'video' | 'audio'

/** Usernames that exist, in lower case. */
type Usernames = { has(username: string): boolean }

export type RenderOptions = {
  /** Other mentions stay plain text. */
  mentions?: Usernames
  /** Origin without a trailing slash; makes mentions and site paths absolute, for mail and feeds. */
  origin?: string
}

/** Turns mentions in the texts of one document into links. */
function mentionLinker(known: Usernames, origin: string): (text: string) => string {
  let left = MAX_MENTION_LINKS
  return (text) =>
    replaceMentions(text, (names) => {
      const username = left > 0 ? names.find((name) => known.has(name)) : undefined
      if (!username) return null
      left -= 1
      return { username, html: `<a class="mention" href="${mentionHref(username, origin)}" rel="${LINK_REL}">@${username}</a>` }
    })
}

/** Maximum growth of rendered content relative to its source, plus an allowance for short texts, which are mostly markup. */
export const MAX_GROWTH = 4
export const GROWTH_ALLOWANCE = 4096

const NOBODY: Usernames = new Set()

/**
 * Safe HTML from the text of a member. `html` is sanitized; everything else is Markdown (CommonMark, tables, strikethrough, bare URLs as
 * links) in which raw HTML is plain text. Line breaks are preserved, except in `markdown`, where they follow CommonMark. Linear in the
 * length. The result is at most MAX_GROWTH times as long; a text that would grow more loses its mention links, then tags.
 */
export function render(source: string, contentType: ContentType, options: RenderOptions = {}): string {
  const { origin = '', mentions = NOBODY } = options
  const text = source.replaceAll('\0', '\uFFFD').replaceAll('\r\n', '\n')
  const write = (known: Usernames, most?: number): string => {
    const limits = { origin, ...(most !== undefined && { most }) }
    return contentType === 'html'
      ? sanitizeForeign(text, { ...limits, ...(known !== NOBODY && { onText: mentionLinker(known, origin) }) })
      : enforce(markdownToHtml(text, { mentions: (name) => known.has(name), origin, breaks: contentType !== 'markdown' }), limits)
  }
  const html = write(mentions)
  const most = MAX_GROWTH * text.length + GROWTH_ALLOWANCE
  // A result that is too long is rendered without mention links, because they must not affect where it is truncated: `lyceum doctor`
  // renders the text again with only the mentions that the stored HTML shows, and must get the same result.
  return (html.length <= most ? html : write(NOBODY, most)).trim()
}
