import { parentPort } from 'node:worker_threads'
import { matchesForeign } from './foreign-password.ts'

parentPort?.on('message', ({ id, request }: { id: number; request: { password: string; stored: string } }) => {
  parentPort?.postMessage({ id, result: matchesForeign(request.password, request.stored) })
})
