import { Worker } from 'node:worker_threads'
import { htmlToText } from '@lyceum/importers'
import type { TextRequest } from './texts-worker.ts'
import type { TextJob, WrittenText } from './write-text.ts'

/** Timeout of a request, plus an allowance per text. A single text that exceeds it is not converted. */
const TIME_MS = 10_000
const TIME_PER_TEXT_MS = 20

/** Converts and renders texts on another thread, while this one writes to the database. */
export interface TextThread {
  /** Converts HTML to Markdown. `isPlain`: the formatting was lost because conversion took too long. */
  readonly convert: (texts: readonly string[], origin: string) => Promise<{ readonly text: string; readonly isPlain: boolean }[]>
  /** Renders texts. Null for a text that takes too long. */
  readonly write: (texts: readonly TextJob[]) => Promise<(WrittenText | null)[]>
  readonly stop: () => Promise<void>
}

class TookTooLong extends Error {}

export const startTextThread = (): TextThread => {
  let worker: Worker | null = null
  const stop = async () => {
    await worker?.terminate()
    worker = null
  }

  const ask = async <Result>(request: TextRequest): Promise<Result[]> => {
    worker ??= new Worker(new URL('./texts-worker.ts', import.meta.url))
    const thread = worker
    const { promise, resolve, reject } = Promise.withResolvers<Result[]>()
    const timer = setTimeout(() => reject(new TookTooLong()), TIME_MS + request.texts.length * TIME_PER_TEXT_MS)
    thread.once('message', resolve)
    thread.once('error', reject)
    try {
      return await promise
    } catch (error) {
      await stop()
      throw error
    } finally {
      clearTimeout(timer)
      thread.off('message', resolve)
      thread.off('error', reject)
    }
  }

  /** Requests are serialized, so that each response belongs to the preceding request. */
  let last: Promise<unknown> = Promise.resolve()
  const askInTurn = <Result>(request: TextRequest): Promise<Result[]> => {
    const turn = last.then(() => {
      const asked = ask<Result>(request)
      worker?.postMessage(request)
      return asked
    })
    last = turn.catch(() => {})
    return turn
  }

  /** If a batch times out, each text is tried alone to isolate the slow one. */
  const each = async <Text, Result>(
    texts: readonly Text[],
    requestOf: (some: readonly Text[]) => TextRequest,
    failed: (text: Text) => Result,
  ): Promise<Result[]> => {
    if (texts.length === 0) return []
    try {
      return await askInTurn<Result>(requestOf(texts))
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error
    }
    if (texts.length === 1) return [failed(texts[0] as Text)]
    const middle = texts.length >> 1
    return [...(await each(texts.slice(0, middle), requestOf, failed)), ...(await each(texts.slice(middle), requestOf, failed))]
  }

  return {
    convert: async (texts, origin) => {
      const converted = await each<string, string | null>(
        texts,
        (some) => ({ of: 'convert', origin, texts: some }),
        () => null,
      )
      return converted.map((text, i) => ({ text: text ?? htmlToText(texts[i] as string).text, isPlain: text === null }))
    },
    write: (texts) =>
      each<TextJob, WrittenText | null>(
        texts,
        (some) => ({ of: 'write', texts: some }),
        () => null,
      ),
    stop,
  }
}
