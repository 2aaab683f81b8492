/** An element of HTML in our serialization. */
interface Element {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  children: Node[]
}
type Node = string | Element

const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)(?: \/)?>|([^<]+)/y
const VOID = new Set(['img', 'br', 'hr'])
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const decoded = (text: string) => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)

/** @throws Error for HTML that is not well-formed or not in our serialization */
const parse = (html: string): Node[] => {
  const root: Element = { name: '', attributes: [], children: [] }
  const stack = [root]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < html.length) {
    const at = TOKEN.lastIndex
    const token = TOKEN.exec(html)
    if (!token) throw new Error(`not well-formed at ${at}: ${html.slice(at, at + 60)}`)
    const [, closing, name = '', written = '', text] = token
    const within = stack.at(-1) as Element
    if (text !== undefined) within.children.push(decoded(text))
    else if (closing) {
      if (stack.length === 1 || within.name !== name) throw new Error(`</${name}> ends <${within.name}>`)
      stack.pop()
    } else {
      const attributes = [...written.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decoded(value)] as const)
      const element: Element = { name, attributes, children: [] }
      within.children.push(element)
      if (!VOID.has(name)) stack.push(element)
    }
  }
  if (stack.length > 1) throw new Error(`<${stack.at(-1)?.name}> has no end`)
  return root.children
}

const GROUPS = new Set(['thead', 'tbody', 'tfoot'])
const isBlank = (text: string) => /^[\t\n\f\r ]*$/.test(text)

/** Removes children that are not allowed in a table and returns the texts. */
const takeAstray = (element: Element): string[] => {
  const astray = element.children.filter((child): child is string => typeof child === 'string' && !isBlank(child))
  element.children = element.children.filter((child) => typeof child !== 'string' || isBlank(child))
  return astray
}

/** A table as a browser builds it: rows are put in groups, and text between its parts is moved before it. */
const arrangeTable = (table: Element): string[] => {
  const astray: string[] = []
  const children: Node[] = []
  let group: Element | null = null
  for (const child of table.children) {
    if (typeof child === 'string') {
      if (!isBlank(child)) astray.push(child)
      else (group ? group.children : children).push(child)
      continue
    }
    if (GROUPS.has(child.name)) {
      for (const part of [...child.children]) {
        if (typeof part === 'string') {
          if (!isBlank(part)) astray.push(part)
        } else if (part.name === 'tr') astray.push(...takeAstray(part))
      }
      takeAstray(child)
    }
    if (child.name !== 'tr') {
      group = null
      children.push(child)
      continue
    }
    astray.push(...takeAstray(child))
    if (!group) {
      group = { name: 'tbody', attributes: [], children: [] }
      children.push(group)
    }
    group.children.push(child)
  }
  table.children = children
  return astray
}

const arrange = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return [node]
    const astray = node.name === 'table' ? arrangeTable(node) : []
    const [first] = node.children
    if (node.name === 'pre' && typeof first === 'string' && first.startsWith('\n')) node.children[0] = first.slice(1)
    node.children = arrange(node.children)
    return [...astray, node]
  })

const show = (nodes: readonly Node[]): string => {
  const parts: Node[] = []
  for (const node of nodes) {
    const last = parts.at(-1)
    if (typeof node === 'string' && typeof last === 'string') parts[parts.length - 1] = last + node
    else parts.push(node)
  }
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      if (typeof part === 'string') return ` ${JSON.stringify(part)}`
      const attributes = [...part.attributes]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
      return ` (${part.name}${attributes.join('')}${show(part.children)})`
    })
    .join('')
}

/**
 * The DOM that every browser must build from our HTML, printed as `(p "text" (b "more"))`.
 * @throws Error for HTML that is not in our serialization
 */
export const writtenTree = (html: string): string => show(arrange(parse(html.toWellFormed().replace(/\r\n?/g, '\n'))))
