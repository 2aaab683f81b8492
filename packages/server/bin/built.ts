import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
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

/** Folder of the server as few files, which load in half the time that its sources take, and of the web app; `scripts/build.ts` makes it. */
export const BUILT = join(PACKAGES, 'server/dist')
/** File in it that tells what it was made of. */
export const MADE_OF = 'made-of'
/** File in it that tells when the sources were last compared with it. Reading all of them takes several times as long as asking when they changed. */
export const COMPARED = 'made-of-state'
/** File in it that starts the command line. */
export const PROGRAM = 'lyceum.js'

/** Lists a folder itself: with `recursive`, Node spends more time on paths than on the folders. */
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

/** Differs once the content of any source or the version of any library has changed. */
export const markOfSources = (): string => {
  const hash = createHash('sha256').update(versions())
  for (const file of sourceFiles()) {
    const content = readFileSync(file)
    hash.update(`${file.slice(PACKAGES.length)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Differs once any source may have changed: no program can set the time when a file was last written or moved. */
export const stateOfSources = (): string => {
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

/** Where the built program lies; null if it was not built, or of other sources than there are now. */
export const builtProgram = (): string | null => {
  const program = join(BUILT, PROGRAM)
  const state = stateOfSources()
  if (contains(COMPARED, state)) return program
  if (!contains(MADE_OF, markOfSources())) return null
  try {
    writeFileSync(join(BUILT, COMPARED), state)
  } catch {
    // A folder that cannot be written is compared again.
  }
  return program
}
