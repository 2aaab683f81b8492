import { Worker } from 'node:worker_threads'

interface Answer {
  readonly id: number
  readonly matches: boolean
}

/** The thread ends when it had nothing to do for so long. */
const IDLE_MS = 30_000

/** Verifies passwords against hashes of other platforms on a thread of its own, which lives only while it is needed. */
export const createForeignPasswords = () => {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let asked = 0
  const open = new Map<number, PromiseWithResolvers<boolean>>()

  const begin = (): Worker => {
    const made = new Worker(new URL('./foreign-password-worker.ts', import.meta.url))
    made.unref()
    made.on('message', ({ id, matches }: Answer) => {
      open.get(id)?.resolve(matches)
      open.delete(id)
    })
    const end = (error: unknown) => {
      if (worker === made) worker = null
      for (const { reject } of open.values()) reject(error)
      open.clear()
    }
    made.on('error', end)
    made.on('exit', () => end(new Error('the thread for passwords has ended')))
    return made
  }

  return {
    /** Whether the password belongs to the hash. */
    async matches(password: string, stored: string): Promise<boolean> {
      clearTimeout(idle)
      worker ??= begin()
      const thread = worker
      const id = ++asked
      const answer = Promise.withResolvers<boolean>()
      open.set(id, answer)
      thread.ref()
      thread.postMessage({ id, password, stored })
      try {
        return await answer.promise
      } finally {
        if (open.size === 0) {
          thread.unref()
          idle = setTimeout(() => {
            if (open.size > 0 || worker !== thread) return
            worker = null
            void thread.terminate()
          }, IDLE_MS)
          idle.unref()
        }
      }
    },
  }
}
