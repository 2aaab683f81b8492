import type { TSchema } from 'typebox'
import { describe, type Scope } from './descriptions.ts'

/** A schema, or a part of one, of the document. */
export type Node = { readonly [key: string]: unknown }

const CLAMPED = 'Larger values are reduced to the maximum.'

const DATETIME = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'

const sentences = (...texts: unknown[]) =>
  texts
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text) => String(text).replace(/([^.!?:])$/, '$1.'))
    .join(' ')

const plain = (schema: TSchema) => JSON.parse(JSON.stringify(schema)) as Node

const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords whose values are maps of schemas. */
const MAPS = new Set(['patternProperties', '$defs'])
/** Keywords whose values are data. */
const DATA = new Set(['enum', 'const', 'default', 'examples'])

/**
 * Collects the schemas that have a title. Each of them is one component of the document, and a reference everywhere else.
 * @throws if two different schemas have one title
 */
export const createComponents = () => {
  const components = new Map<string, { readonly text: string; readonly schema: Node }>()

  /** Adds the shared description of a field that has none of its own. */
  const field = (name: string, schema: Node, scope: Scope): Node => {
    const inside = [...scope, name]
    const { title, const: constant, description } = schema
    if (constant !== undefined || (description !== undefined && title === undefined)) return place(schema, inside)
    // Several fields contain the position of a page; its schema identifies them.
    const shared = describe(title === 'Pagination' ? 'pagination' : name, scope)
    const described = shared === undefined ? {} : { description: shared }
    // A component describes itself; a field that says nothing else has the shared description.
    return title === undefined ? place({ ...schema, ...described }, inside) : { ...described, ...place(schema, inside) }
  }

  const inner = (schema: Node, scope: Scope): Node => {
    const { title: _title, 'x-clamp': clamp, 'x-shape': shape, format, description, ...keywords } = schema
    if (shape) {
      const reference = place(shape as Node, scope)
      const types = keywords['type']
      return {
        ...(Array.isArray(types) && types.includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference),
        ...(description === undefined ? {} : { description }),
      }
    }
    const out: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(keywords)) {
      // Private keywords are for the server.
      if (key.startsWith('x-')) continue
      if (DATA.has(key)) out[key] = value
      else if (key === 'properties')
        out[key] = Object.fromEntries(Object.entries(value as Node).map(([name, part]) => [name, field(name, part as Node, scope)]))
      else if (MAPS.has(key) && isObject(value))
        out[key] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, place(part as Node, scope)]))
      else if (Array.isArray(value)) out[key] = value.map((part) => (isObject(part) ? place(part, scope) : part))
      else out[key] = isObject(value) ? place(value, scope) : value
    }
    const text = clamp ? sentences(description, CLAMPED) : description
    return {
      ...out,
      ...(format === 'datetime' ? { pattern: DATETIME } : format === undefined ? {} : { format }),
      ...(text === undefined ? {} : { description: text }),
    }
  }

  /** The reference to a component, with the description of the field if it differs from that of the component. */
  const register = (title: string, schema: Node): Node => {
    const { description, ...shape } = schema
    const text = JSON.stringify(shape)
    const known = components.get(title)
    if (known && known.text !== text) throw new Error(`two different shapes are called ${title}`)
    if (!known) {
      // Registered before its parts, since a schema can contain itself.
      components.set(title, { text, schema: {} })
      components.set(title, { text, schema: inner(schema, [title]) })
    }
    const own = components.get(title)?.schema['description']
    return { $ref: `#/components/schemas/${title}`, ...(description === undefined || description === own ? {} : { description }) }
  }

  const place = (schema: Node, scope: Scope): Node => {
    const { title, type } = schema
    if (typeof title !== 'string') return inner(schema, scope)
    if (!Array.isArray(type) || !type.includes('null')) return register(title, schema)
    const types = type.filter((name) => name !== 'null')
    const { description, ...reference } = register(title, { ...schema, type: types.length === 1 ? types[0] : types })
    return { anyOf: [reference, { type: 'null' }], ...(description === undefined ? {} : { description }) }
  }

  return {
    /** The schema as part of the document, with references instead of components. */
    place: (schema: TSchema, scope: Scope): Node => place(plain(schema), scope),
    /** The same for a field or parameter, with its description. */
    field: (name: string, schema: TSchema, scope: Scope): Node => field(name, plain(schema), scope),
    all: (): Record<string, Node> =>
      Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, { schema }]) => [title, schema])),
  }
}

export type Components = ReturnType<typeof createComponents>
