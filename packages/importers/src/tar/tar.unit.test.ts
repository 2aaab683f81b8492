import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTar, TAR_END, tarHeader, tarPadding } from './index.ts'

type File = readonly [name: string, content: Buffer]

const pack = (files: readonly File[]): Buffer =>
  Buffer.concat([
    ...files.flatMap(([name, content]) => [tarHeader(name, content.length, 1_700_000_000), content, tarPadding(content.length)]),
    TAR_END,
  ])

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const unpack = async (bytes: Buffer, size = 64): Promise<File[]> => {
  const files: File[] = []
  for await (const { name, body } of readTar(inPieces(bytes, size))) files.push([name, await buffer(body)])
  return files
}

const names = fc.stringMatching(/^[a-z0-9._-]{1,60}(\/[a-z0-9._-]{1,60}){0,3}$/)
const contents = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes))

test('an archive is read back, however it is split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, contents), { maxLength: 8 }), fc.integer({ min: 1, max: 3000 }), async (files, size) => {
      expect(await unpack(pack(files), size)).toEqual(files)
    }),
    { numRuns: 200 },
  )
})

test('an unread file is skipped', async () => {
  const seen: string[] = []
  for await (const { name } of readTar(
    inPieces(
      pack([
        ['a', Buffer.alloc(5000)],
        ['b', Buffer.from('x')],
      ]),
      700,
    ),
  ))
    seen.push(name)
  expect(seen).toEqual(['a', 'b'])
})

test('other programs can read it', () => {
  const long = `media/${'a'.repeat(80)}/${'b'.repeat(80)}.png`
  const archive = pack([
    ['manifest.json', Buffer.from('{}')],
    [long, Buffer.from('picture')],
  ])
  expect(execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' })).toBe(`manifest.json\n${long}\n`)
  expect(execFileSync('tar', ['-xOf', '-', long], { input: archive, encoding: 'utf8' })).toBe('picture')
})

const LONG = [`${'x'.repeat(101)}`, `${'x'.repeat(160)}/y`, `ü/${'ü'.repeat(99)}`, `${'a/'.repeat(200)}z`]

test('names that do not fit into a header are kept', async () => {
  const files = LONG.map((name): File => [name, Buffer.from(`content of ${name}`)])
  expect(await unpack(pack(files), 700)).toEqual(files)
  const listed = execFileSync('tar', ['-tf', '-'], { input: pack(files), encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  expect(listed.trim().split('\n')).toHaveLength(LONG.length)
})

test('a size that does not fit into a header is read', async () => {
  const size = 8 ** 11 + 5
  async function* endless() {
    yield tarHeader('big', size, 0)
    yield Buffer.from('first')
  }
  for await (const entry of readTar(endless())) {
    expect([entry.name, entry.size]).toEqual(['big', size])
    break
  }
})

test.each(['gnu', 'posix', 'ustar', 'v7'])('archives that tar writes in the format %s are read', async (format) => {
  const folder = mkdtempSync(join(tmpdir(), 'tar-test-'))
  try {
    const long = format === 'gnu' || format === 'posix' ? LONG : ['short']
    for (const name of long) {
      mkdirSync(dirname(join(folder, 'in', name)), { recursive: true })
      writeFileSync(join(folder, 'in', name), `content of ${name}`)
    }
    symlinkSync('/etc/passwd', join(folder, 'in', 'link'))
    execFileSync('tar', ['-C', join(folder, 'in'), `--format=${format}`, '-cf', join(folder, 'a.tar'), '.'])
    const found = new Map<string, string>()
    for await (const { name, type, body } of readTar(inPieces(readFileSync(join(folder, 'a.tar')), 1000)))
      found.set(`${type} ${name.replace(/^\.\//, '')}`, (await buffer(body)).toString())
    for (const name of long) expect(found.get(`file ${name}`)).toBe(`content of ${name}`)
    expect([...found.keys()].filter((name) => !name.startsWith('directory')).sort()).toEqual(
      [...long.map((name) => `file ${name}`), 'other link'].sort(),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ['a length that is no number', 'x path=a\n'],
  ['a length beyond the header', '99 path=a\n'],
  ['a record without a value', '8 path\n\n'],
  ['a length of nothing', '0 path=a\n'],
])('an extended header with %s is refused', async (_, content) => {
  const header = tarHeader('x', content.length, 0)
  header.write('x', 156)
  header.write('        ', 148)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  await expect(unpack(Buffer.concat([header, Buffer.from(content), tarPadding(content.length), TAR_END]))).rejects.toThrow('damaged')
})

test('any bytes are an archive or are refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 0, maxLength: 3000 }), fc.nat(511), fc.nat(255), async (bytes, at, value) => {
      await unpack(Buffer.from(bytes)).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
      const archive = pack([['a', Buffer.from(bytes)]])
      archive[at] = value
      await unpack(archive).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
    }),
  )
})

test('a changed header and a truncated archive are detected', async () => {
  const archive = pack([['a', Buffer.from('content')]])
  const changed = Buffer.from(archive)
  changed[0]! ^= 1
  await expect(unpack(changed)).rejects.toThrow('damaged')
  for (const length of [100, 512, 515, 1024]) await expect(unpack(archive.subarray(0, length))).rejects.toThrow('ends too early')
})
