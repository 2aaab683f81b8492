import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The index of the documentation: it also says which files outside of `docs/` are part of the site. */
export const INDEX = 'docs/README.md'

/** A Markdown file and the path of its page in the site. */
export interface Source {
  readonly path: string
  readonly out: string
  readonly text: string
}

/** `docs/guide/mail.md` becomes `guide/mail.html`, and `CHANGELOG.md` becomes `project/changelog.html`. */
const outOf = (path: string): string => {
  const place = path.startsWith('docs/') ? path.slice('docs/'.length) : `project/${path.toLowerCase()}`
  return place.replace(/readme\.md$/i, 'index.md').replace(/\.md$/, '.html')
}

/** Path in the repository that a relative link of a file leads to. */
export const targetOf = (from: string, link: string): string => posix.join(posix.dirname(from), decodeURI(link)).replace(/\/$/, '')

export const isRelative = (link: string): boolean => link !== '' && !/^(?:[a-z][a-z+.-]*:|[/#])/i.test(link)

export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

/** All pages: the Markdown files of `docs/`, and those that the index links to. */
export const readSources = (root: string): ReadonlyMap<string, Source> => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const inDocs = globSync('docs/**/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const linked = [...read(INDEX).matchAll(/\]\(([^)#\s]+)/g)]
    .flatMap(([, link = '']) => (isRelative(link) ? targetOf(INDEX, link) : []))
    .filter((path) => path.endsWith('.md') && !path.startsWith('../') && isFile(join(root, path)))
  const paths = [...new Set([...inDocs.sort(), ...linked])]
  return new Map(paths.map((path) => [path, { path, out: outOf(path), text: read(path) }]))
}
