import { createHmac, hash } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { createAccountPasswords } from './account-password.ts'
import { matchesForeign, parseForeign } from './foreign-password.ts'

const bcryptOf = (text: string, letter = 'b') => bcrypt.hashSync(text, 4).replace('$2b$', `$2${letter}$`)
const wordpress = (password: string) => `$wp${bcryptOf(createHmac('sha384', 'wp-sha384').update(password.trim()).digest('base64'), 'y')}`

const STORED = {
  'phpass of WordPress': ['test12345', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'],
  'phpass of phpBB': ['test12345', '$H$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'],
  'bcrypt of WordPress': ['emoji🔑key', wordpress('emoji🔑key')],
  'bcrypt 2a': ['quiet river', bcryptOf('quiet river', 'a')],
  'bcrypt 2b': ['quiet river', bcryptOf('quiet river')],
  'bcrypt 2y': ['quiet river', bcryptOf('quiet river', 'y')],
  'bcrypt over SHA-512': ['пароль', `sha512+${bcryptOf(hash('sha512', 'пароль', 'hex'))}`],
  'PBKDF2 of Discourse': [
    'passwordPASSWORDpassword',
    'pbkdf2-sha256$4096$saltSALTsaltSALTsaltSALTsaltSALTsalt$348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c4e2a1fb8dd53e1',
  ],
  MD5: ['old password', `md5:${hash('md5', 'old password', 'hex')}`],
} as const

describe.each(Object.entries(STORED))('%s', (_name, [password, stored]) => {
  test('the right password matches and no other', () => {
    expect(matchesForeign(password, stored)).toBe(true)
    for (const wrong of ['', password.toUpperCase(), `${password}x`, stored, 'x'.repeat(100)])
      expect(matchesForeign(wrong, stored)).toBe(false)
  })

  test('it is verified like any other hash, and is to be replaced', async () => {
    const passwords = createAccountPasswords({ logN: 4 })
    expect(await passwords.verifyPassword(password, stored)).toBe(true)
    expect(await passwords.verifyPassword(`${password}x`, stored)).toBe(false)
    expect(passwords.needsRehash(stored)).toBe(true)
  })
})

test('white space around a password that WordPress trimmed does not matter, and that of others does', () => {
  expect(matchesForeign(' \t test12345\n', STORED['phpass of WordPress'][1])).toBe(true)
  expect(matchesForeign('  emoji🔑key ', STORED['bcrypt of WordPress'][1])).toBe(true)
  const kept = bcryptOf('  both sides  ')
  expect([matchesForeign('  both sides  ', kept), matchesForeign('both sides', kept)]).toEqual([true, false])
})

test.each([
  '',
  ' ',
  '*',
  'plain text',
  'md5:',
  hash('md5', 'x', 'hex'),
  '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L',
  '$P$zIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0',
  '$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz0123456',
  '$2b$03$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz0123456',
  '$argon2id$v=19$m=65536,t=4,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b2dWRWJTmaaJObG',
  '$scrypt$ln=4,r=8,p=3$x$y',
  `pbkdf2-sha256$999$salt$${'ab'.repeat(32)}`,
  `pbkdf2-sha256$9999999$salt$${'ab'.repeat(32)}`,
  `pbkdf2-sha256$64000$$${'ab'.repeat(32)}`,
  `pbkdf2-sha256$64000$salt$${'ab'.repeat(31)}`,
])('what is not a hash of a known kind, or costs too much, matches nothing: %s', async (stored) => {
  expect(parseForeign(stored)).toBeNull()
  const passwords = createAccountPasswords({ logN: 4 })
  for (const password of ['plain text', stored]) expect(await passwords.verifyPassword(password, stored)).toBe(false)
})

test('the time does not tell an account with a foreign hash from one that does not exist', async () => {
  const passwords = createAccountPasswords({ logN: 4 })
  const stored = bcrypt.hashSync('quiet river', 9)
  const fastest = async (hash: string | null) => {
    const times: number[] = []
    for (let i = 0; i < 5; i += 1) {
      const start = performance.now()
      await passwords.verifyPassword('wrong river', hash)
      times.push(performance.now() - start)
    }
    return Math.min(...times)
  }
  const [foreign, unknown, own] = [await fastest(stored), await fastest(null), await fastest(await passwords.hashPassword('another'))]
  expect(unknown).toBeGreaterThan(foreign / 2)
  expect(own).toBeGreaterThan(foreign / 2)
})

test('verification does not block the event loop', async () => {
  const passwords = createAccountPasswords({ logN: 4 })
  const stored = bcrypt.hashSync('quiet river', 10)
  let longest = 0
  let before = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before)
    before = performance.now()
  }, 1)
  const start = performance.now()
  await Promise.all(['a', 'b', 'c', 'd'].map((password) => passwords.verifyPassword(password, stored)))
  clearInterval(timer)
  expect(longest).toBeLessThan((performance.now() - start) / 2)
})
