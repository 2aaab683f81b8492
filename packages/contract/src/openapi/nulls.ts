import type { Node } from './schemas.ts'

const hasNull = ({ type, anyOf }: Node): boolean =>
  Array.isArray(type) ? type.includes('null') : Array.isArray(anyOf) && anyOf.some((part: Node) => part['type'] === 'null')

const fieldsWithNull = ({ properties }: Node): string[] =>
  Object.entries((properties ?? {}) as Readonly<Record<string, Node>>).flatMap(([name, field]) => (hasNull(field) ? [name] : []))

/** The part of the description that says which fields of answers may be null. It is read from the shapes, so that it holds. */
export const nullTable = (schemas: Readonly<Record<string, Node>>): string => {
  const rows = Object.entries(schemas).flatMap(([title, schema]) => {
    const fields = fieldsWithNull(schema)
    return fields.length === 0 || title.endsWith('Input') ? [] : [`| ${title} | ${fields.map((name) => `\`${name}\``).join(', ')} |`]
  })
  return `
## Null
An id, datetime, number or object that there is none of is \`null\`, not 0 and not left out; a text that there is none of is \`""\`, and a list \`[]\`.
A field that is not required, such as \`comparison\` without \`compare\`, is left out instead. These fields may be null:

| Shape | Fields |
|---|---|
${rows.join('\n')}
`.trim()
}
