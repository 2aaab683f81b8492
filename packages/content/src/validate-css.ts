import type * as CssTokenizer from '@csstools/css-tokenizer'
import { lazyRequire } from './lazy.ts'

const tokenizer = lazyRequire<typeof CssTokenizer>('@csstools/css-tokenizer')

interface CssToken {
  /** As in CSS Syntax Level 3, such as `at-keyword`. */
  readonly type: string
  /** Without escapes; names are in lower case. */
  readonly value: string
}

const OMITTED = new Set(['whitespace-token', 'comment', 'EOF-token'])

/** The tokens of a style sheet without white space and comments. */
const tokensOf = (css: string): CssToken[] =>
  tokenizer()
    .tokenize({ css })
    .filter(([kind]) => !OMITTED.has(kind))
    .map(([kind, source, , , data]) => {
      const type = kind.replace(/-token$/, '')
      const value = data && 'value' in data ? String(data.value) : source
      return { type, value: type === 'string' || type === 'url' ? value : value.toLowerCase() }
    })

const HTML = /<[/!?a-z]/i
const SHEETS = new Set(['import', 'charset', 'namespace'])
const SCRIPTS = new Set(['expression', 'behavior', '-moz-binding'])
/** Functions that accept a URL as a plain string. */
const URL_FUNCTIONS = new Set(['url', 'image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade'])

/** Functions allowed inside those. Substitutions such as `var()` and `attr()` are not, since their text comes from elsewhere. */
const ALLOWED_IN_URL_FUNCTIONS =
  /^(?:url|type|(?:-webkit-)?image-set|(?:-webkit-)?cross-fade|[a-z-]*gradient|rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color|color-mix|calc)$/

const DATA = /^data:(?:image\/(?:png|gif|jpeg|webp|avif|svg\+xml)|font\/(?:woff2?|ttf|otf))[;,]/i
const FRAGMENT = /^#[^\\]*$/
/** An uploaded file. Style sheets need no other path of this site, and some paths fetch URLs from their query. */
const FILE = /^(?:\/[\w-]+){0,4}\/media\/[\w-]{16,}\/(?:thumbnail\/)?[^/?#\\]+$/
/** Another host, or a scheme that leads to one, as browsers parse it. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}|^(?:https?|ftps?|wss?|blob|file|filesystem|javascript|vbscript):/i

const REMOTE = 'may load uploaded files of this site (/media/…) and data: pictures alone'
const REPLACED = 'must name the addresses in image-set() and its like as they are'
const MALFORMED = 'has a string or an address that is not closed properly'

/** Normalizes a URL as browsers do: without line breaks, tabs and surrounding whitespace. */
const addressOf = (text: string) => text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+|[\0- ]+$/g, '')

const isLocal = (text: string): boolean => {
  const address = addressOf(text)
  return DATA.test(address) || FRAGMENT.test(address) || FILE.test(address)
}

interface TokenContext {
  /** The innermost open bracket or function. */
  readonly around: string
  /** Whether a function that accepts URLs is open. */
  readonly amongAddresses: boolean
  readonly next: CssToken | undefined
}

const problemOf = (token: CssToken, { around, amongAddresses, next }: TokenContext): string | null => {
  if (token.type.startsWith('bad-')) return MALFORMED
  if (token.type === 'at-keyword' && SHEETS.has(token.value)) return 'must not load other style sheets'
  if ((token.type === 'function' || token.type === 'ident') && SCRIPTS.has(token.value)) return 'must not hold scripts'
  if (token.type === 'url') return isLocal(token.value) ? null : REMOTE
  if (token.type === 'function' && (token.value === 'src' || (token.value === 'url' && next?.type !== 'string'))) return REMOTE
  if (token.type === 'function' && amongAddresses && !ALLOWED_IN_URL_FUNCTIONS.test(token.value)) return REPLACED
  if (token.type !== 'string') return null
  if (URL_FUNCTIONS.has(around)) return isLocal(token.value) ? null : REMOTE
  // A string elsewhere is not a URL; attribute selectors may legitimately compare with one.
  return around !== '[' && ELSEWHERE.test(addressOf(token.value)) ? REMOTE : null
}

/** Why a custom style sheet is refused; null if it is valid. */
export const cssProblem = (css: string): string | null => {
  if (HTML.test(css)) return 'must not hold HTML'
  const tokens = tokensOf(css)
  /** Open brackets and functions. */
  const open: string[] = []
  let ofAddresses = 0
  for (const [i, token] of tokens.entries()) {
    const problem = problemOf(token, { around: open.at(-1) ?? '', amongAddresses: ofAddresses > 0, next: tokens[i + 1] })
    if (problem !== null) return problem
    if (/^(?:function|[([{])$/.test(token.type)) {
      open.push(token.value)
      if (URL_FUNCTIONS.has(token.value)) ofAddresses += 1
    }
    if (/^[)\]}]$/.test(token.type) && URL_FUNCTIONS.has(open.pop() ?? '')) ofAddresses -= 1
  }
  return null
}
