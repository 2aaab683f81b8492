import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import lockfile from '../../../package-lock.json' with { type: 'json' }
import manifest from '../../server/package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const filesOf = (pattern: string) => globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' })

const TITLE = /\b(?:test|it|describe)(?:\.each\([\s\S]*?\))?\(\s*['"`](vuln-(?:b\d|\d\d)): [^'"`]{10,}['"`]/g
const titlesIn = (text: string) => [...text.matchAll(TITLE)].map(([, title = '']) => title)

/** Numbers of the known weaknesses of other servers that ours is tested for, and of less severe ones. */
const WANTED = [
  ...Array.from({ length: 25 }, (_, i) => `vuln-${String(i + 1).padStart(2, '0')}`),
  ...Array.from({ length: 9 }, (_, i) => `vuln-b${i + 1}`),
]

const named = new Set(filesOf('packages/{server/src,content,mail,harnesses}/**/*.test.ts').flatMap((file) => titlesIn(read(file))))

test('each vulnerability class has a test with its id', () => {
  expect(WANTED.filter((title) => !named.has(title))).toEqual([])
  expect([...named].filter((title) => !WANTED.includes(title))).toEqual([])
})

test('an id counts where it is in a test title', () => {
  expect(titlesIn("test('vuln-07: nothing is planned ahead', async () => {")).toEqual(['vuln-07'])
  expect(titlesIn("describe.each(['a'])('vuln-b3: of another one’s', () => {")).toEqual(['vuln-b3'])
  expect(titlesIn("// vuln-07: nothing is planned ahead\nconst x = 'vuln-08: nothing is planned'")).toEqual([])
})

describe('vulnerabilities fixed upstream', () => {
  const numbers = (version: string) => version.split('.').map(Number)
  const isAtLeast = (version: string, least: string): boolean => {
    const [a, b] = [numbers(version), numbers(least)]
    const at = a.findIndex((part, i) => part !== b[i])
    return at < 0 || (a[at] ?? 0) > (b[at] ?? 0)
  }

  test.each([
    ['kysely', '0.28.17', 'vuln-20'],
    ['fastify', '5.8.5', 'vuln-24'],
  ] as const)('%s is %s or newer: %s', (name, least, _weakness) => {
    expect(isAtLeast(lockfile.packages[`node_modules/${name}`].version, least)).toBe(true)
  })

  test('versions are compared by their parts', () => {
    expect([isAtLeast('0.29.0', '0.28.17'), isAtLeast('0.28.17', '0.28.17'), isAtLeast('0.28.9', '0.28.17')]).toEqual([true, true, false])
  })
})

describe('the server’s code', () => {
  const sources = filesOf('packages/{server,content,mail}/src/**/*.ts')
    .filter((file) => !/\.test\.ts$/.test(file))
    .map((file) => ({ file: file.replaceAll('\\', '/'), text: read(file).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '') }))
  const filesWith = (pattern: RegExp) =>
    sources
      .filter(({ text }) => pattern.test(text))
      .map(({ file }) => file)
      .sort()

  test('vuln-b6: uses no predictable randomness', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(filesWith(/\bMath\s*\.\s*random\b|\bMath\[/)).toEqual([])
    expect(read('biome.json')).toMatch(/"object": "Math", "property": "random"/)
  })

  test('vuln-20: concatenates no text into statements or JSON paths, except in migrations and triggers', () => {
    const files = filesWith(/\.key\(|json_extract\(|jsonb_path|sql\.(?:raw|lit|id|ref|table)\(/)
    expect(files).toEqual(['packages/server/src/db/code/install.ts', 'packages/server/src/db/migrations/migrate.ts'])
  })

  test('uses no broken algorithm, and none of its own', () => {
    // ETags, names of prepared statements, and hashes of other platforms, which the first sign-in replaces.
    expect(filesWith(/['"`](?:md[45]|sha1?|ripemd\w*|rc4|des(?:-[\w-]+)?|(?:aes|camellia)-\d+-(?:ecb|cbc))['"`]/i)).toEqual([
      'packages/server/src/cache/json-fragments.ts',
      'packages/server/src/db/postgres/pool.ts',
      'packages/server/src/secrets/foreign-password.ts',
    ])
    const own = Object.keys(manifest.dependencies).filter((name) => /crypt|hash|cipher|nacl|noble|sodium|argon|pbkdf|jose|jwt/i.test(name))
    // Node.js has no bcrypt.
    expect(own).toEqual(['bcryptjs'])
    expect(filesWith(/from 'node:crypto'/).length).toBeGreaterThan(10)
  })

  test('vuln-b8: starts no program but its own, and evaluates no text', () => {
    expect(filesWith(/\beval\(|new Function\(|from 'node:vm'|\bvm\.run/)).toEqual([])
    const converter = 'packages/server/src/images/converter.ts'
    const runs = 'packages/server/src/modules/migrations/runs.ts'
    expect(filesWith(/child_process/)).toEqual([converter, runs])
    expect(read(runs)).toContain("spawn(process.execPath, args, { detached: true, stdio: 'ignore' })")
    expect(read(converter)).toContain("import { type ChildProcess, fork } from 'node:child_process'")
    expect(read(converter)).toContain("new URL('./converter-process.ts', import.meta.url)")
  })
})
