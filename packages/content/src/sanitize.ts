import type { IOptions, default as SanitizeHtml } from 'sanitize-html'
import { ALLOWED, BLOCK_ALIASES, WITHOUT_TEXT } from './allow-list.ts'
import { BOUNDED_PARSER } from './bounded-tokenizer.ts'
import { type EnforceOptions, enforce } from './html-allowlist.ts'
import { lazy, lazyRequire } from './lazy.ts'

function allowedAttributes(linkClass: boolean): Record<string, string[]> {
  const entries = [...ALLOWED].map(([name, rule]): [string, string[]] => [name, Object.keys(rule.attributes ?? {})])
  const map = Object.fromEntries(entries)
  if (!linkClass) map.a = (map.a ?? []).filter((name) => name !== 'class')
  return map
}

const sanitizeHtml = lazyRequire<typeof SanitizeHtml>('sanitize-html')

const own = lazy(
  (): IOptions => ({
    allowedTags: [...ALLOWED.keys()],
    allowedAttributes: allowedAttributes(true),
    nonBooleanAttributes: ['*'],
    selfClosing: ['img', 'br', 'hr'],
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nonTextTags: WITHOUT_TEXT,
    parser: BOUNDED_PARSER,
    transformTags: Object.fromEntries(BLOCK_ALIASES.map((name) => [name, sanitizeHtml().simpleTransform('div', {})])),
  }),
)

const foreign = lazy((): IOptions => ({ ...own(), allowedAttributes: allowedAttributes(false) }))

/** Safe HTML from HTML that this module rendered. Idempotent, and the identity on its own output. */
export function sanitize(html: string): string {
  return enforce(sanitizeHtml()(html, own()))
}

/** Safe HTML from the HTML of a member. Like `sanitize`, but removes links that look like mentions. */
export function sanitizeForeign(html: string, options: EnforceOptions = {}): string {
  return enforce(sanitizeHtml()(html, foreign()), options)
}
