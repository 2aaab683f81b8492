import { markdownMentions } from './markdown.ts'
import { replaceMentions } from './mention-syntax.ts'
import type { ContentType } from './render.ts'
import { sanitizeForeign } from './sanitize.ts'

const MAX_MENTIONS = 50

function htmlMentions(source: string): string[][] {
  const found: string[][] = []
  const onText = (text: string): string =>
    replaceMentions(text, (names) => {
      found.push(names)
      return null
    })
  sanitizeForeign(source, { onText })
  return found
}

/**
 * The usernames mentioned in a text, in lower case, unique, in order, at most 50; not those inside code or links. The caller determines
 * which exist. `@ann_` yields both `ann_` and `ann`.
 */
export function mentionedUsernames(source: string, contentType: ContentType): string[] {
  const found = contentType === 'html' ? htmlMentions(source) : markdownMentions(source)
  return [...new Set(found.flat())].slice(0, MAX_MENTIONS)
}

const MENTION_LINK = /<a class="mention" href="(?:https?:\/\/[^"/]+)?\/u\/([a-z0-9_-]{3,30})"/g

/** Usernames mentioned in HTML that `render` has produced; it links only users who existed at that time. */
export function renderedMentions(html: string): string[] {
  const names = new Set<string>()
  for (const [, name] of html.matchAll(MENTION_LINK)) {
    if (name) names.add(name)
    if (names.size === MAX_MENTIONS) break
  }
  return [...names]
}
