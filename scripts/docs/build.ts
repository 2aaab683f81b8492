import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { problemsOf } from './check.ts'
import { layout } from './layout.ts'
import { navigationOf, orderOf } from './navigation.ts'
import { type Page, renderPage, type Site } from './render.ts'
import { readSources } from './sources.ts'
import { addVersion, versionOf } from './versions.ts'

const BROWSER = join(import.meta.dirname, 'browser')
const CREDITS = '/*! Contains MiniSearch (MIT license), https://github.com/lucaong/minisearch */'

/** The script of all pages. */
const bundleScript = async (folder: string): Promise<void> => {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: join(BROWSER, 'site.ts'), platform: 'browser' })
  await bundle.write({ file: join(folder, 'assets/site.js'), format: 'es', minify: true, postBanner: CREDITS })
  await bundle.close()
}

const writePages = (folder: string, site: Site, pages: readonly Page[]): void => {
  const version = versionOf(site.release)
  const parts = navigationOf(site.sources)
  const order = orderOf(parts)
  for (const page of pages) {
    mkdirSync(dirname(join(folder, page.out)), { recursive: true })
    writeFileSync(join(folder, page.out), layout(page, version, parts, order))
  }
  for (const asset of site.assets) cpSync(join(site.root, asset), join(folder, asset.slice('docs/'.length)))
  mkdirSync(join(folder, 'assets'), { recursive: true })
  cpSync(join(BROWSER, 'site.css'), join(folder, 'assets/site.css'))
  writeFileSync(join(folder, 'assets/search.json'), JSON.stringify(pages.flatMap(({ sections }) => sections)))
}

/**
 * Builds the documentation of the repository in `root` into the folder of its version in `out`, which may have other versions.
 * @returns the number of pages, and what is wrong with them
 */
export const buildDocs = async (root: string, out: string): Promise<{ pages: number; problems: string[] }> => {
  const { version: release } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const site: Site = { root, release, sources: readSources(root), assets: new Set(), problems: [] }
  const pages = [...site.sources.values()].map((source) => renderPage(site, source))
  const folder = join(out, versionOf(release))
  rmSync(folder, { recursive: true, force: true })
  writePages(folder, site, pages)
  await bundleScript(folder)
  const problems = [...site.problems, ...problemsOf(folder, pages)]
  addVersion(out, versionOf(release))
  return { pages: pages.length, problems }
}
