import { globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Parser } from 'htmlparser2'
import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS, type Section } from './browser/search-options.ts'
import type { Page } from './render.ts'

interface Links {
  readonly ids: ReadonlySet<string>
  readonly links: readonly string[]
  /** What the browser loads by itself. */
  readonly loads: readonly string[]
}

const linksOf = (html: string): Links => {
  const [ids, links, loads] = [new Set<string>(), [] as string[], [] as string[]]
  const parser = new Parser({
    onopentag: (name, { id, href, src }) => {
      if (id) ids.add(id)
      if (href) (name === 'link' ? loads : links).push(href)
      if (src) loads.push(src)
    },
  })
  parser.end(html)
  return { ids, links, loads }
}

const isExternal = (link: string) => /^(?:[a-z][a-z+.-]*:|\/)/i.test(link)

/** How far down a page may be among the results for its own title. */
const FOUND_WITHIN = 10

/** Problems of a built version: links and anchors without a target, files of other hosts, pages that the search does not find. */
export const problemsOf = (folder: string, pages: readonly Page[]): string[] => {
  const problems: string[] = []
  const files = new Map(
    globSync('**/*.html', { cwd: folder }).map((file) => [file.replaceAll('\\', '/'), linksOf(readFileSync(join(folder, file), 'utf8'))]),
  )
  for (const { path, out } of pages) if (!files.has(out)) problems.push(`${path} is not in the site`)
  for (const [file, { links, loads }] of files) {
    for (const load of loads) if (isExternal(load) && load !== 'data:,') problems.push(`${file} loads ${load}`)
    for (const link of [...links, ...loads].filter((one) => !isExternal(one))) {
      const [path = '', anchor] = link.split('#')
      const target = path ? posix.join(posix.dirname(file), path) : file
      const found = statSync(join(folder, target), { throwIfNoEntry: false })?.isFile()
      if (!found) problems.push(`${file}: ${link} has no target`)
      else if (anchor && !files.get(target)?.ids.has(decodeURIComponent(anchor))) problems.push(`${file}: ${link} has no anchor`)
    }
  }
  const index = new MiniSearch<Section>(SEARCH_OPTIONS)
  index.addAll(JSON.parse(readFileSync(join(folder, 'assets/search.json'), 'utf8')) as Section[])
  for (const { out, title } of pages) {
    const found = index.search(title).map(({ id }) => String(id).split('#')[0])
    if (![...new Set(found)].slice(0, FOUND_WITHIN).includes(out)) problems.push(`${out}: the search does not find “${title}”`)
  }
  return problems
}
