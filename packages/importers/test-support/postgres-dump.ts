type Value = string | number | boolean | null | object

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const copyValue = (value: Value | undefined): string => {
  if (value === null || value === undefined) return '\\N'
  const text = typeof value === 'boolean' ? (value ? 't' : 'f') : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] as string)
}

/** A dump as pg_dump writes it. Columns are those of the first row; objects are written as JSON. */
export const postgresDump = (tables: Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>): string => {
  const sections = Object.entries(tables).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? { id: null })
    const lines = rows.map((row) => columns.map((column) => copyValue(row[column])).join('\t'))
    return `COPY public.${table} (${columns.map((column) => `"${column}"`).join(', ')}) FROM stdin;\n${[...lines, '\\.'].join('\n')}\n`
  })
  return `--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n\n${sections.join('\n')}`
}
