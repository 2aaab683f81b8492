import type { Node } from './schemas.ts'

const hasNull = ({ type, anyOf }: Node): boolean =>
  Array.isArray(type) ? type.includes('null') : Array.isArray(anyOf) && anyOf.some((part: Node) => part['type'] === 'null')

const fieldsWithNull = ({ properties }: Node): string[] =>
  Object.entries((properties ?? {}) as Readonly<Record<string, Node>>).flatMap(([name, field]) => (hasNull(field) ? [name] : []))

/** The section of the description about null, with the nullable fields of the schemas. */
export const nullTable = (schemas: Readonly<Record<string, Node>>): string => {
  const rows = Object.entries(schemas).flatMap(([title, schema]) => {
    const fields = fieldsWithNull(schema)
    return fields.length === 0 || title.endsWith('Input') ? [] : [`| ${title} | ${fields.map((name) => `\`${name}\``).join(', ')} |`]
  })
  return `
## Null
Missing ids, times, numbers and objects are \`null\`, not 0 and not absent; missing texts are \`""\` and missing lists \`[]\`.
Only fields that are not required, such as \`comparison\` without \`compare\`, can be absent. These fields can be null:

| Schema | Fields |
|---|---|
${rows.join('\n')}
`.trim()
}
