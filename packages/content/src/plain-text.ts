import type { IOptions, default as SanitizeHtml } from 'sanitize-html'
import { ALLOWED, WITHOUT_TEXT } from './allow-list.ts'
import { BOUNDED_PARSER } from './bounded-tokenizer.ts'
import { decodeBasic } from './html-allowlist.ts'
import { lazy, lazyRequire } from './lazy.ts'

const breaking = [...ALLOWED].filter(([name, rule]) => rule.flow === 'block' || name === 'br').map(([name]) => name)

const BREAKS_ONLY: IOptions = {
  allowedTags: breaking,
  allowedAttributes: {},
  nonTextTags: WITHOUT_TEXT,
  parser: BOUNDED_PARSER,
}

const sanitizeHtml = lazyRequire<typeof SanitizeHtml>('sanitize-html')

/** HTML that this server rendered: only well-formed tags of allowed elements and the entities that `decodeBasic` supports. */
const OURS = new RegExp(
  `^(?:[^<&]|&(?:amp|lt|gt|quot);|</?(?:${[...ALLOWED.keys()].filter((name) => !WITHOUT_TEXT.includes(name)).join('|')})(?: [a-z-]+="[^"<>]*")*(?: /)?>)*$`,
)
const TAG = /<\/?([a-z0-9]+)\b[^<>]*>/g
const BREAKING = new Set(breaking)
/** Far below the nesting depth that the sanitizer can handle. */
const MOST_TAGS = 150

const spaceFor = (_tag: string, name: string) => (name === 'td' || name === 'th' ? ' ' : BREAKING.has(name) ? '\n' : '')

/** Replaces block tags by line breaks and drops the others. Skipping the sanitizer for our own HTML saves most of the time. */
function withoutTags(html: string): string {
  if (OURS.test(html) && html.split('<', MOST_TAGS + 1).length <= MOST_TAGS) return html.replace(TAG, spaceFor)
  return sanitizeHtml()(html, BREAKS_ONLY)
    .replace(/<\/?t[dh]>/g, ' ')
    .replace(/<[^<>]*>/g, '\n')
}

/** The text of an HTML fragment: entities decoded, a line for each block, no markup and no images. */
export function plainText(html: string): string {
  const text = withoutTags(html)
  return decodeBasic(text)
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** Created on first use, since it loads tables. */
const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** A grapheme can contain any number of combining marks, so the excerpt is also limited to this many code units per character. */
const UNITS_PER_CHARACTER = 8
const ELLIPSIS = '…'
/** Control and bidirectional formatting characters; the latter would also reverse the sentence that quotes the excerpt. */
const DISTURBING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** The beginning of a plain text on one line, at most `max` graphemes, truncated at a word boundary if one is near. */
export function excerpt(text: string, max = 160): string {
  const limit = max * UNITS_PER_CHARACTER
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .replace(DISTURBING, '')
    .trim()
  let fits = 0
  let length = 0
  for (const { index, segment } of graphemes().segment(line.slice(0, limit + UNITS_PER_CHARACTER))) {
    if (length === max || index + segment.length > limit) break
    length += 1
    // Reserve one character for the ellipsis.
    if (length < max) fits = index + segment.length
    else if (index + segment.length === line.length) return line
  }
  if (length < max && fits === line.length) return line
  const head = line.slice(0, fits)
  const space = line[fits] === ' ' ? fits : head.lastIndexOf(' ')
  return (space > fits * 0.6 ? head.slice(0, space) : head).trimEnd() + ELLIPSIS
}
