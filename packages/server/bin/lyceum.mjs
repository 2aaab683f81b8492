#!/usr/bin/env node
// Plain JavaScript for any version of Node: an old one must be able to print why it refuses to run.
import { isNewEnough } from './node-version.mjs'

// Without a command it serves.
if (process.argv.length === 2) process.argv.push('serve')

const [, , ...args] = process.argv
const limited = limitedAllocator()

if (isNewEnough(process.versions.node)) {
  // First, since everything loaded before is loaded again.
  if (limited && !process.channel && typeof process.execve === 'function') restartWith(limited)
  await import('./run.mjs')
} else {
  Object.assign(process.env, limited)
  const { runOnCarriedNode } = await import('./carried-node.mjs')
  const { fileURLToPath } = await import('node:url')
  runOnCarriedNode(fileURLToPath(import.meta.url), args)
}

/**
 * The environment with limits for the allocator of glibc; null if none are needed. Without them, the allocator retains the memory of image
 * processing per thread of the pool, 80 MB and more. It also raises the size from which it returns freed memory to the system, up to 32 MB, when
 * such a buffer is freed, so that large responses leave 100 MB and more behind. An explicit size is not raised.
 */
function limitedAllocator() {
  const { env, platform } = process
  const [command] = args
  if ((command !== 'serve' && command !== 'import') || platform !== 'linux' || env.MALLOC_ARENA_MAX) return null
  return { MALLOC_MMAP_THRESHOLD_: '131072', ...env, MALLOC_ARENA_MAX: '2' }
}

/** Replaces this process by one with that environment, since glibc reads its limits at the start of a program. It retains the process ID and the streams. */
function restartWith(environment) {
  process.emitWarning = () => {}
  process.execve(process.execPath, [process.execPath, ...process.execArgv, import.meta.filename, ...args], environment)
}
