import { parentPort } from 'node:worker_threads'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { type TextJob, writeText } from './write-text.ts'

/** A request to the text thread. */
export type TextRequest =
  | { readonly of: 'convert'; readonly origin: string; readonly texts: readonly string[] }
  | { readonly of: 'write'; readonly texts: readonly TextJob[] }

parentPort?.on('message', (request: TextRequest) => {
  parentPort?.postMessage(
    request.of === 'convert' ? request.texts.map((html) => htmlToMarkdown(html, request.origin)) : request.texts.map(writeText),
  )
})
