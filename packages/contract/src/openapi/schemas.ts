import type { TSchema } from 'typebox'

/** A schema, or a part of one, as it stands in the document. */
export type Node = { readonly [key: string]: unknown }

const CLAMPED = 'A larger value is cut to the maximum.'

const DATETIME = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$'

const sentences = (...texts: unknown[]) =>
  texts
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text) => String(text).replace(/([^.!?:])$/, '$1.'))
    .join(' ')

const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords whose members are schemas by name, and those that hold data and no schema. */
const MAPS = new Set(['properties', 'patternProperties', '$defs'])
const DATA = new Set(['enum', 'const', 'default', 'examples'])

/**
 * Collects the shapes that carry a title, so that each appears once in the document and everywhere else as a reference.
 * Two shapes with one title are a mistake in the contract and throw.
 */
export const createComponents = () => {
  const components = new Map<string, { readonly text: string; readonly schema: Node }>()

  const inner = (schema: Node): Node => {
    const { title: _title, 'x-clamp': clamp, format, description, ...keywords } = schema
    const out: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(keywords)) {
      // Keywords of our own are for the server.
      if (key.startsWith('x-')) continue
      if (DATA.has(key)) out[key] = value
      else if (MAPS.has(key) && isObject(value))
        out[key] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, place(part as Node)]))
      else if (Array.isArray(value)) out[key] = value.map((part) => (isObject(part) ? place(part) : part))
      else out[key] = isObject(value) ? place(value) : value
    }
    const said = clamp ? sentences(description, CLAMPED) : description
    return {
      ...out,
      ...(format === 'datetime' ? { pattern: DATETIME } : format === undefined ? {} : { format }),
      ...(said === undefined ? {} : { description: said }),
    }
  }

  /** The reference to a named shape; what is said about it here and not there goes along. */
  const register = (title: string, schema: Node): Node => {
    const { description, ...shape } = schema
    const text = JSON.stringify(shape)
    const known = components.get(title)
    if (known && known.text !== text) throw new Error(`two different shapes are called ${title}`)
    if (!known) {
      // Takes its place before its parts do: a shape may hold itself.
      components.set(title, { text, schema: {} })
      components.set(title, { text, schema: inner(schema) })
    }
    const own = components.get(title)?.schema.description
    return { $ref: `#/components/schemas/${title}`, ...(description === undefined || description === own ? {} : { description }) }
  }

  const place = (schema: Node): Node => {
    const { title, type } = schema
    if (typeof title !== 'string') return inner(schema)
    if (!Array.isArray(type) || !type.includes('null')) return register(title, schema)
    const types = type.filter((name) => name !== 'null')
    return { anyOf: [register(title, { ...schema, type: types.length === 1 ? types[0] : types }), { type: 'null' }] }
  }

  return {
    /** The schema as it goes into the document, with references in place of named shapes. */
    place: (schema: TSchema): Node => place(JSON.parse(JSON.stringify(schema)) as Node),
    all: (): Record<string, Node> =>
      Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, { schema }]) => [title, schema])),
  }
}

export type Components = ReturnType<typeof createComponents>
