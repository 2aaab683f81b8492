import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openapiDocument } from '@lyceum/contract/openapi'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SEARCH_OPTIONS, type Section } from './browser/search-options.ts'
import { buildDocs } from './build.ts'
import { navigationOf, orderOf } from './navigation.ts'
import { readSources } from './sources.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Builds the documentation of a small repository. */
const build = async (name: string, files: Record<string, string>, version = '0.1.0') => {
  const source = join(folder, name)
  for (const [path, text] of Object.entries({ 'package.json': JSON.stringify({ version }), ...files })) {
    mkdirSync(dirname(join(source, path)), { recursive: true })
    writeFileSync(join(source, path), text)
  }
  const { problems } = await buildDocs(source, join(source, 'site'))
  return { problems, read: (path: string) => readFileSync(join(source, 'site', path), 'utf8') }
}

describe('the site of this repository', () => {
  const out = join(folder, 'real')
  let built: Awaited<ReturnType<typeof buildDocs>>
  const read = (path: string) => readFileSync(join(out, 'latest', path), 'utf8')
  beforeAll(async () => {
    built = await buildDocs(root, out)
  })

  test('has no dead links', () => {
    expect(built.problems).toEqual([])
    expect(built.pages).toBeGreaterThan(70)
  })

  test('has every page of docs/, and the pages beside it that the index names', () => {
    for (const page of globSync('**/*.md', { cwd: join(root, 'docs') }))
      expect(read(page.replace('README.md', 'index.md').replace(/md$/, 'html'))).toContain('<h1')
    expect(read('project/changelog.html')).toContain('Changelog')
    expect(read('project/packages/sdk/index.html')).toContain('createClient')
  })

  test('has the guides to which the API reference links', () => {
    const { externalDocs } = openapiDocument('/api/v2', { groups: {}, examples: {} })
    const [, page = ''] = /^https:\/\/lyceum-community\.github\.io\/lyceum\/(.+)$/.exec(`${externalDocs['url']}`) ?? []
    expect(readFileSync(join(out, page), 'utf8')).toContain('<h1')
  })

  test('lists every page in the navigation, except single decision records', () => {
    const sources = readSources(root)
    const listed = new Set(orderOf(navigationOf(sources)).map(({ href }) => href))
    const others = [...sources.values()].filter(
      ({ path, out: page }) => !/^docs\/(?:README|adr\/\d.*)\.md$/.test(path) && !listed.has(page),
    )
    // The index links to a section of it.
    expect(others.map(({ path }) => path)).toEqual(['README.md'])
  })

  test('loads nothing from elsewhere', () => {
    expect(read('assets/site.js')).not.toMatch(/fetch\(["'`]https?:/)
    expect(read('assets/site.css')).not.toMatch(/url\(|@import/)
  })

  test.each([
    ['backup', 'guide/backup-and-restore.html'],
    ['nginx', 'guide/reverse-proxy.html'],
    ['webhook signature', 'api/webhooks.html'],
    ['webhok', 'guide/webhooks.html'],
    ['LYCEUM_CORS_ORIGINS', 'guide/configuration.html'],
  ])('finds %s', (query, page) => {
    const index = new MiniSearch<Section>(SEARCH_OPTIONS)
    index.addAll(JSON.parse(read('assets/search.json')))
    const found = index.search(query).map(({ id }) => String(id).split('#')[0])
    expect([...new Set(found)].slice(0, 5)).toContain(page)
  })
})

test('links lead to pages, pictures, and files of the repository', async () => {
  const { problems, read } = await build('links', {
    'docs/README.md': '# Index\n\n## Guide\n\n- [Mail](guide/mail.md)\n- [Log](../LOG.md#new)\n',
    'docs/guide/mail.md':
      '# Mail & <more>\n\n[Index](../README.md) ![P](../p.png) [C](../../src/c.ts) [S](../../src/) `{x} <y>`\n\n## A\n\n## A\n\n[A](#a-1)\n',
    'docs/p.png': 'P',
    'LOG.md': '# Log\n\n## New\n\n<img src="docs/p.png" alt="P">\n',
    'src/c.ts': '',
  })
  expect(problems).toEqual([])
  const mail = read('0.1/guide/mail.html')
  expect(mail).toContain('<a href="../index.html">Index</a>')
  expect(mail).toContain('<img src="../p.png"')
  expect(mail).toContain('<a href="https://github.com/lyceum-community/lyceum/blob/v0.1.0/src/c.ts">')
  expect(mail).toContain('<a href="https://github.com/lyceum-community/lyceum/tree/v0.1.0/src">')
  expect(mail).toContain('<code>{x} &lt;y&gt;</code>')
  expect(mail).toContain('<title>Mail &amp;  – Lyceum 0.1</title>')
  expect(mail).toContain('href="https://github.com/lyceum-community/lyceum/edit/main/docs/guide/mail.md"')
  expect(mail).toContain('href="../project/log.html#new"')
  expect(read('0.1/project/log.html')).toContain('<img src="../p.png"')
})

test('a link, an anchor or a title that is missing fails the build', async () => {
  const { problems } = await build('broken', {
    'docs/README.md': '# Index\n\n[a](gone.md) [b](#none) [c](page.md#none) [d](../../etc/passwd)\n\n<img src="http://x.example/p.png">\n',
    'docs/page.md': 'No title\n\n## Section\n',
  })
  expect(problems.map((problem) => problem.replace(/https:\/\/github\S+/, ''))).toEqual([
    'docs/README.md: gone.md leads nowhere',
    'docs/README.md: ../../etc/passwd leads nowhere',
    'docs/page.md: a page needs exactly one title, at its beginning',
    'index.html loads http://x.example/p.png',
    'index.html: #none has no anchor',
    'index.html: page.html#none has no anchor',
  ])
})

test('the navigation follows the indexes', () => {
  const page = (path: string, out: string, text: string) => [path, { path, out, text }] as const
  const parts = navigationOf(
    new Map([
      page(
        'docs/README.md',
        'index.html',
        '# D\n\n## Operate\n\n[Index](g/README.md) [B](g/b.md)\n\n## Other\n\n[C](c.md) [again](c.md)\n',
      ),
      page(
        'docs/g/README.md',
        'g/index.html',
        '# G\n\n## First\n\n- [A](a.md): text\n\n## Second\n\n- [B](b.md), [site](https://x.example)\n',
      ),
      page('docs/g/a.md', 'g/a.html', '# A\n'),
      page('docs/g/b.md', 'g/b.html', '# B\n'),
      page('docs/c.md', 'c.html', '# C\n'),
    ]),
  )
  const entry = (label: string, href: string) => ({ label, href })
  expect(parts).toEqual([
    {
      title: 'Operate',
      href: 'g/index.html',
      groups: [
        { title: 'First', entries: [entry('A', 'g/a.html')] },
        { title: 'Second', entries: [entry('B', 'g/b.html')] },
      ],
    },
    { title: 'Other', href: null, groups: [{ title: '', entries: [entry('C', 'c.html')] }] },
  ])
})

test('a site keeps its other versions, and latest is the newest of them', async () => {
  const files = { 'docs/README.md': '# Index\n' }
  await build('versions', files, '0.9.0')
  await build('versions', files, '0.10.2')
  const { read } = await build('versions', files, '0.9.1')
  expect(JSON.parse(read('versions.json'))).toEqual({ latest: '0.10', versions: ['0.10', '0.9'] })
  expect(read('latest/index.html')).toContain('data-version="0.10"')
  expect(read('0.9/index.html')).toContain('data-version="0.9"')
  expect(read('index.html')).toContain('url=latest/index.html')
})
