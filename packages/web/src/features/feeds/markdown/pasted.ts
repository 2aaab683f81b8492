/** Maps heading levels of pasted documents to the editor's levels. */
const HEADINGS: Readonly<Record<string, string>> = { H1: 'h2', H4: 'h3', H5: 'h3', H6: 'h3' }

/** Converts pasted HTML to what the editor supports: two heading levels, and one line per table row. */
export const simplifyPasted = (html: string): string => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const heading of page.querySelectorAll('h1, h4, h5, h6')) {
    const own = page.createElement(HEADINGS[heading.tagName] ?? 'h3')
    own.append(...heading.childNodes)
    heading.replaceWith(own)
  }
  for (const table of page.querySelectorAll('table')) {
    const lines = [...table.rows].map((row) => {
      const line = page.createElement('p')
      line.textContent = [...row.cells].map((cell) => cell.textContent.trim().replace(/\s+/g, ' ')).join(' | ')
      return line
    })
    table.replaceWith(...lines)
  }
  return page.body.innerHTML
}
