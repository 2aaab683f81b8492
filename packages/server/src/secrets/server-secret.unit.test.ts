import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deriveKey, type KeyPurpose, loadSecret } from './server-secret.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lyceum-secret-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o777

test('the first start creates a file that only its owner can read, and later starts read it', () => {
  const data = join(dir, 'not', 'there', 'yet')
  const made = loadSecret(data)
  expect(made).toHaveLength(32)
  expect(mode(join(data, 'secret'))).toBe(0o600)
  expect(mode(data)).toBe(0o700)
  expect(readdirSync(data)).toEqual(['secret'])
  expect(loadSecret(data)).toEqual(made)
  expect(loadSecret(join(dir, 'other'))).not.toEqual(made)
})

test('processes that start concurrently agree on one secret', async () => {
  const script = `const { loadSecret } = await import(${JSON.stringify(new URL('./server-secret.ts', import.meta.url).href)})
    while (Date.now() < Number(process.argv[2])) {}
    console.log(loadSecret(process.argv[1]).toString('hex'))`
  const start = String(Date.now() + 400)
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, join(dir, 'data'), start])
  const secrets = (await Promise.all(Array.from({ length: 6 }, run))).map(({ stdout }) => stdout.trim())
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(new Set(secrets).size).toBe(1)
  expect(readdirSync(join(dir, 'data'))).toEqual(['secret'])
})

test('LYCEUM_SECRET overrides the file and must be long enough', () => {
  const secret = loadSecret(dir, 'correct horse battery staple wax!')
  expect(secret).toHaveLength(32)
  expect(secret).toEqual(loadSecret(join(dir, 'elsewhere'), 'correct horse battery staple wax!'))
  expect(secret).not.toEqual(loadSecret(dir, 'correct horse battery staple wax?'))
  expect(readdirSync(dir)).toEqual([])
  expect(() => loadSecret(dir, 'x'.repeat(31))).toThrow('at least 32 characters')
  expect(loadSecret(dir, '')).toEqual(loadSecret(dir))
})

test('a file that others can read is corrected', () => {
  const made = loadSecret(dir)
  chmodSync(join(dir, 'secret'), 0o644)
  expect(loadSecret(dir)).toEqual(made)
  expect(mode(join(dir, 'secret'))).toBe(0o600)
})

test.each(['', 'abc\n', `${'0'.repeat(63)}g\n`, 'a'.repeat(128)])('a file that contains %j is refused and kept', (content) => {
  writeFileSync(join(dir, 'secret'), content, { mode: 0o600 })
  expect(() => loadSecret(dir)).toThrow('is not a secret of Lyceum')
  expect(readFileSync(join(dir, 'secret'), 'utf8')).toBe(content)
})

test('every purpose has its own key, and it stays the same', () => {
  const secret = Buffer.alloc(32, 7)
  const purposes: KeyPurpose[] = ['application-passwords', 'sessions', 'nonces', 'sealing', 'cursors']
  const keys = purposes.map((purpose) => deriveKey(secret, purpose).toString('hex'))
  expect(new Set([...keys, secret.toString('hex')]).size).toBe(purposes.length + 1)
  expect(keys.every((key) => key.length === 64)).toBe(true)
  // Stored hashes and encrypted texts depend on it: this value must not change.
  expect(keys[0]).toBe('4161a67438a72e95393bb234c4b00a8d7e269235dffac49021c2b76c8f4f24b6')
  expect(deriveKey(Buffer.alloc(32, 8), 'sessions').toString('hex')).not.toBe(keys[1])
})

test('the content of a secret file means the same in LYCEUM_SECRET', () => {
  const made = loadSecret(dir)
  const content = readFileSync(join(dir, 'secret'), 'utf8').trim()
  expect(loadSecret(join(dir, 'elsewhere'), content)).toEqual(made)
})
