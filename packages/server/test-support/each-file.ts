import { afterEach, beforeEach } from 'vitest'
import { takeFailures } from './failures.ts'

// A client hears no more of an unexpected error than 500: a test that fails shows what its servers reported.

beforeEach(() => void takeFailures())
afterEach(({ task }) => {
  const failures = takeFailures()
  const [error] = task.result?.errors ?? []
  if (error && failures.length > 0) error.message += `\n\nErrors reported by the server:\n${failures.join('\n')}`
})
