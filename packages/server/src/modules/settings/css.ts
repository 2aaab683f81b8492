const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\n]?|([\s\S]))/gi

/** What escapes hide. */
const unescaped = (css: string): string =>
  css
    .replace(ESCAPE, (_match, hex: string | undefined, sign: string) => {
      if (hex === undefined) return sign
      const code = Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
    })
    .toLowerCase()

/** A comment, or what may hold the signs of one without being one: an escape, a string, an address. */
const COMMENT_OR_NOT =
  /\/\*[\s\S]*?(?:\*\/|$)|\\[\s\S]|"(?:\\[\s\S]|[^"\\\n])*["\n]?|'(?:\\[\s\S]|[^'\\\n])*['\n]?|url\(\s*(?=[^"'\s])(?:\\[\s\S]|[^)\\])*/gi
const withoutComments = (css: string): string => css.replace(COMMENT_OR_NOT, (part) => (part.startsWith('/*') ? ' ' : part))

const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/<[/!?a-z]/, 'must not hold HTML'],
  [/@\s*(?:import|charset|namespace)/, 'must not load other style sheets'],
  [/expression\s*\(|-moz-binding|behavior\s*:|javascript:|vbscript:/, 'must not hold scripts'],
]
const PICTURE = /^(?:https:\/\/|data:image\/(?:png|gif|jpeg|webp|avif|svg\+xml)[;,]|\/(?![/\\])|#)/
const HERE = /^(?:data:|\/|#)/
/** A font tells elsewhere who reads, and is kept from loading by the policy of the web app. */
const FONT = /@\s*font-face/
const QUOTED_ELSEWHERE = /["']\s*https?:/
const ADDRESS = /url\s*\(\s*["']?/g
/** Some functions take an address as a mere string. */
const BARE_ADDRESS = /(?:image-set|image|src)\([^)]{0,400}["']\s*(?:http:)?\/\//

/** The beginning of an address as a browser reads it, which leaves out line breaks and tabs. */
const beginningOf = (text: string) =>
  text
    .slice(0, 200)
    .replace(/[\t\n]/g, '')
    .trimStart()

/** What is wrong with a style sheet that goes on every page; null when nothing is. */
export const cssProblem = (css: string): string | null => {
  const lines = css.replace(/\r\n?|\f/g, '\n')
  const read = unescaped(withoutComments(lines))
  // As it is too, and with its comments: what one reader takes for a comment or an escape, another may not.
  for (const text of [lines.toLowerCase(), unescaped(lines), read]) {
    for (const [pattern, problem] of FORBIDDEN) if (pattern.test(text)) return problem
  }
  const targets = [...read.matchAll(ADDRESS)].map(({ 0: start, index }) => beginningOf(read.slice(index + start.length)))
  if (!targets.every((target) => PICTURE.test(target)) || BARE_ADDRESS.test(read))
    return 'may name pictures at https addresses or on this site alone'
  const isAllHere = targets.every((target) => HERE.test(target)) && !QUOTED_ELSEWHERE.test(read)
  return FONT.test(read) && !isAllHere ? 'may name addresses on this site alone where it brings fonts' : null
}
