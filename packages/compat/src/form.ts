type Node = Record<string, unknown>

const MOST_FIELDS = 1000
const DEPTH = 8
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** `data[links][0]` → data, links, 0. An empty last part appends to the list. */
const pathOf = (name: string): string[] => {
  const [, first = name, rest = ''] = /^([^[]*)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  return [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, part = '']) => part)]
}

/** Converts maps with the keys 0, 1, 2 … to lists. */
const toLists = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, inner]) => [key, toLists(inner)] as const)
  return entries.length > 0 && entries.every(([key], i) => key === String(i))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries)
}

/** Parses form fields like PHP; undefined if they are too many or nested too deeply. */
export const formFields = (text: string): Node | undefined => {
  const root: Node = Object.create(null)
  let fields = 0
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name)
    if (++fields > MOST_FIELDS || path.length > DEPTH || path.some((part) => FORBIDDEN.has(part))) return undefined
    let node = root
    for (const [i, part] of path.entries()) {
      const key = part === '' && i > 0 ? String(Object.keys(node).length) : part
      if (i === path.length - 1) node[key] = value
      else {
        const inner = node[key]
        node[key] = inner !== null && typeof inner === 'object' ? inner : Object.create(null)
        node = node[key] as Node
      }
    }
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, toLists(value)]))
}
