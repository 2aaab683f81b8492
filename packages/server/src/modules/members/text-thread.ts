import { type ContentType, mentionedUsernames, render } from '@lyceum/content'
import { createSemaphore } from '../../util/semaphore.ts'
import { createWorkerThread } from '../../util/worker-thread.ts'

export interface TextRequest {
  readonly source: string
  readonly contentType: ContentType
  /** Usernames that exist: renders the text. Without it, the usernames that the text mentions are listed. */
  readonly mentions?: readonly string[]
}

/** Longer texts are processed on a thread of their own: the worst structure takes 50 ms at this length. */
export const MAX_INLINE_LENGTH = 8_000
const MAX_WAITING = 100

/** Renders texts; long ones on another thread, so that they do not block the event loop. */
export const createTextThread = () => {
  const ask = createWorkerThread<TextRequest, string | string[]>(new URL('./text-worker.ts', import.meta.url))
  const turns = createSemaphore({ concurrent: 2, waitingPerKey: MAX_WAITING })
  const inTurn = <Result>(request: TextRequest) => turns.run(undefined, () => ask(request)) as Promise<Result>
  const isShort = (source: string) => source.length <= MAX_INLINE_LENGTH

  return {
    /** Usernames that a text mentions, whether they exist or not. @throws BusyError if too many texts wait */
    mentioned: async (source: string, contentType: ContentType): Promise<string[]> => {
      if (!source.includes('@')) return []
      return isShort(source) ? mentionedUsernames(source, contentType) : inTurn({ source, contentType })
    },

    /** Safe HTML. @throws BusyError if too many texts wait */
    render: async (source: string, contentType: ContentType, mentions: ReadonlySet<string>): Promise<string> =>
      isShort(source) ? render(source, contentType, { mentions }) : inTurn({ source, contentType, mentions: [...mentions] }),
  }
}
