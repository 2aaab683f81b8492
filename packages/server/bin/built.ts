import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
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
/** File in it that starts the command line. */
export const PROGRAM = 'lyceum.js'

const filesOf = (path: string): readonly string[] => {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(path, name))
}

/** The installed versions. npm rewrites other parts of the lockfile, also when it removes packages. */
const versions = (): string => {
  const { packages } = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as { packages: Record<string, { version?: string; integrity?: string }> }
  return JSON.stringify(Object.entries(packages).map(([name, { version, integrity }]) => [name, version, integrity]))
}

/** Differs once the content of any source or the version of any library has changed. */
export const markOfSources = (): string => {
  const hash = createHash('sha256').update(versions())
  for (const file of SOURCES.flatMap((name) => filesOf(join(PACKAGES, name))).sort()) {
    const content = readFileSync(file)
    hash.update(`${relative(PACKAGES, file)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Where the built program lies; null if it was not built, or of other sources than there are now. */
export const builtProgram = (): string | null => {
  try {
    return readFileSync(join(BUILT, MADE_OF), 'utf8') === markOfSources() ? join(BUILT, PROGRAM) : null
  } catch {
    return null
  }
}
