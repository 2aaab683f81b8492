/** A regular expression, reduced to what affects backtracking. */
export type Part =
  /** One character, with examples that match. */
  | { readonly kind: 'character'; readonly takes: readonly string[] }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly options: readonly Part[] }
  | { readonly kind: 'loop'; readonly body: Part; readonly least: number; readonly most: number }
  /** Matches nothing: an anchor, a lookaround or a backreference. */
  | { readonly kind: 'nothing' }

/** Characters of each kind that an expression may distinguish. */
const PROBES = [...'aAzfx019 \t\n\r-_./\\<>"\'=@#&;:,()[]{}*`~!?%+|^$', 'é', '漢', 'ا', '\u0000', '\u00a0', '\u{1f600}']

const NOTHING: Part = { kind: 'nothing' }
const LOOK = /^\((\?=|\?!|\?<=|\?<!)/
const GROUP = /^\((\?:|\?<[A-Za-z_]\w*>|\?[dgimsuvy-]+:)?/
/** An atom of one character outside a class: an escape, a dot, or a literal. */
const ATOM = /^(\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])|[\s\S])/u
const COUNT = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/

/** The end of the class at the start of the text; with the flag v classes can nest. */
const endOfClass = (text: string, nests: boolean): number => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '[' && (nests || depth === 0)) depth += 1
    else if (text[at] === ']' && --depth === 0) return at + 1
  }
  return text.length
}

/** Parses a regular expression. */
export const parsePattern = (source: string, flags: string): Part => {
  let rest = source
  const takesOf = (atom: string): Part => {
    const matches = new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ''))
    return { kind: 'character', takes: PROBES.filter((probe) => matches.test(probe)).concat(atom.length === 1 ? [atom] : []) }
  }
  const atom = (): Part => {
    const look = LOOK.exec(rest)
    if (look) {
      rest = rest.slice(look[0].length)
      choice()
      rest = rest.slice(1)
      return NOTHING
    }
    if (rest.startsWith('(')) {
      rest = rest.slice((GROUP.exec(rest) as RegExpExecArray)[0].length)
      const inner = choice()
      rest = rest.slice(1)
      return inner
    }
    const text = rest.startsWith('[') ? rest.slice(0, endOfClass(rest, flags.includes('v'))) : (ATOM.exec(rest)?.[0] ?? '')
    rest = rest.slice(text.length)
    if (/^(\^|\$|\\b|\\B|\\[1-9]|\\k)$/.test(text)) {
      if (text === '\\k') rest = rest.replace(/^<\w+>/, '')
      return NOTHING
    }
    return takesOf(text)
  }
  const sequence = (): Part => {
    const parts: Part[] = []
    while (rest !== '' && rest[0] !== '|' && rest[0] !== ')') {
      const body = atom()
      const count = COUNT.exec(rest)
      if (!count) {
        parts.push(body)
        continue
      }
      rest = rest.slice(count[0].length)
      const [, sign, least, comma, most] = count
      const [low, high] = sign
        ? [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY]
        : [Number(least), comma ? (most ? Number(most) : Number.POSITIVE_INFINITY) : Number(least)]
      parts.push({ kind: 'loop', body, least: low, most: high })
    }
    return { kind: 'sequence', parts }
  }
  const choice = (): Part => {
    const options = [sequence()]
    while (rest[0] === '|') {
      rest = rest.slice(1)
      options.push(sequence())
    }
    return options.length === 1 ? (options[0] as Part) : { kind: 'choice', options }
  }
  return choice()
}
