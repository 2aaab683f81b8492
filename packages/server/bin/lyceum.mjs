#!/usr/bin/env node
// Plain JavaScript that an old Node can read: it must be able to say why it refuses, before anything newer is loaded.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

const FLOOR = 24
const here = fileURLToPath(import.meta.url)
const serves = process.argv[2] === 'serve'
const major = (version) => Number.parseInt(version, 10)

if (major(process.versions.node) >= FLOOR) await run()
else runWithCarriedNode()

async function run() {
  if (serves) setUpThreads()
  hideTypeStrippingWarning()
  keepCompiled()
  // Loading makes what stays, for which more room for new objects is of no use: see young-generation.ts.
  if (serves) v8.setFlagsFromString('--semi-space-growth-factor=1')
  const { builtProgram } = await import('./built.ts')
  await import(builtProgram() ?? '../src/cli/main.ts')
  // What is kept is written at a proper end otherwise, and many a server is killed.
  module.flushCompileCache?.()
}

/**
 * Lets Node keep what it compiled in the data directory, where a server has one: the next start is twice as fast. Nothing else may be written
 * there by others, so what lies there can be trusted as the database is; where it cannot be written, nothing is kept.
 */
function keepCompiled() {
  const folder = process.env.LYCEUM_DATA_DIR || 'data'
  if (!serves || process.env.NODE_COMPILE_CACHE || !existsSync(folder)) return
  process.umask(0o077)
  module.enableCompileCache?.(join(folder, 'compiled'))
}

/**
 * Files, syncs of the database, password hashing, images, compression and name look-ups share one pool of threads, four by default. Each of the
 * slow kinds has a limit of its own (hashing 2, images 4, compression 4, name look-ups half of the pool), so that with this size a sync or a
 * file always finds a thread. Node reads the size when the pool is first used, which nothing before this does.
 *
 * The allocator of glibc would keep what images need for each of those threads, 80 MB and more. Only a new program reads how many arenas it may
 * have, so that this process becomes one: it keeps its number and its streams.
 *
 * It would also raise the size from which it returns freed memory to the system, up to 32 MB, once such a buffer has been freed, and large
 * responses would leave 100 MB and more behind. A given size stays.
 */
function setUpThreads() {
  const { env, execPath, execArgv, argv, platform } = process
  env.UV_THREADPOOL_SIZE ??= '24'
  if (platform !== 'linux' || env.MALLOC_ARENA_MAX || process.channel || typeof process.execve !== 'function') return
  process.emitWarning = () => {}
  const environment = { MALLOC_MMAP_THRESHOLD_: '131072', ...env, MALLOC_ARENA_MAX: '2' }
  process.execve(execPath, [execPath, ...execArgv, here, ...argv.slice(2)], environment)
}

/** The first releases of Node 24 warn about a feature that later ones declare stable. */
function hideTypeStrippingWarning() {
  const emit = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('Type Stripping is an experimental feature')) emit.call(process, warning, ...rest)
  }
}

function runWithCarriedNode() {
  const node = carriedNode()
  if (!node) return refuse()
  const child = spawn(node, [here, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both processes by itself; a second one would cut a graceful stop short.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', refuse)
  child.once('exit', (code, signal) => {
    if (!signal) return process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Path of the Node that npm installed for this platform as an optional package, or undefined. */
function carriedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder)) {
    for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
      const home = join(folder, 'node_modules', name)
      const path = join(home, 'bin', program)
      if (existsSync(path) && major(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version) >= FLOOR) return path
    }
  }
}

function refuse() {
  console.error(`Lyceum needs Node.js ${FLOOR} or newer. This is Node.js ${process.versions.node} (${process.execPath}).

One of these helps:
  - run "npm ci" in Lyceum's folder: it brings a suitable Node.js along for
    Linux, macOS and Windows. (It was not found, or it does not run here.
    "npm ci --omit=optional" leaves it out.)
  - install Node.js ${FLOOR} from https://nodejs.org and start Lyceum again.`)
  process.exit(1)
}
