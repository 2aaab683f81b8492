import { afterEach, beforeEach } from 'vitest'
import { takeFailures } from './failures.ts'

// Clients only see a 500, so a failing test prints the errors that its servers logged.

beforeEach(() => void takeFailures())
afterEach(({ task }) => {
  const failures = takeFailures()
  const [error] = task.result?.errors ?? []
  if (error && failures.length > 0) error.message += `\n\nErrors reported by the server:\n${failures.join('\n')}`
})
