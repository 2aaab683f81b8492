import { expect, test } from 'vitest'
import { cpuTime } from '#test/cpu-time.ts'
import { checkDisplayName, checkedAccount, cleanName, newEmail, readUsername } from './validation.ts'

test('usernames are normalized by NFKC and lower-cased', () => {
  for (const text of ['ana', 'ANA', 'ａｎａ', ' Ana ']) expect(readUsername(text)).toBe('ana')
  for (const text of ['an', 'anä', 'a.na', 'ana\u200b', 'аnа', '']) expect(() => readUsername(text)).toThrow(/3 to 30/)
})

test('addresses are normalized by NFKC and lower-cased', () => {
  expect(newEmail(' Ana@Example.ORG ')).toBe('ana@example.org')
  expect(newEmail('mi\u212Ae@example.org')).toBe('mike@example.org')
  expect(newEmail('ana@localhost')).toBe('ana@localhost')
  expect(newEmail('ana@bücher.example')).toBe('ana@bücher.example')
  for (const text of [
    'ana@',
    '@x.org',
    'ana@x-.org',
    'ana@.org',
    'ana@x.org.',
    'ana@x.org\r\nBcc: b@x.org',
    'ana@[127.0.0.1]',
    `a@${'x'.repeat(64)}.org`,
  ]) {
    expect(() => newEmail(text), text).toThrow(/is invalid/)
  }
})

test('names lose invisible characters but keep what scripts and emoji need', () => {
  expect(cleanName(' Ana\n\t B\u0000 ')).toBe('Ana B')
  expect(cleanName('\u202Eanna\u2066')).toBe('anna')
  expect(cleanName('👩‍👩‍👧 می‌خواهم')).toBe('👩‍👩‍👧 می‌خواهم')
  expect(cleanName('😀'.repeat(100))).toHaveLength(200)
  expect(() => cleanName('😀'.repeat(101))).toThrow(/at most 100/)
})

test('impersonating names are refused', () => {
  expect(cleanName(`a${'\u0301'.repeat(30)}b`)).toBe('\u00e1\u0301\u0301b')
  expect(cleanName('boss \u2705 \u2714\ufe0f')).toBe('boss')
  expect(cleanName('\u3164\u2800\u{e0041}')).toBe('')
  expect(cleanName('\uff21\uff4e\uff41')).toBe('Ana')
  for (const name of [
    'Administrator',
    'ADMIN',
    'Аdmin',
    'M o d',
    'b\u043ess',
    'ann@example.org',
    'https://x.example',
    'www.x.example',
    '\u0301',
  ])
    expect(() => checkDisplayName(name, false), name).toThrow()
  for (const name of ['Admiral Ann', 'Борис', 'Ελένη', 'Ann Борисова', 'Administrator-to-be Jo', 'José', '王小明', '@home'])
    expect(() => checkDisplayName(name, false), name).not.toThrow()
  expect(() => checkDisplayName('Administrator', true)).not.toThrow()
})

test('patterns are not vulnerable to catastrophic backtracking', () => {
  const start = cpuTime()
  for (const text of ['a'.repeat(100_000), `${'a'.repeat(50_000)}@${'a-'.repeat(25_000)}`, `a@${'a.'.repeat(50_000)}`]) {
    expect(() => newEmail(text)).toThrow()
    expect(() => readUsername(text)).toThrow()
    expect(() => cleanName(text)).toThrow()
  }
  expect(cpuTime() - start).toBeLessThan(500)
})

test('the display name falls back to the username if nothing is left', () => {
  expect(checkedAccount({ username: 'Ana', email: 'a@x.org', password: 'Quiet-river-7431', display_name: '\u200b' }).displayName).toBe(
    'ana',
  )
})
