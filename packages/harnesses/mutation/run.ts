import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Mutant, mutantsOf, mutated } from './mutants.ts'
import { farFrom, TARGETS, type Target } from './targets.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Files and folders that the tests need. */
const COPIED = ['packages', 'scripts', 'bench', 'docs', 'e2e', 'vitest.config.ts', 'package.json', 'tsconfig.json', 'tsconfig.base.json']
/** Timeout of a test run; a mutant that causes an endless loop counts as detected. */
const LONGEST_MS = 15 * 60_000

export interface Candidate {
  readonly target: Target
  readonly mutant: Mutant
  /** The original text of the changed line. */
  readonly source: string
}

/** All mutants of all targets in a tree, by default in this checkout. */
export const candidates = (dir = ROOT): Candidate[] =>
  TARGETS.flatMap((target) => {
    const text = readFileSync(join(dir, target.file), 'utf8')
    const lines = text.split('\n')
    return mutantsOf(target.file, text, target.only).map((mutant) => ({ target, mutant, source: lines[mutant.line - 1]?.trim() ?? '' }))
  })

export interface Tree {
  readonly dir: string
  remove(): void
}

/** A copy of the sources to apply mutants to. Installed packages are shared by symbolic links, except for our own. */
export const copyTree = (): Tree => {
  const dir = mkdtempSync(join(tmpdir(), 'lyceum-mutation-'))
  const filter = (from: string) => !/\/node_modules$/.test(from)
  for (const name of COPIED) cpSync(join(ROOT, name), join(dir, name), { recursive: true, filter })
  for (const folder of ['', 'packages/server', 'packages/contract', 'packages/sdk']) share(dir, join(folder, 'node_modules'))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

const share = (dir: string, folder: string): void => {
  const names = (() => {
    try {
      return readdirSync(join(ROOT, folder))
    } catch {
      return []
    }
  })()
  mkdirSync(join(dir, folder), { recursive: true })
  for (const name of names.filter((one) => one !== '@lyceum' && one !== '.vite'))
    symlinkSync(join(ROOT, folder, name), join(dir, folder, name))
  if (!names.includes('@lyceum')) return
  mkdirSync(join(dir, folder, '@lyceum'))
  for (const name of readdirSync(join(dir, 'packages'))) symlinkSync(join(dir, 'packages', name), join(dir, folder, '@lyceum', name))
}

/** Runs tests in a tree and stops at the first failure; returns whether all passed. */
export const passes = ({ dir }: Tree, files: readonly string[]): Promise<boolean> => {
  const { LYCEUM_TEST_RESULTS: _results, LYCEUM_TEST_SOAK: _soak, VITEST: _vitest, NODE_OPTIONS: _options, ...inherited } = process.env
  const env = { ...inherited, CI: '', LYCEUM_TEST_DATABASE: '' }
  const args = ['run', '--project', 'sqlite', '--bail', '1', '--reporter', 'dot', ...files]
  const program = join(dir, 'node_modules/vitest/vitest.mjs')
  return new Promise((done) => {
    // A separate process group, so that a hanging run can be killed with all its child processes.
    const child: ChildProcess = spawn(process.execPath, [program, ...args], { cwd: dir, env, stdio: 'ignore', detached: true })
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), LONGEST_MS)
    child.on('exit', (code) => {
      clearTimeout(timer)
      done(code === 0)
    })
  })
}

/** Applies a mutant while `work` runs. */
export const withMutant = async <T>({ dir }: Tree, { target, mutant }: Candidate, work: () => Promise<T>): Promise<T> => {
  const path = join(dir, target.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, mutated(text, mutant))
  try {
    return await work()
  } finally {
    writeFileSync(path, text)
  }
}

/** The first tests that detect a mutant; undefined if none do. They must fail twice, because a single failure may have another cause. */
export const noticedBy = (tree: Tree, candidate: Candidate): Promise<string | undefined> =>
  withMutant(tree, candidate, async () => {
    for (const files of [candidate.target.near, ...farFrom(candidate.target)])
      if (!(await passes(tree, files)) && !(await passes(tree, files))) return files.join(' ')
    return undefined
  })
