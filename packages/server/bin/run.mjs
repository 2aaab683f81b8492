// The second part of the launcher, for a Node that is new enough.
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

const serves = process.argv[2] === 'serve'

readEnvFile()
if (serves) setUpThreads()
hideTypeStrippingWarning()
cacheCompiledCode()
// Objects created while loading live on, so a larger young generation would be wasted on them: see gc-tuning.ts.
if (serves) v8.setFlagsFromString('--semi-space-growth-factor=1')
await import(await program())
// Otherwise Node writes the cache at a regular exit only, and servers are often killed.
module.flushCompileCache?.()

/** Reads variables of Lyceum from a file in the working directory; those of the environment take precedence. */
function readEnvFile() {
  if (!existsSync('.env')) return
  let text
  try {
    text = readFileSync('.env', 'utf8')
  } catch (error) {
    console.error(`lyceum: .env in the working directory cannot be read (${error.code})`)
    process.exit(1)
  }
  const has = (name) => process.env[name] !== undefined
  // Variables for tests choose the program that runs. A file in the working directory must not.
  const isSetting = (name) => name.startsWith('LYCEUM_') && !name.startsWith('LYCEUM_TEST_')
  const { parseEnv } = process.getBuiltinModule('node:util')
  for (const [name, value] of Object.entries(parseEnv(text)))
    if (isSetting(name) && !has(name) && !has(`${name}_FILE`) && !has(name.replace(/_FILE$/, ''))) process.env[name] = value
}

/**
 * Path of the program. Commands may run from the sources. A server runs only from a build of the current sources, since it also serves the web
 * app of that build; a missing build is made first. Tests of the server alone run it from its sources.
 */
async function program() {
  // Tests start many processes and compare the build with the sources only once.
  if (process.env.LYCEUM_TEST_PROGRAM) return process.env.LYCEUM_TEST_PROGRAM
  const sources = '../src/cli/main.ts'
  // A published package contains no sources.
  if (!existsSync(new URL(sources, import.meta.url))) return '../dist/lyceum.js'
  const { builtProgram } = await import('./built.ts')
  const built = builtProgram()
  if (built || !serves || process.env.LYCEUM_TEST_SOURCES) return built ?? sources
  const { spawnSync } = await import('node:child_process')
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const { stderr } = spawnSync(process.execPath, [join(root, 'scripts/build.ts'), '--strict'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  })
  const made = builtProgram()
  if (made) return made
  const [why = ''] = stderr.split('\n')
  console.error(
    `lyceum: not built from these sources: run "npm ci --include=dev && npm run build" in Lyceum's folder, then start again. ${why}`,
  )
  process.exit(1)
}

/**
 * Caches compiled code in the data directory, which makes the next start twice as fast. Only the server can write there, so the cache is as
 * trustworthy as the database.
 */
function cacheCompiledCode() {
  const folder = process.env.LYCEUM_DATA_DIR || 'data'
  if (!serves || process.env.NODE_COMPILE_CACHE || !existsSync(folder)) return
  process.umask(0o077)
  module.enableCompileCache?.(join(folder, 'compiled'))
}

/**
 * Files, database syncs, password hashing, images, compression and DNS lookups share one thread pool, with four threads by default. The slow
 * kinds have limits (hashing 2, images 4, compression 4, lookups half of the pool), so with this size a thread is always free for syncs and
 * files. Node reads the size when the pool is first used, so this must run before.
 */
function setUpThreads() {
  process.env.UV_THREADPOOL_SIZE ??= '24'
}

/** The first releases of Node 24 warn about a feature that later ones declare stable. */
function hideTypeStrippingWarning() {
  const emit = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('Type Stripping is an experimental feature')) emit.call(process, warning, ...rest)
  }
}
