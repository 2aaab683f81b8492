import type { ResultColumn } from './describe.ts'
import type { RowField } from './row-types.ts'

const typesOf = (type: string) =>
  new Set(type.split(' | ').map((part) => (/^["'`]/.test(part) ? 'string' : /^-?\d/.test(part) ? 'number' : part)))
const PLAIN = new Set(['string', 'number', 'boolean', 'true', 'false', 'null', 'undefined'])

/** How the columns of a result differ from the declared row: columns that are missing, and types that no value of the column has. */
export const differences = (row: readonly RowField[], columns: readonly ResultColumn[]): string[] => {
  const byName = new Map(columns.map((column) => [column.name, column]))
  return row.flatMap(({ name, isOptional, type }) => {
    const column = byName.get(name)
    if (!column) return isOptional ? [] : [`has no column ${name}`]
    const declared = typesOf(type)
    const isKnown = column.type !== null && [...declared].every((part) => PLAIN.has(part))
    const fits =
      column.type === 'boolean' ? declared.has('boolean') || declared.has('true') || declared.has('false') : declared.has(column.type ?? '')
    return isKnown && !fits ? [`${name} is a ${column.type}, not ${type}`] : []
  })
}
