import type { Node } from './schemas.ts'

const hasNull = ({ type, anyOf }: Node): boolean =>
  Array.isArray(type) ? type.includes('null') : Array.isArray(anyOf) && anyOf.some((part: Node) => part['type'] === 'null')

const fieldsWithNull = ({ properties }: Node): string[] =>
  Object.entries((properties ?? {}) as Readonly<Record<string, Node>>).flatMap(([name, field]) => (hasNull(field) ? [name] : []))

/** Fields that are never null, since clients may rely on their type, and what they are instead. */
export const OTHERWISE = [
  ['Feed', 'parent_id', '0'],
  ['Reaction', 'parent_id', '0 for a reaction to a feed'],
  ['Report', 'moderator_id', '0 until somebody decided'],
  ['Manager', 'assigned_by', '0 if it is unknown'],
  ['Follow status', 'status', 'empty'],
  ['Follow status', 'followed_at', 'absent'],
] as const

/** The section of the description about null, with the nullable fields of the schemas. */
export const nullTable = (schemas: Readonly<Record<string, Node>>): string => {
  const rows = Object.entries(schemas).flatMap(([title, schema]) => {
    const fields = fieldsWithNull(schema)
    return fields.length === 0 || title.endsWith('Input') ? [] : [`| ${title} | ${fields.map((name) => `\`${name}\``).join(', ')} |`]
  })
  return `
## Null
Missing ids, times, numbers and objects are \`null\`, not 0 and not absent, but for the fields of the second table; missing texts are \`""\` and missing lists \`[]\`.
Only fields that are not required, such as \`comparison\` without \`compare\`, can be absent. These fields can be null:

| Schema | Fields |
|---|---|
${rows.join('\n')}

These have another value where there is nothing:

| Object | Field | Value |
|---|---|---|
${OTHERWISE.map(([object, field, value]) => `| ${object} | \`${field}\` | ${value} |`).join('\n')}
`.trim()
}
