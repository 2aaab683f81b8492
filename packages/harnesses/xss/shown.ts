import type { Route } from '@lyceum/contract'
import type { Kind, Shown } from './browser.ts'

type Schema = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Schema => value !== null && typeof value === 'object' && !Array.isArray(value)

const DEEPEST = 9
const known = new WeakMap<Route, ReadonlySet<string>>()

/** The fields of a response that contain HTML according to the contract, with * for list items. */
const htmlPathsOf = (route: Route): ReadonlySet<string> => {
  const found = known.get(route)
  if (found) return found
  const paths = new Set<string>()
  const look = (schema: unknown, path: string, depth: number) => {
    if (!isObject(schema) || depth > DEEPEST) return
    const { description = '', properties, items, anyOf } = schema
    if (/\bHTML\b/.test(String(description)) || /(?:_rendered|\.html)$/.test(path)) paths.add(path)
    if (isObject(properties)) for (const [name, one] of Object.entries(properties)) look(one, `${path}.${name}`, depth + 1)
    if (items) look(items, `${path}.*`, depth + 1)
    if (Array.isArray(anyOf)) for (const one of anyOf) look(one, path, depth + 1)
  }
  look(route.response, '', 0)
  known.set(route, paths)
  return paths
}

const LEADS =
  /(?:^|\.)(?:social_links\.\w+|\w*(?:url|link|permalink|website|avatar|photo|image|images|logo|favicon|thumbnail|href|src|video|redirect)(?:\.\*)?|cta\w*\.link)$/i
/** Objects that clients store freely, and a flag. */
const FREE = /\.(?:conditions|headers|meta|meta_settings)\.url$|\.useCustomUrl$/
const DRAWN = /(?:^|\.)shape_svg$/
const STYLED = /(?:^|\.)custom_css$/

/** How a web app shows the value at this path. */
export const kindOf = (path: string, html: ReadonlySet<string>): Kind => {
  if (html.has(path) || /_rendered$/.test(path)) return 'html'
  if (DRAWN.test(path)) return 'drawing'
  if (STYLED.test(path)) return 'style'
  return LEADS.test(path) && !FREE.test(path) ? 'address' : 'text'
}

/** Every text in a response, and how it is shown. */
export function* textsOf(body: unknown, route: Route | undefined): Generator<{ path: string; kind: Kind; value: string }> {
  const html = route ? htmlPathsOf(route) : new Set<string>()
  const look = function* (value: unknown, path: string): Generator<{ path: string; kind: Kind; value: string }> {
    if (typeof value === 'string') yield { path, kind: kindOf(path, html), value }
    else if (Array.isArray(value)) for (const item of value) yield* look(item, `${path}.*`)
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) yield* look(one, `${path}.${name}`)
  }
  yield* look(body, '')
}

/** Texts that no payload is part of. */
const PLAIN = /^[\w .:/@?=&#+,-]*$/

/** Collects the values that responses show, without duplicates. */
export const createCollection = () => {
  const shown = new Map<string, Shown>()
  return {
    add: (from: string, body: unknown, route: Route | undefined) => {
      for (const { path, kind, value } of textsOf(body, route)) {
        const isPlain = PLAIN.test(value) && !(kind === 'address' && !/^(?:https?:|\/|$)/.test(value))
        const key = `${kind} ${value}`
        if (!isPlain && !shown.has(key)) shown.set(key, { kind, value, from: `${from} ${path}` })
      }
    },
    all: (): readonly Shown[] => [...shown.values()],
  }
}
export type Collection = ReturnType<typeof createCollection>
