import { Parser } from 'htmlparser2'

export interface Element {
  /** Local name, without namespace. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly line: number
  readonly children: (Element | string)[]
}

export interface XmlError {
  readonly line: number
  readonly text: string
}

const MOST_DEPTH = 100

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Returns a function that converts ascending offsets to line numbers. */
const lineCounter = (source: string) => {
  let line = 1
  let at = 0
  return (place: number) => {
    for (let next = source.indexOf('\n', at); next >= 0 && next < place; next = source.indexOf('\n', at)) {
      line++
      at = next + 1
    }
    return line
  }
}

/** Parses XML. Entity declarations are ignored, which prevents entity expansion and external loads. */
export const readXml = (source: string): { root: Element | null; error: XmlError | null } => {
  const top: Element = { name: '', attributes: {}, line: 1, children: [] }
  const stack: Element[] = [top]
  const lineOf = lineCounter(source)
  let error: XmlError | null = null
  const fail = (text: string) => {
    error ??= { line: lineOf(parser.startIndex), text }
    // The parser takes quadratic time for deep nesting.
    parser.pause()
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const plain = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [local(key), value]))
        const element: Element = { name: local(name), attributes: plain, line: lineOf(parser.startIndex), children: [] }
        if (stack.length > MOST_DEPTH) return fail('elements are nested too deeply')
        stack.at(-1)?.children.push(element)
        stack.push(element)
      },
      ontext: (text) => {
        stack.at(-1)?.children.push(text)
      },
      onclosetag: (name, implied) => {
        const open = stack.pop()
        // The parser also reports self-closing elements as implied.
        const closesItself = source.charAt(parser.endIndex - 1) === '/'
        if (implied && !closesItself && !error) error = { line: open?.line ?? 1, text: `<${local(name)}> is not closed` }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(source)
  const root = top.children.find((child): child is Element => typeof child === 'object') ?? null
  return { root, error }
}

export const childrenOf = ({ children }: Element, ...names: string[]): Element[] =>
  children.filter((child): child is Element => typeof child === 'object' && (names.length === 0 || names.includes(child.name)))

/** Descendants with these names, in document order. */
export const within = (element: Element, ...names: string[]): Element[] =>
  childrenOf(element).flatMap((child) => [...(names.includes(child.name) ? [child] : []), ...within(child, ...names)])

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const escapeValue = (text: string) => escapeText(text).replaceAll('"', '&quot;')

/** The inner markup of an element; `replace` overrides the markup of some elements. */
export const markupOf = ({ children }: Element, replace: (element: Element) => string | null = () => null): string =>
  children
    .map((child) => {
      if (typeof child === 'string') return escapeText(child)
      const other = replace(child)
      if (other !== null) return other
      const attributes = Object.entries(child.attributes).map(([name, value]) => ` ${name}="${escapeValue(value)}"`)
      return `<${child.name}${attributes.join('')}>${markupOf(child, replace)}</${child.name}>`
    })
    .join('')

export const textOf = ({ children }: Element): string =>
  children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
