import { Worker } from 'node:worker_threads'
import type { GeneratedCommunity } from '../generator.ts'
import type { Survey } from '../text/post.ts'
import type { Renaming } from './free-names.ts'

/** The words of a post as they are stored. */
export interface PostWords {
  readonly title: string
  readonly message: string
  readonly content_type: string
  readonly html: string
  readonly slug: string
  /** See `ftsDocument`. */
  readonly document: string
  readonly survey: Survey | null
}

export interface CommentWords {
  readonly text: string
  readonly html: string
}

/** Rows that follow one another in the generated data, from the first one on. Those of posts all come before those of comments. */
export type Portion =
  | { readonly of: 'posts'; readonly rows: readonly PostWords[] }
  | { readonly of: 'comments'; readonly rows: readonly CommentWords[] }

/** What the thread that writes needs to begin. */
export interface Task {
  readonly scene: GeneratedCommunity['scene']
  readonly renamed: readonly (readonly [string, string])[]
  /** How many portions were written, how many of them taken, and whether to stop. */
  readonly flow: Int32Array
}

/** Places in `Task.flow`. */
export const WRITTEN = 0
export const TAKEN = 1
export const STOPPED = 2
/** Portions that may lie between the two threads: some 100 MB. */
export const MOST_AHEAD = 60

export interface Words {
  /** The next portion; null while it is being written. */
  readonly take: () => Portion | null
  /** Resolves when there is a portion that was not there before. */
  readonly arrival: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Has the words of a community written on another thread. */
export const startWords = ({ scene }: GeneratedCommunity, { renamed }: Renaming): Words => {
  const flow = new Int32Array(new SharedArrayBuffer(12))
  const task: Task = { scene, renamed: [...renamed], flow }
  const worker = new Worker(new URL('./words-worker.ts', import.meta.url), { workerData: task })
  const waiting: Portion[] = []
  let wake = () => {}
  let failure: unknown = null
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('message', (portion: Portion) => {
    waiting.push(portion)
    wake()
  })
  worker.on('error', (error) => {
    failure = error
    wake()
  })
  return {
    take: () => {
      if (failure !== null) throw failure
      const portion = waiting.shift()
      if (!portion) return null
      Atomics.add(flow, TAKEN, 1)
      Atomics.notify(flow, TAKEN)
      return portion
    },
    arrival: () =>
      new Promise((resolve) => {
        if (waiting.length > 0 || failure !== null) return resolve()
        wake = resolve
      }),
    stop: async () => {
      Atomics.store(flow, STOPPED, 1)
      Atomics.notify(flow, TAKEN)
      await ended
    },
  }
}
