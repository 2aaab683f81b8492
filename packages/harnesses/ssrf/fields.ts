import { api, type Route } from '@lyceum/contract'

type Schema = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

/** A text field of an operation. */
export interface TextField {
  readonly id: string
  readonly route: Route
  readonly place: 'body' | 'query'
  /** The path to it; 0 is the first item of a list. */
  readonly path: Path
}

const DEEPEST = 6
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** The places of free text in a schema; unrestricted values may also be addresses. */
const textsIn = (schema: Schema, path: Path = []): Path[] => {
  if (path.length > DEEPEST) return []
  const { type, properties, items, anyOf, patternProperties, enum: choices, const: fixed } = schema as Record<string, unknown>
  if (Array.isArray(anyOf)) return anyOf.filter(isSchema).flatMap((one) => textsIn(one, path))
  if (isSchema(properties)) return Object.entries(properties).flatMap(([name, one]) => (isSchema(one) ? textsIn(one, [...path, name]) : []))
  if (isSchema(items)) return textsIn(items, [...path, 0])
  if (isSchema(patternProperties))
    return Object.values(patternProperties).flatMap((one) => (isSchema(one) ? textsIn(one, [...path, 'url']) : []))
  if (choices !== undefined || fixed !== undefined) return []
  const types = [type].flat()
  if (types.includes(undefined) || types.includes('object')) return path.length > 0 ? [path, [...path, 'url']] : []
  return types.includes('string') ? [path] : []
}

const unique = (paths: readonly Path[]): Path[] => [...new Map(paths.map((path) => [path.join('.'), path])).values()]

/** Every field of every operation that could contain an address. */
export const TEXT_FIELDS: readonly TextField[] = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).flatMap(([name, given]) => {
    const route = given as Route
    return (['body', 'query'] as const).flatMap((place) =>
      route[place]
        ? unique(textsIn(route[place] as unknown as Schema)).map((path) => ({ id: `${group}.${name}`, route, place, path }))
        : [],
    )
  }),
)

export const nameOf = ({ id, path }: TextField): string => `${id} ${path.join('.')}`

/** Sets a value at the path and creates missing parents. */
export const withValue = (base: unknown, path: Path, value: unknown): unknown => {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (typeof first === 'number') {
    const list = Array.isArray(base) ? [...base] : []
    list[first] = withValue(list[first], rest, value)
    return list
  }
  const record = isSchema(base) && !Array.isArray(base) ? base : {}
  return { ...record, [first]: withValue(record[first], rest, value) }
}
