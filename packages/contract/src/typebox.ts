import type { Type as TypeBox } from 'typebox'

type Builder = Pick<
  typeof TypeBox,
  'String' | 'Object' | 'Optional' | 'Array' | 'Integer' | 'Boolean' | 'Unsafe' | 'Number' | 'Partial' | 'Pick' | 'Null' | 'Literal'
>

type Schema = Record<string, unknown>
type Properties = Record<string, Schema>

const hide = (schema: Schema, name: string, value: unknown): Schema => Object.defineProperty(schema, name, { value, configurable: true })
const isOptional = (schema: Schema) => schema['~optional'] === true

/** A copy that includes non-enumerable properties, so that a schema can be used both required and optional. */
const copied = (schema: Schema): Schema => Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))

const ofKind = (kind: string, schema: Schema) => hide(schema, '~kind', kind)
const simple = (kind: string, type: string) => (options?: Schema) => ofKind(kind, { type, ...options })

const optional = (schema: Schema) => hide(copied(schema), '~optional', true)

const object = (properties: Properties, options?: Schema) => {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name] as Schema))
  return ofKind('Object', { type: 'object', ...(required.length > 0 && { required }), properties, ...options })
}

const partial = ({ properties }: { properties: Properties }) =>
  object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema)])))

const pick = ({ properties }: { properties: Properties }, names: readonly string[]) =>
  object(Object.fromEntries(names.map((name) => [name, properties[name] as Schema])))

/**
 * The schema builders that the contract uses. They return the same schemas as TypeBox and have its types; importing TypeBox itself would
 * add a sixth to the files that the server loads at startup.
 */
export const Type = {
  String: simple('String', 'string'),
  Integer: simple('Integer', 'integer'),
  Number: simple('Number', 'number'),
  Boolean: simple('Boolean', 'boolean'),
  Null: simple('Null', 'null'),
  Literal: (value: string | number | boolean, options?: Schema) => ofKind('Literal', { type: typeof value, const: value, ...options }),
  Array: (items: Schema, options?: Schema) => ofKind('Array', { type: 'array', items, ...options }),
  Object: object,
  Optional: optional,
  Partial: partial,
  Pick: pick,
  Unsafe: (schema: Schema) => hide(copied(schema), '~unsafe', null),
} as unknown as Builder
