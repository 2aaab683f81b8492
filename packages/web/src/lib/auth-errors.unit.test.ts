import { LyceumError } from '@lyceum/sdk'
import { expect, test } from 'vitest'
import { isSignedOut } from './auth-errors.ts'

const refused = (status: number, code: string) => new LyceumError(status, { code, message: 'No', data: { status } }, null)

test('only who is signed out is taken to where one signs in', () => {
  expect(isSignedOut(refused(401, 'rest_forbidden'))).toBe(true)
  expect(isSignedOut(refused(401, 'invalid_api_key'))).toBe(false)
  expect(isSignedOut(refused(403, 'rest_forbidden'))).toBe(false)
  expect(isSignedOut(new TypeError('no network'))).toBe(false)
})
