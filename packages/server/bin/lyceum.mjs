#!/usr/bin/env node
// Plain JavaScript that an old Node can read: it must be able to say why it refuses, before anything newer is loaded.
import { isNewEnough } from './node-version.mjs'

// Without a command it serves.
if (process.argv.length === 2) process.argv.push('serve')

const [, , ...args] = process.argv
const limited = limitedAllocator()

if (isNewEnough(process.versions.node)) {
  // Before anything is loaded, since it would be loaded twice.
  if (limited && !process.channel && typeof process.execve === 'function') becomeProgramWith(limited)
  await import('./run.mjs')
} else {
  Object.assign(process.env, limited)
  const { runOnCarriedNode } = await import('./carried-node.mjs')
  const { fileURLToPath } = await import('node:url')
  runOnCarriedNode(fileURLToPath(import.meta.url), args)
}

/**
 * An environment that limits the allocator of glibc, or null if none is needed. The allocator would keep what images need for each thread of the
 * pool, 80 MB and more.
 *
 * It would also raise the size from which it returns freed memory to the system, up to 32 MB, once such a buffer has been freed, and large
 * responses would leave 100 MB and more behind. A given size stays.
 */
function limitedAllocator() {
  const { env, platform } = process
  const [command] = args
  if ((command !== 'serve' && command !== 'import') || platform !== 'linux' || env.MALLOC_ARENA_MAX) return null
  return { MALLOC_MMAP_THRESHOLD_: '131072', ...env, MALLOC_ARENA_MAX: '2' }
}

/** Only a new program reads how many arenas it may have, so that this process becomes one: it keeps its number and its streams. */
function becomeProgramWith(environment) {
  process.emitWarning = () => {}
  process.execve(process.execPath, [process.execPath, ...process.execArgv, import.meta.filename, ...args], environment)
}
