const width = (text: string) => [...text].length

/** A text table. Columns are as wide as their longest cell; the last one is not padded. */
export const textTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - width(cell))))
      .join('  ')
      .trimEnd()
  return `${all.map(line).join('\n')}\n`
}
