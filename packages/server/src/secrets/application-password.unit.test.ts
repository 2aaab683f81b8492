import { expect, test } from 'vitest'
import { generateApplicationPassword, hashApplicationPassword, normalizeApplicationPassword } from './application-password.ts'

const key = Buffer.alloc(32, 1)

test('is shown as six groups of four letters and digits', () => {
  for (let i = 0; i < 50; i += 1) expect(generateApplicationPassword()).toMatch(/^[A-Za-z0-9]{4}( [A-Za-z0-9]{4}){5}$/)
})

test('every letter and digit is equally likely', () => {
  const counts = new Map<string, number>()
  const drawn = 2000 * 24
  for (let i = 0; i < 2000; i += 1)
    for (const char of normalizeApplicationPassword(generateApplicationPassword())) counts.set(char, (counts.get(char) ?? 0) + 1)
  const expected = drawn / 62
  const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  expect(counts.size).toBe(62)
  // 61 degrees of freedom: above 130 once in a million runs. Bytes modulo 62 would give about 700.
  expect(chiSquared).toBeLessThan(130)
})

test('spaces are ignored, anything else is significant', () => {
  const shown = 'abcd EFGH ijkl MNOP qrst 0123'
  const stored = hashApplicationPassword(key, shown)
  expect(stored).toMatch(/^[0-9a-f]{64}$/)
  for (const typed of [shown, 'abcdEFGHijklMNOPqrst0123', ' abcd  EFGH\tijkl MNOP\u00a0qrst 0123\n'])
    expect(hashApplicationPassword(key, typed)).toBe(stored)
  for (const typed of ['', 'abcd EFGH ijkl MNOP qrst 0124', 'abcd efgh ijkl MNOP qrst 0123', `${shown}4`, 'abcd-EFGH-ijkl-MNOP-qrst-0123'])
    expect(hashApplicationPassword(key, typed)).not.toBe(stored)
})

test('the hash depends on the key and is not found without it', () => {
  const password = generateApplicationPassword()
  expect(hashApplicationPassword(Buffer.alloc(32, 2), password)).not.toBe(hashApplicationPassword(key, password))
})
