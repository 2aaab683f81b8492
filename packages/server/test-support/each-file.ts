import { join } from 'node:path'
import { afterEach, beforeEach, inject } from 'vitest'
import { takeFailures } from './failures.ts'

// Without a cache each thread strips the types of its sources by WebAssembly, and V8 can crash when it frees that code (nodejs/node#64500).
process.env['NODE_COMPILE_CACHE'] = join(inject('scratch'), 'compiled')

// Clients only see a 500, so a failing test prints the errors that its servers logged.

beforeEach(() => void takeFailures())
afterEach(({ task }) => {
  const failures = takeFailures()
  const [error] = task.result?.errors ?? []
  if (error && failures.length > 0) error.message += `\n\nErrors reported by the server:\n${failures.join('\n')}`
})
