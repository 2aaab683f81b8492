import { LINK_REL } from './allow-list.ts'
import { enforce } from './enforce.ts'
import { markdownToHtml } from './markdown.ts'
import { mentionHref, replaceMentions } from './mention.ts'
import { sanitizeForeign } from './sanitize.ts'

export type ContentType = 'text' | 'markdown' | 'html' | 'document' | 'survey' | 'video' | 'audio'

export type RenderOptions = {
  /** Which usernames (lower-case) exist; a mention of any other stays plain text. */
  mentions?: ((username: string) => boolean) | ReadonlySet<string>
  /** Scheme and host, without a slash at the end: makes mentions and site paths absolute, for mail and feeds. */
  origin?: string
}

type Exists = (username: string) => boolean

function existence(mentions: RenderOptions['mentions']): Exists {
  if (!mentions) return () => false
  return typeof mentions === 'function' ? mentions : (username) => mentions.has(username)
}

function linkMentions(text: string, exists: Exists, origin: string): string {
  return replaceMentions(text, (names) => {
    const username = names.find(exists)
    if (!username) return null
    return { username, html: `<a class="mention" href="${mentionHref(username, origin)}" rel="${LINK_REL}">@${username}</a>` }
  })
}

/**
 * Safe HTML from what a member wrote. `html` is sanitised; everything else is markdown (CommonMark, tables,
 * strikethrough, bare addresses as links) in which raw HTML is plain text. Line breaks count, except in `markdown`,
 * where they are CommonMark's. Takes time in proportion to the length, whatever the text.
 */
export function render(source: string, contentType: ContentType, options: RenderOptions = {}): string {
  const { origin = '' } = options
  const exists = existence(options.mentions)
  const text = source.replaceAll('\0', '\uFFFD').replaceAll('\r\n', '\n')
  const html =
    contentType === 'html'
      ? sanitizeForeign(text, { origin, onText: (part) => linkMentions(part, exists, origin) })
      : enforce(markdownToHtml(text, { mentions: exists, origin, breaks: contentType !== 'markdown' }), { origin })
  return html.trim()
}
