import { expect, test } from 'vitest'
import { failureLog, takeFailures } from '#test/failures.ts'

test('an error reported by a server is recorded with its stack and cause, once', () => {
  takeFailures()
  const log = failureLog()
  log.warn({ event: 'mail_rejected', err: new Error('harmless') }, 'mail rejected')
  log.error({ event: 'request_failed', err: new Error('outer', { cause: new Error('inner') }) }, 'request failed')
  const [failure, ...others] = takeFailures()
  expect(others).toEqual([])
  expect(failure).toMatch(/^request failed: Error: outer\n +at .*failures\.unit\.test/)
  expect(failure).toMatch(/Error: inner/)
  expect(takeFailures()).toEqual([])
})
