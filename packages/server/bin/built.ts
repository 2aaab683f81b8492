import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = [
  'compat/src',
  'contract/src',
  'content/src',
  'importers/src',
  'mail/src',
  'transfer/src',
  'telemetry/src',
  'demo/data',
  'demo/src',
  'sdk/src',
  'server/src',
  'server/package.json',
  'web/index.html',
  'web/public',
  'web/slim-contract.ts',
  'web/src',
  'web/vite.config.ts',
]
const LOCKFILE = join(PACKAGES, '../package-lock.json')

/** Output of `scripts/build.ts`: the server as few files, which load in half the time of its sources, and the web app. */
export const BUILT = join(PACKAGES, 'server/dist')
/** File in it with the hash of the sources that it was built from. */
export const SOURCE_HASH = 'source-hash'
/** File in it with the state of the sources at their last comparison. Reading their contents takes several times as long as reading their state. */
export const SOURCE_STATE = 'source-state'
/** File in it with the command line. */
export const PROGRAM = 'lyceum.js'

/** `recursive` of `readdirSync` is slower: it spends most of its time on paths. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesIn(path)
    return /\.\w+$/.test(path) && !/\.test\.tsx?$/.test(path) ? [path] : []
  })

const sourceFiles = (): readonly string[] =>
  SOURCES.map((name) => PACKAGES + name)
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))
    .sort()

/** The installed versions. npm rewrites other parts of the lockfile, also when it removes packages. */
const versions = (): string => {
  const { packages } = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as { packages: Record<string, { version?: string; integrity?: string }> }
  return JSON.stringify(Object.entries(packages).map(([name, { version, integrity }]) => [name, version, integrity]))
}

/** Changes with the content of any source and with the version of any library. */
export const hashOfSources = (): string => {
  const hash = createHash('sha256').update(versions())
  for (const file of sourceFiles()) {
    const content = readFileSync(file)
    hash.update(`${file.slice(PACKAGES.length)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Changes whenever the content of a source may have changed: programs cannot set the ctime of a file. */
const stateOfSources = (): string => {
  const hash = createHash('sha256')
  for (const file of [LOCKFILE, ...sourceFiles()]) {
    const { ino, size, ctimeMs } = statSync(file)
    hash.update(`${file} ${ino} ${size} ${ctimeMs}\n`)
  }
  return hash.digest('hex')
}

const contains = (name: string, content: string): boolean => {
  try {
    return readFileSync(join(BUILT, name), 'utf8') === content
  } catch {
    return false
  }
}

const rememberComparison = (state: string): void => {
  try {
    writeFileSync(join(BUILT, SOURCE_STATE), state)
  } catch {
    // The folder is read-only: the next start compares the contents again.
  }
}

/** Path of the built program; null if it was not built, or from other sources. A copy without the lockfile counts as other sources. */
export const builtProgram = (): string | null => {
  if (!existsSync(LOCKFILE)) return null
  const state = stateOfSources()
  if (!contains(SOURCE_STATE, state)) {
    if (!contains(SOURCE_HASH, hashOfSources())) return null
    rememberComparison(state)
  }
  return join(BUILT, PROGRAM)
}
