import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { StorageUnavailable } from '../storage/object-storage.ts'
import { type Conversion, convert } from './convert.ts'
import type { ConversionResult } from './converter.ts'

/** The `nice` value of the child process. */
const PRIORITY = 10
/** Makes the Linux kernel end this process rather than the server when memory runs out. */
const OOM_SCORE = '500'

/** On Linux, each thread has a priority of its own, and the thread pool may have been started before this code runs. */
const lowerPriority = () => {
  setPriority(PRIORITY)
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), PRIORITY)
    } catch {
      // The thread has ended.
    }
  }
}

const preferForOomKill = () => {
  try {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE)
  } catch {
    // Other systems do not have it.
  }
}

const run = async (conversion: Conversion): Promise<ConversionResult> => {
  try {
    lowerPriority()
    return { ok: true, image: await convert(conversion), memory: process.memoryUsage.rss() }
  } catch (error) {
    if (error instanceof StorageUnavailable) return { ok: false, message: String(error.cause), storage: { full: error.full } }
    return { ok: false, message: (error as Error).message, storage: null }
  }
}

process.umask(0o077)
lowerPriority()
preferForOomKill()
// Terminals and service managers send these to the whole group. The server ends this process after its last upload.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
// The server has ended. A normal exit would wait for the conversion that is in progress.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (conversion: Conversion) => {
  void run(conversion).then((result) => process.send?.(result))
})
