import { expect, test } from 'vitest'
import { checkNonce, issueNonce } from './csrf-nonce.ts'
import { decrypt, encrypt } from './encryption.ts'
import { equalInConstantTime } from './timing-safe-equal.ts'
import { createToken, hashToken, isToken } from './token.ts'

const key = Buffer.alloc(32, 1)
const other = Buffer.alloc(32, 2)

test('equalInConstantTime compares bytes', () => {
  expect(equalInConstantTime('abc', 'abc')).toBe(true)
  expect(equalInConstantTime('', '')).toBe(true)
  for (const different of ['abd', 'ab', 'abcd', '', 'äbc']) expect(equalInConstantTime('abc', different)).toBe(false)
})

test('tokens are long, URL-safe, unique, and stored as a hash', () => {
  const tokens = Array.from({ length: 100 }, createToken)
  expect(new Set(tokens).size).toBe(100)
  expect(
    tokens.every((token) => isToken(token) && encodeURIComponent(token) === token && Buffer.from(token, 'base64url').length === 32),
  ).toBe(true)
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  for (const text of ['', 'x', `${tokens[0]}x`, `${tokens[0]}\n`, tokens[0]!.replace(/.$/, '=')]) expect(isToken(text)).toBe(false)
})

test('an encrypted text is decrypted with its key and context alone', () => {
  const plain = 'schlüssel 🔑 \n'
  const encrypted = encrypt(key, plain, 'idempotency:7:a')
  expect(encrypted).toMatch(/^v1\.[A-Za-z0-9_-]+$/)
  expect(encrypted).not.toBe(encrypt(key, plain, 'idempotency:7:a'))
  expect(decrypt(key, encrypted, 'idempotency:7:a')).toBe(plain)
  expect(decrypt(other, encrypted, 'idempotency:7:a')).toBeNull()
  expect(decrypt(key, encrypted, 'idempotency:7:b')).toBeNull()
  expect(decrypt(key, encrypt(key, '', 'x'), 'x')).toBe('')
})

test('an altered encrypted text is not decrypted', () => {
  const encrypted = encrypt(key, 'secret', 'x')
  const body = Buffer.from(encrypted.slice(3), 'base64url')
  for (let at = 0; at < body.length; at += 1) {
    const altered = Buffer.from(body)
    altered[at]! ^= 1
    expect(decrypt(key, `v1.${altered.toString('base64url')}`, 'x')).toBeNull()
  }
  for (const text of ['', 'v1.', 'v1.AAAA', encrypted.slice(0, -2), encrypted.replace('v1', 'v2'), encrypted.slice(3)])
    expect(decrypt(key, text, 'x')).toBeNull()
})

test('a nonce is valid for its session for 12 to 24 hours', () => {
  const hour = 60 * 60 * 1000
  const at = (hours: number) => new Date(Date.UTC(2026, 10, 20) + hours * hour)
  for (const issuedAt of [0, 1, 11.99]) {
    const nonce = issueNonce(key, 'session-1', at(issuedAt))
    expect(nonce).toMatch(/^[A-Za-z0-9_-]{24}$/)
    expect(checkNonce(key, 'session-1', nonce, at(issuedAt))).toBe(true)
    expect(checkNonce(key, 'session-1', nonce, at(issuedAt + 12))).toBe(true)
    expect(checkNonce(key, 'session-1', nonce, at(24 - 0.001))).toBe(true)
    expect(checkNonce(key, 'session-1', nonce, at(24))).toBe(false)
    expect(checkNonce(key, 'session-1', nonce, at(issuedAt - 12.01))).toBe(false)
    expect(checkNonce(key, 'session-2', nonce, at(issuedAt))).toBe(false)
    expect(checkNonce(other, 'session-1', nonce, at(issuedAt))).toBe(false)
  }
  for (const text of ['', 'x', '\u0000'.repeat(24)]) expect(checkNonce(key, 'session-1', text, at(0))).toBe(false)
})
