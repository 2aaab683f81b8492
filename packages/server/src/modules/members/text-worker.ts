import { parentPort } from 'node:worker_threads'
import { mentionedUsernames, render } from '@lyceum/content'
import type { TextRequest } from './text-thread.ts'

parentPort?.on('message', ({ id, request: { source, contentType, mentions } }: { id: number; request: TextRequest }) => {
  const result = mentions ? render(source, contentType, { mentions: new Set(mentions) }) : mentionedUsernames(source, contentType)
  parentPort?.postMessage({ id, result })
})
