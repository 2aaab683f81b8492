import { Worker } from 'node:worker_threads'

interface Answer<Result> {
  readonly id: number
  readonly result: Result
}

/** The thread ends when it had nothing to do for so long. */
const IDLE_MS = 30_000

/**
 * A thread for work that would block the event loop. It starts with the first request and ends when it is idle. Its program answers
 * `{ id, request }` with `{ id, result }`.
 */
export const createWorkerThread = <Request, Result>(program: URL) => {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let asked = 0
  const open = new Map<number, PromiseWithResolvers<Result>>()

  const begin = (): Worker => {
    const made = new Worker(program)
    made.unref()
    made.on('message', ({ id, result }: Answer<Result>) => {
      open.get(id)?.resolve(result)
      open.delete(id)
    })
    const end = (error: unknown) => {
      if (worker !== made) return
      worker = null
      for (const { reject } of open.values()) reject(error)
      open.clear()
    }
    made.on('error', end)
    made.on('exit', () => end(new Error(`the thread ${program.pathname} has ended`)))
    return made
  }

  return async (request: Request): Promise<Result> => {
    clearTimeout(idle)
    worker ??= begin()
    const thread = worker
    const id = ++asked
    const answer = Promise.withResolvers<Result>()
    open.set(id, answer)
    thread.ref()
    thread.postMessage({ id, request })
    try {
      return await answer.promise
    } finally {
      if (open.size === 0) {
        thread.unref()
        idle = setTimeout(() => {
          if (open.size > 0 || worker !== thread) return
          worker = null
          void thread.terminate()
        }, IDLE_MS).unref()
      }
    }
  }
}
