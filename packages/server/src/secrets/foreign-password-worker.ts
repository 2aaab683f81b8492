import { parentPort } from 'node:worker_threads'
import { matchesForeign } from './foreign-password.ts'

parentPort?.on('message', ({ id, password, stored }: { id: number; password: string; stored: string }) => {
  parentPort?.postMessage({ id, matches: matchesForeign(password, stored) })
})
