import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { FileDraft } from './course-model.ts'
import { textAt } from './markdown/fields.ts'
import type { Fields } from './markdown/front-matter.ts'
import type { Report } from './report.ts'
import type { Tree } from './tree.ts'

/** The maximum number of files per lesson, and of the course itself. */
const MOST_FILES_EACH = 50

const LOCAL = /^(?![a-z][a-z0-9+.-]*:|[/\\#?])/i
export const isLocal = (target: string): boolean => target !== '' && LOCAL.test(target)

/** Pages and quizzes become lessons, not files. */
const isPage = (path: string) => /\.(?:md|gift|gift\.txt|xml|ya?ml|json)$/i.test(path)

const decoded = (target: string): string => {
  const path = target.replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27').replaceAll('(', '%28').replaceAll(')', '%29')

/** Resolves relative paths in texts to the URLs of stored files. */
export interface AssetLinks {
  /** Referenced paths. */
  readonly used: Set<string>
  /** The links of one page. */
  page(file: string): Links
}

export interface Links {
  /** Files that the page has referenced so far. */
  readonly files: readonly FileDraft[]
  /** Returns the URL of a file from its path relative to the page. Returns null after adding a report entry if it cannot be used. */
  address(target: string, line: number): string | null
  /** Replaces relative links with URLs of stored files; `line` is the first line of the text. */
  rewrite(text: string, format: 'markdown' | 'html', line: number): string
}

const HTML_LINK = /\b(src|href|poster)(\s*=\s*)(?:"([^"]*)"|'([^']*)')/gi
const MARKDOWN_LINK = /(`+)[^`]*\1|(\]\(\s*|^ {0,3}\[[^\]]+\]:\s*)(?:<([^<>]*)>|((?:[^\s()<>\\]|\([^\s()]*\))+))/g
const FENCE = /^ {0,3}(`{3,}|~{3,})/

const fromHtml = (value: string) =>
  value.replace(/&(amp|quot|#39|lt|gt);/g, (_, name: string) => ({ amp: '&', quot: '"', lt: '<', gt: '>' })[name] ?? "'")

/** `base` is the URL prefix of stored files: `https://community.example/media`. */
export const createAssetLinks = (tree: Tree, base: string, report: Report): AssetLinks => {
  const used = new Set<string>()

  const page = (file: string): Links => {
    const files = new Map<string, FileDraft>()

    const address = (target: string, line: number): string | null => {
      const path = posix.normalize(posix.join(posix.dirname(file), decoded(target)))
      if (path === '..' || path.startsWith('../')) {
        report.error(file, line, `${target} is outside of the course: move the file into the course folder`)
        return null
      }
      if (!tree.has(path)) {
        report.note(file, line, `the link ${target} was kept: there is no file ${path}`)
        return null
      }
      if (isPage(path)) {
        report.note(file, line, `the link ${target} was kept: it links to a page, and pages become lessons with new URLs`)
        return null
      }
      used.add(path)
      const known = files.get(path) ?? { key: randomBytes(16).toString('hex'), path, file, line }
      files.set(path, known)
      if (files.size === MOST_FILES_EACH + 1) report.error(file, line, `it references more than ${MOST_FILES_EACH} files`)
      return `${base}/${known.key}/${encoded(posix.basename(path))}`
    }

    const found = (target: string, line: number) => (isLocal(target) ? address(target, line) : null)

    const htmlLine = (text: string, line: number) =>
      text.replace(HTML_LINK, (whole, name: string, equals: string, double?: string, single?: string) => {
        const to = found(fromHtml(double ?? single ?? ''), line)
        return to === null ? whole : `${name}${equals}"${to}"`
      })

    const markdownLine = (text: string, line: number) =>
      text.replace(MARKDOWN_LINK, (whole, _code?: string, before?: string, pointed?: string, bare?: string) => {
        const to = before === undefined ? null : found(pointed ?? bare ?? '', line)
        return to === null ? whole : `${before}${to}`
      })

    const rewrite = (text: string, format: 'markdown' | 'html', line: number): string => {
      let fence = ''
      return text
        .split('\n')
        .map((each, index) => {
          if (format === 'html') return htmlLine(each, line + index)
          const mark = FENCE.exec(each)?.[1] ?? ''
          if (fence !== '') {
            if (mark.startsWith(fence)) fence = ''
            return each
          }
          fence = mark
          return mark === '' ? markdownLine(each, line + index) : each
        })
        .join('\n')
    }

    return {
      get files() {
        return [...files.values()]
      },
      address,
      rewrite,
    }
  }
  return { used, page }
}

/** The URL in a field, or the URL of the file that it names; empty after an error. */
export const linkAt = (fields: Fields, path: readonly [...(string | number)[], string | number], links: Links): string => {
  const target = textAt(fields, path, '', 2000)
  if (target === '' || /^https?:\/\//i.test(target)) return target
  const line = fields.lineOf(...path)
  const address = isLocal(target) ? links.address(target, line) : null
  if (address === null) fields.report.error(fields.file, line, `${path.at(-1)} must be a URL (https://…) or a file of the course`)
  return address ?? ''
}
