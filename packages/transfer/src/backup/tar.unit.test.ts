import { execFileSync } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTar, TAR_END, tarHeader, tarPadding } from './tar.ts'

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

test('names and sizes that do not fit are refused', () => {
  expect(() => tarHeader('x'.repeat(101), 1, 0)).toThrow('too long')
  expect(() => tarHeader(`${'x'.repeat(160)}/y`, 1, 0)).toThrow('too long')
  expect(() => tarHeader('big', 8 ** 11, 0)).toThrow('too large')
})

test('a changed header and a truncated archive are detected', async () => {
  const archive = pack([['a', Buffer.from('content')]])
  const changed = Buffer.from(archive)
  changed[0]! ^= 1
  await expect(unpack(changed)).rejects.toThrow('damaged')
  for (const length of [100, 512, 515, 1024]) await expect(unpack(archive.subarray(0, length))).rejects.toThrow('ends too early')
})
