import { LyceumError } from '@lyceum/sdk'
import { expect, test } from 'vitest'
import { isSignedOut } from './auth-errors.ts'

const refused = (status: number, code: string) => new LyceumError(status, { code, message: 'No', data: { status } }, null)

test('only signed-out users are redirected to the sign-in page', () => {
  expect(isSignedOut(refused(401, 'rest_forbidden'))).toBe(true)
  expect(isSignedOut(refused(401, 'invalid_api_key'))).toBe(false)
  expect(isSignedOut(refused(403, 'rest_forbidden'))).toBe(false)
  expect(isSignedOut(new TypeError('no network'))).toBe(false)
})
