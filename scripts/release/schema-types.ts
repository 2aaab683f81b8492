/** A JSON schema of the OpenAPI document. */
export type Schema = { readonly [keyword: string]: unknown }

const REFERENCE = '#/components/schemas/'
const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Lines of a documentation comment; none without text. */
export const comment = (indent: string, ...paragraphs: readonly (string | undefined)[]): string => {
  const texts = paragraphs.filter((text) => text).map((text) => String(text).replaceAll('*/', '*\\/'))
  if (texts.length === 0) return ''
  const lines = texts.join('\n\n').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`
}

const descriptionOf = ({ description, default: usual }: Schema): string | undefined => {
  const text = typeof description === 'string' ? description : undefined
  return usual === undefined || text?.includes('efault') ? text : [text, `Default: \`${JSON.stringify(usual)}\`.`].filter(Boolean).join(' ')
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')
const grouped = (type: string) => (type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type)

/** The fields of an object type, each with its description. */
export const fields = (properties: Readonly<Record<string, Schema>>, required: readonly string[], indent: string): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? '' : '?'
      return `${comment(indent, descriptionOf(schema))}${indent}${key(name)}${optional}: ${typeOf(schema, indent)}\n`
    })
    .join('')

const objectOf = (schema: Schema, indent: string): string => {
  const { properties, required = [], additionalProperties } = schema
  const named = (properties ?? {}) as Readonly<Record<string, Schema>>
  const names = Object.keys(named)
  if (names.length === 0 && additionalProperties === undefined) return properties ? 'Record<string, never>' : 'Record<string, unknown>'
  const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties as Schema, indent) : 'unknown'
  if (names.length === 0) return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${rest}>`
  const inner = `${indent}  `
  const others = additionalProperties ? `${inner}[name: string]: unknown\n` : ''
  return `{\n${fields(named, required as readonly string[], inner)}${others}${indent}}`
}

const ofType = (type: string, schema: Schema, indent: string): string => {
  if (type === 'object') return objectOf(schema, indent)
  if (type === 'array') return schema['items'] ? `${grouped(typeOf(schema['items'] as Schema, indent))}[]` : 'unknown[]'
  if (type === 'string' && schema['format'] === 'binary') return 'Blob'
  const primitive = PRIMITIVES[type]
  if (primitive === undefined) throw new Error(`the type ${type} is unknown`)
  return primitive
}

/** The TypeScript type of the values that a schema accepts. */
export const typeOf = (schema: Schema, indent = ''): string => {
  const { $ref: reference, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema
  if (typeof reference === 'string') {
    if (!reference.startsWith(REFERENCE)) throw new Error(`${reference} is not a schema`)
    return reference.slice(REFERENCE.length)
  }
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return union(choices.map((choice) => typeOf(choice, indent)))
  if (Array.isArray(allOf)) return allOf.map((part) => grouped(typeOf(part, indent))).join(' & ')
  if (Array.isArray(type)) return union(type.map((one) => ofType(one, schema, indent)))
  return typeof type === 'string' ? ofType(type, schema, indent) : 'unknown'
}
