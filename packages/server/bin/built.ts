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
  'transfer/src',
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
  '../package-lock.json',
]

/** Folder of the server as few files, which load in half the time that its sources take, and of the web app; `scripts/build.ts` makes it. */
export const BUILT = join(PACKAGES, 'server/dist')
/** File in it that tells what it was made of. */
export const MADE_OF = 'made-of'
/** File in it that starts the command line. */
export const PROGRAM = 'lyceum.js'

const filesOf = (path: string): readonly string[] => {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.\w+$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => join(path, name))
}

/** Differs once any source or the lockfile has been touched. */
export const markOfSources = (): string => {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((name) => filesOf(join(PACKAGES, name))).sort()) {
    const { size, mtimeMs } = statSync(file)
    // Images of containers keep whole seconds.
    hash.update(`${relative(PACKAGES, file)}\n${size} ${Math.floor(mtimeMs / 1000)}\n`)
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
