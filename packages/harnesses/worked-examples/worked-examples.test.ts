import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyTree, passes, type Tree } from '../mutation/run.ts'

interface Change {
  readonly path: string
  /** The original text, without diff markers; null for a new file. */
  readonly before: string | null
  readonly after: string
}

const guide = readFileSync(join(import.meta.dirname, '../../../CONTRIBUTING.md'), 'utf8')
const side = (lines: readonly string[], mark: '+' | '-') =>
  lines
    .filter((line) => line[0] !== mark)
    .map((line) => line.slice(1))
    .join('\n')

/** The changes of one example: each block belongs to the last path mentioned before it. */
const changesOf = (title: string): Change[] => {
  const section = guide.split(`### ${title}\n`)[1]?.split(/\n###? /)[0] ?? ''
  let path = ''
  return [...section.matchAll(/`(packages\/[\w./-]+\.ts)`|```(diff|ts)\n([\s\S]*?)\n```/g)].flatMap(
    ([, named, kind, text = '']): Change[] => {
      if (named) path = named
      if (!kind) return []
      if (kind === 'ts') return [{ path, before: null, after: `${text}\n` }]
      const lines = text.split('\n')
      return [{ path, before: side(lines, '+'), after: side(lines, '-') }]
    },
  )
}

const apply = ({ dir }: Tree, { path, before, after }: Change) => {
  const file = join(dir, path)
  if (before === null) {
    if (existsSync(file)) throw new Error(`${path} exists`)
    return writeFileSync(file, after)
  }
  const text = readFileSync(file, 'utf8')
  const at = text.indexOf(before)
  if (at < 0) throw new Error(`${path} does not contain:\n${before}`)
  writeFileSync(file, text.slice(0, at) + after + text.slice(at + before.length))
}

const EXAMPLES = ['A stored field of a feed', 'A stored field of a bookmark']

describe('the worked examples of CONTRIBUTING.md', () => {
  let tree: Tree
  beforeAll(() => {
    tree = copyTree()
  })
  afterAll(() => tree.remove())

  test.each(EXAMPLES)('%s changes at most eight files besides tests', (title) => {
    const paths = new Set(changesOf(title).map(({ path }) => path))
    const sources = [...paths].filter((path) => !path.endsWith('.test.ts'))
    expect(sources.length).toBeGreaterThan(3)
    expect(sources.length).toBeLessThanOrEqual(8)
    expect(sources.length).toBe(paths.size - 1)
  })

  test('they apply to the sources, and their tests pass', { timeout: 300_000 }, async () => {
    for (const title of EXAMPLES) for (const change of changesOf(title)) apply(tree, change)
    const program = join(tree.dir, 'node_modules/typescript/bin/tsc')
    // Several threads would take twice the processor time.
    const args = [program, '--noEmit', '--singleThreaded', '-p', 'packages/server/worked-examples.json']
    writeFileSync(
      join(tree.dir, 'packages/server/worked-examples.json'),
      JSON.stringify({
        extends: '../../tsconfig.base.json',
        compilerOptions: { types: ['node'] },
        include: ['src'],
        exclude: ['**/*.test.ts'],
      }),
    )
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: tree.dir }).catch(({ stdout }) => ({ stdout }))
    expect(stdout).toBe('')
    const tests = EXAMPLES.flatMap(changesOf).flatMap(({ path }) => (path.endsWith('.test.ts') ? [path] : []))
    expect(tests).toHaveLength(EXAMPLES.length)
    expect(await passes(tree, tests)).toBe(true)
  })
})
