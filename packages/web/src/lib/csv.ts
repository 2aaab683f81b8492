/** Escapes values that a spreadsheet would interpret as formulas. */
const cell = (value: string | number): string => {
  const text = String(value)
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Downloads rows as CSV, with a byte order mark so that spreadsheets read it as UTF-8. */
export const downloadCsv = (name: string, rows: readonly (readonly (string | number)[])[]): void => {
  const text = `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
