import { ALLOWED, type ElementRule } from './allow-list.ts'

const MAX_DEPTH = 64

/** A tag as markdown-it and sanitize-html write it. Anything else that begins with < is text. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)(?: \/)?>/y
const ATTRIBUTE = / ([a-z]+)="([^"<>]*)"/g

const TABLE_PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr'])
const CELLS = new Set(['td', 'th', 'caption'])
const HEADING = /^h[1-6]$/
const LITERAL = new Set(['a', 'code', 'pre', 'kbd', 'samp'])

type Element = {
  name: string
  /** False if the tags are dropped and only the content stays. */
  kept: boolean
  /** Name of the innermost kept element, including this one. */
  within: string
  depth: number
  /** Index in the stack of the paragraph that was open around this cell. */
  outerParagraph: number
}

export type EnforceOptions = {
  /** Makes paths of this site (beginning with a single /) absolute. Without it, links keep such paths and images are dropped. */
  origin?: string
  /** Transforms escaped text outside links and code, where elements are allowed. Must return safe markup. */
  onText?: (text: string) => string
  /** Maximum length of the result. Once the remaining text would no longer fit, tags are dropped; then the text is truncated. */
  most?: number
}

const ANY_TAG = /<[^<>]*>/g
/** A truncated entity. */
const BROKEN_ENTITY = /&[a-z]{0,4}$/

const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
])

export function decodeBasic(text: string): string {
  return text.includes('&') ? text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES.get(entity)!) : text
}

function encodeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Serializes the allowed attributes; null if a required one is missing. */
function keptAttributes(rule: ElementRule, written: string, origin: string): string | null {
  if (!rule.attributes) return ''
  const attributes = new Map<string, string>()
  for (const [, name, value] of written.matchAll(ATTRIBUTE)) {
    if (!attributes.has(name!)) attributes.set(name!, decodeBasic(value!))
  }
  let out = ''
  for (const [name, accept] of Object.entries(rule.attributes)) {
    const given = attributes.get(name)
    const value = given === undefined ? null : accept(given, { origin, attributes })
    if (value !== null) out += ` ${name}="${encodeAttribute(value)}"`
    else if (name === rule.required) return null
  }
  return out + (rule.always ?? '')
}

/**
 * The final filter of all rendered content. Emits only allowlisted elements and attributes, in canonical form, balanced, at most 64 deep,
 * and nested as every HTML parser nests them (no block inside a paragraph, no link inside a link, table parts only in tables). A browser
 * therefore builds exactly the written tree; only stray text between the parts of a table moves in front of the table.
 * The input must be output of markdown-it or sanitize-html. Runs in linear time.
 */
export function enforce(html: string, options: EnforceOptions = {}): string {
  const { origin = '', onText, most = Number.POSITIVE_INFINITY } = options
  const stack: Element[] = []
  const openNames = new Map<string, number>()
  let paragraph = -1
  let links = 0
  let headings = 0
  let literals = 0
  let out = ''
  /** Number of characters needed for the remaining text; `endTags` is that for the end tags of open elements. */
  let textLeft = most === Number.POSITIVE_INFINITY ? 0 : html.replace(ANY_TAG, '').length
  let endTags = 0
  let full = false

  function count(element: Element, by: 1 | -1): void {
    const { name, kept } = element
    openNames.set(name, (openNames.get(name) ?? 0) + by)
    if (!kept) return
    if (name === 'a') links += by
    if (HEADING.test(name)) headings += by
    if (LITERAL.has(name)) literals += by
  }

  function pop(): void {
    const element = stack.pop()!
    count(element, -1)
    if (!element.kept) return
    if (element.name === 'p') paragraph = -1
    if (CELLS.has(element.name)) paragraph = element.outerParagraph
    out += `</${element.name}>`
    endTags -= element.name.length + 3
  }

  function fits(name: string, rule: ElementRule): boolean {
    const within = stack.at(-1)?.within ?? ''
    if (rule.inside) return rule.inside.includes(within)
    if (TABLE_PARTS.has(within)) return false
    if (rule.flow === 'block' && headings > 0) return false
    return name !== 'a' || links === 0
  }

  /** Closes the elements that a browser would close before this tag: a paragraph before a block, a list item before the next one. */
  function endBefore(rule: ElementRule): void {
    if (rule.flow === 'inline') return
    if (!rule.inside) {
      if (paragraph >= 0) for (const end = paragraph; stack.length > end; ) pop()
      return
    }
    let parent = stack.length - 1
    while (parent >= 0 && !(stack[parent]!.kept && (rule.inside.includes(stack[parent]!.name) || stack[parent]!.name === 'table')))
      parent -= 1
    if (parent >= 0 && rule.inside.includes(stack[parent]!.name)) while (stack.length > parent + 1) pop()
  }

  function open(name: string, rule: ElementRule, written: string): void {
    const attributes = name === 'a' && links > 0 ? null : keptAttributes(rule, written, origin)
    if (attributes !== null) endBefore(rule)
    const outer = stack.at(-1)
    const tag = `<${name}${attributes}${rule.void ? ' />' : '>'}`
    full ||= out.length + tag.length + name.length + 3 + endTags + textLeft > most
    const kept = !full && attributes !== null && (outer?.depth ?? 0) < MAX_DEPTH && fits(name, rule)
    if (kept) out += tag
    if (rule.void) return
    if (kept) endTags += name.length + 3
    const element: Element = {
      name,
      kept,
      within: kept ? name : (outer?.within ?? ''),
      depth: (outer?.depth ?? 0) + (kept ? 1 : 0),
      outerParagraph: paragraph,
    }
    stack.push(element)
    count(element, 1)
    if (kept && name === 'p') paragraph = stack.length - 1
    if (kept && CELLS.has(name)) paragraph = -1
  }

  function close(name: string): void {
    if (!openNames.get(name)) return
    for (let last = ''; last !== name; pop()) last = stack.at(-1)!.name
  }

  function write(text: string): void {
    textLeft -= text.length
    const canonical = text.includes('&quot;') ? text.replaceAll('&quot;', '"') : text
    const inCell = !TABLE_PARTS.has(stack.at(-1)?.within ?? '')
    const room = most - out.length - endTags
    if (canonical.length > room) out += canonical.slice(0, Math.max(0, room)).replace(BROKEN_ENTITY, '')
    else out += onText && literals === 0 && inCell ? onText(canonical) : canonical
  }

  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    if (next !== at) write(html.slice(at, next < 0 ? html.length : next))
    if (next < 0) break
    TAG.lastIndex = next
    const tag = TAG.exec(html)
    at = next + (tag ? tag[0].length : 1)
    const rule = tag && ALLOWED.get(tag[2]!)
    if (!tag) write('&lt;')
    else if (!rule) continue
    else if (!tag[1]) open(tag[2]!, rule, tag[3]!)
    else if (!rule.void) close(tag[2]!)
  }
  while (stack.length > 0) pop()
  return out
}
