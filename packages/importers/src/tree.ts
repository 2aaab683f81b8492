import type { Report } from './report.ts'

/** The files of a course by path, with forward slashes. */
export type Tree = ReadonlyMap<string, Buffer>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The first line that is not valid UTF-8. */
const brokenLine = (content: Buffer): number => {
  let line = 1
  for (let at = 0; at < content.length; line++) {
    const next = content.indexOf(10, at)
    const end = next < 0 ? content.length : next
    try {
      utf8.decode(content.subarray(at, end))
    } catch {
      return line
    }
    at = end + 1
  }
  return 1
}

/** Decodes a file as UTF-8; returns null after reporting an error. */
export const decodeText = (tree: Tree, path: string, report: Report): string | null => {
  const content = tree.get(path) ?? Buffer.alloc(0)
  try {
    const text = utf8.decode(content)
    const zero = text.indexOf('\0')
    if (zero < 0) return text
    report.error(path, text.slice(0, zero).split('\n').length, 'it is not a text file')
  } catch {
    report.error(path, brokenLine(content), 'it is not encoded in UTF-8: save it as UTF-8')
  }
  return null
}
