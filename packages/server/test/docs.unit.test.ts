import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MEDIA_TYPES } from '@lyceum/contract'
import { describe, expect, test } from 'vitest'
import { lyceum } from '#test/command.ts'
import { describeConfig, unknownVariables } from '../src/config.ts'

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const documents = ['*.md', 'docs/**/*.md', 'bench/*.md', 'packages/*/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))
const pages = globSync('docs/guide/*.md', { cwd: root })
const guide = pages.map(read).join('\n')

/** Removes code, which may look like links or headings. */
const withoutCode = (markdown: string) =>
  markdown.replace(/^( *)```[\s\S]*?^\1```$/gm, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]]/g, ''))

/** Anchors of headings, as GitHub generates them. */
const anchorsOf = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )

const brokenLinksOf = (file: string): string[] => {
  const text = read(file)
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const found = path ? join(dirname(file), path) : file
    if (!existsSync(join(root, found))) return true
    return anchor !== undefined && !anchorsOf(read(found)).includes(anchor)
  })
}

test('the documents are found', () => {
  expect(documents.length).toBeGreaterThan(10)
})

test.each(documents)('every link of %s has a target in this repository', (file) => {
  expect(brokenLinksOf(file)).toEqual([])
})

describe('the operating guide', () => {
  const variables = describeConfig({})

  test('has short pages, all listed in both indexes', () => {
    expect(pages.length).toBeGreaterThan(20)
    const names = pages.map((file) => basename(file)).filter((name) => name !== 'README.md')
    expect(pages.filter((file) => Buffer.byteLength(read(file)) > 12_000)).toEqual([])
    expect(names.filter((name) => !read('docs/guide/README.md').includes(`](${name})`))).toEqual([])
    expect(names.filter((name) => !read('docs/README.md').includes(`](guide/${name})`))).toEqual([])
  })

  test('documents every variable with its default', () => {
    const rows = new Map(
      [...guide.matchAll(/^\| `((?:LYCEUM|OTEL)_\w+)` \| (.*?) \|/gm)].map(([, name = '', fallback = '']) => [name, fallback]),
    )
    expect([...rows.keys()].sort()).toEqual(variables.map(({ name }) => name).sort())
    const others = variables.filter(({ name, default: fallback }) => fallback !== '' && rows.get(name) !== `\`${fallback}\``)
    expect(others.map(({ name }) => name)).toEqual([])
  })

  test('documents every command', async () => {
    const { out } = await lyceum({}, ['--help'])
    const commands = [...out.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
    expect(commands).toContain('serve')
    expect(commands.filter((name) => !guide.includes(`\`lyceum ${name}`))).toEqual([])
  })
})

test('the guides of the API are short, and listed in both indexes', () => {
  const files = globSync('docs/api/*.md', { cwd: root })
  const names = files.map((file) => basename(file)).filter((name) => name !== 'README.md')
  expect(names.length).toBeGreaterThan(5)
  expect(files.filter((file) => Buffer.byteLength(read(file)) > 12_000)).toEqual([])
  expect(names.filter((name) => !read('docs/api/README.md').includes(`](${name})`))).toEqual([])
  expect(names.filter((name) => !read('docs/README.md').includes(`](api/${name})`))).toEqual([])
})

test('the guide to uploads names every type of file', () => {
  expect(MEDIA_TYPES.filter((type) => !read('docs/api/uploads.md').includes(`\`${type}\``))).toEqual([])
})

test.each(documents)('%s names no unknown variable', (file) => {
  const named = new Set(read(file).match(/\bLYCEUM_[A-Z_]*[A-Z]\b/g))
  expect(unknownVariables(Object.fromEntries([...named].map((name) => [name, ''])))).toEqual([])
})
