import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ARCHIVE_KINDS, type ArchiveKind, type ArchiveRecord } from '@lyceum/contract/archive'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Entry, Source, Unreadable } from '../source.ts'
import { openArchive, writeArchive } from './index.ts'

const scratch = mkdtempSync(join(tmpdir(), 'archive-test-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let made = 0
const free = (end = ''): string => join(scratch, `${++made}${end}`)

const NOW = '2026-03-10 12:00:00'
const LATER = '2026-03-11 12:00:00'
type Records = { readonly [K in ArchiveKind]?: readonly Entry<K>[] }

const person = (id: string, more: Partial<ArchiveRecord<'people'>> = {}): ArchiveRecord<'people'> => ({
  id,
  username: `user${id}`,
  email: null,
  status: 'active',
  created_at: NOW,
  ...more,
})
const photo = (id: string, file = id): ArchiveRecord<'media'> => ({ id, file, file_name: `${id}.png`, used_for: 'feed', created_at: NOW })

const sourceOf = (records: Records, files: Readonly<Record<string, Buffer>> = {}): Source => ({
  name: 'test',
  origins: ['https://community.example'],
  basePath: '/portal',
  counts: async () => Object.fromEntries(Object.entries(records).map(([kind, rows]) => [kind, rows.length])),
  read: async function* <K extends ArchiveKind>(kind: K) {
    yield* (records[kind] ?? []) as Iterable<Entry<K>>
  },
  openMedia: async ({ file = '' }) => (files[file] ? Readable.from([files[file]]) : null),
  leftOut: async () => ({}),
  close: async () => {},
})

const recordsOf = async (source: Source): Promise<Records> => {
  const counts = await source.counts()
  const kinds = ARCHIVE_KINDS.filter((kind) => kind in counts)
  return Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await Array.fromAsync(source.read(kind))])))
}

const readBack = async (place: string): Promise<Records> => {
  const source = await openArchive(place, { temporary: scratch })
  try {
    return await recordsOf(source)
  } finally {
    await source.close()
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const png = Buffer.from('not really a picture')

describe.each(['.tar.gz', ''])('an archive with a name that ends with "%s"', (end) => {
  test('has the records, and each file once', async () => {
    const place = free(end)
    const records: Records = {
      people: [person('1', { display_name: 'Zoë 漢字 🌱', social_links: { b: '1', a: '2' } }), person('2')],
      media: [photo('a'), photo('b', 'a'), photo('gone')],
      spaces: [],
    }
    const written = await writeArchive(sourceOf(records, { a: png }), place, { now: NOW })
    expect(written).toEqual({
      counts: { people: 2, media: 3, spaces: 0 },
      media: { files: 1, bytes: png.length },
      skipped: 0,
    })

    const source = await openArchive(place, { temporary: scratch })
    expect([source.name, source.origins]).toEqual(['lyceum', ['https://community.example']])
    expect(await source.counts()).toEqual({ people: 2, media: 3, spaces: 0 })
    const { people, media = [], spaces } = await recordsOf(source)
    expect(people).toEqual(records.people)
    expect(spaces).toEqual([])
    const file = { file: `media/${sha256(png)}`, sha256: sha256(png) }
    const { file: _, ...missing } = photo('gone')
    expect(media).toEqual([{ ...photo('a'), ...file }, { ...photo('b'), ...file }, missing])
    const contents = await Promise.all((media as ArchiveRecord<'media'>[]).map(async (row) => (await source.openMedia(row)) ?? null))
    expect(await Promise.all(contents.map((content) => content && buffer(content)))).toEqual([png, png, null])
    await source.close()
    expect(readdirSync(scratch).filter((name) => /lyceum-archive|\.part/.test(name))).toEqual([])
  })

  test('can be read by its owner only', async () => {
    const place = free(end)
    await writeArchive(sourceOf({ people: [person('1')], media: [photo('a')] }, { a: png }), place, { now: NOW })
    const all = end ? [place] : [place, ...readdirSync(place, { recursive: true }).map((name) => join(place, String(name)))]
    expect(all.map((name) => statSync(name).mode & 0o077)).toEqual(all.map(() => 0))
  })

  test('is never written over another file', async () => {
    const place = free(end)
    if (end) writeFileSync(place, 'mine')
    else mkdirSync(join(place, 'mine'), { recursive: true })
    await expect(writeArchive(sourceOf({}), place, { now: NOW })).rejects.toThrow(`${place} exists; choose another name`)
    if (end) expect(readFileSync(place, 'utf8')).toBe('mine')
    await expect(writeArchive(sourceOf({}), join(place, 'none', `x${end}`), { now: NOW })).rejects.toThrow(/there is no folder|ENOTDIR/)
  })

  test('leaves nothing behind when the source fails', async () => {
    const place = free(end)
    const failing = {
      ...sourceOf({ people: [person('1')], media: [photo('a')] }),
      openMedia: () => Promise.reject(new Error('no such disk')),
    }
    await expect(writeArchive(failing, place, { now: NOW })).rejects.toThrow('no such disk')
    const stop = AbortSignal.abort(new Error('stopped'))
    await expect(writeArchive(sourceOf({ people: [person('1')] }), place, { now: NOW, signal: stop })).rejects.toThrow('stopped')
    expect(readdirSync(scratch).filter((name) => name.startsWith(String(made)))).toEqual([])
  })
})

test('an empty folder is used', async () => {
  const place = free()
  mkdirSync(place)
  await writeArchive(sourceOf({ people: [person('1')] }), place, { now: NOW })
  expect(readdirSync(place).sort()).toEqual(['manifest.json', 'people.jsonl'])
})

test.each(['x.zip', 'x.tar', 'x.sql.gz', 'x.json'])('%s is no name for an archive', async (name) => {
  await expect(writeArchive(sourceOf({}), join(scratch, name), { now: NOW })).rejects.toThrow('use a new folder, or a file')
})

test('two exports to one place do not mix', async () => {
  const place = free()
  mkdirSync(`${place}.part`)
  await expect(writeArchive(sourceOf({}), place, { now: NOW })).rejects.toThrow('another export is running, or was interrupted')
})

test('the manifest describes the files', async () => {
  const place = free()
  await writeArchive(sourceOf({ people: [person('1')] }), place, { now: NOW })
  const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
  const people = readFileSync(join(place, 'people.jsonl'))
  expect(manifest).toMatchObject({
    format: 'lyceum-archive/1',
    created_at: NOW,
    source: 'https://community.example/portal',
    origins: ['https://community.example'],
    counts: { people: 1 },
    files: [{ path: 'people.jsonl', bytes: people.length, sha256: sha256(people) }],
    schemas: { people: { type: 'object', required: expect.arrayContaining(['id', 'username']) } },
  })
})

test('other programs can unpack the file', async () => {
  const place = free('.tar.gz')
  await writeArchive(sourceOf({ people: [person('1')], media: [photo('a')] }, { a: png }), place, { now: NOW })
  const names = execFileSync('tar', ['-tzf', place], { encoding: 'utf8' }).trim().split('\n')
  expect(names.sort()).toEqual(['manifest.json', `media/${sha256(png)}`, 'media.jsonl', 'people.jsonl'].sort())
  expect(execFileSync('tar', ['-xzOf', place, 'people.jsonl'], { encoding: 'utf8' })).toBe(`${JSON.stringify(person('1'))}\n`)
})

test('a folder that was packed by another program is read', async () => {
  const place = free()
  await writeArchive(sourceOf({ people: [person('1')], media: [photo('a')] }, { a: png }), place, { now: NOW })
  const packed = [free('.tar.gz'), free('.tar')] as const
  execFileSync('tar', ['-czf', packed[0], '-C', scratch, place.slice(scratch.length + 1)])
  execFileSync('tar', ['-cf', packed[1], '-C', place, '.'])
  for (const file of packed) expect(await readBack(file)).toEqual(await readBack(place))
})

test('equal content gives equal bytes, but for the time', async () => {
  const records = (links: Record<string, string>): Records => ({
    people: [person('1', { social_links: links }), person('2')],
    media: [photo('a')],
  })
  const write = async (links: Record<string, string>, now: string, end: string) => {
    const place = free(end)
    await writeArchive(sourceOf(records(links), { a: png }), place, { now })
    return place
  }
  const packed = await Promise.all([write({ a: '1', b: '2' }, NOW, '.tar.gz'), write({ b: '2', a: '1' }, NOW, '.tar.gz')])
  expect(readFileSync(packed[0]).equals(readFileSync(packed[1]))).toBe(true)
  const [one, two] = await Promise.all([write({ a: '1', b: '2' }, NOW, ''), write({ b: '2', a: '1' }, LATER, '')])
  const texts = (place: string) => ['people.jsonl', 'media.jsonl', 'manifest.json'].map((name) => readFileSync(join(place, name), 'utf8'))
  expect(texts(two).map((text) => text.replace(LATER, NOW))).toEqual(texts(one))
})

test('invalid records of a source are left out and reported', async () => {
  const place = free()
  const skipped: [ArchiveKind, Unreadable][] = []
  const people = [person('1'), { ...person('2'), status: 'happy' as 'active' }, { unreadable: { id: '3', reason: 'it is broken' } }]
  const written = await writeArchive(sourceOf({ people }), place, { now: NOW, onSkipped: (...row) => skipped.push(row) })
  expect(written).toMatchObject({ counts: { people: 1 }, skipped: 2 })
  expect(skipped).toEqual([
    ['people', { id: '2', reason: 'status must be equal to one of the allowed values' }],
    ['people', { id: '3', reason: 'it is broken' }],
  ])
  expect(await readBack(place)).toEqual({ people: [person('1')] })
})

test.each([
  ['a key that is not allowed', { ['__proto__']: 'x' }],
  ['nested deeper than 64 levels', JSON.parse(`{"a":${'['.repeat(70)}${']'.repeat(70)}}`)],
])('records that could not be read back are reported: %s', async (reason, social_links) => {
  const place = free()
  const skipped: [ArchiveKind, Unreadable][] = []
  const people = [person('1', { social_links }), person('2')]
  const written = await writeArchive(sourceOf({ people }), place, { now: NOW, onSkipped: (...row) => skipped.push(row) })
  expect(written).toMatchObject({ counts: { people: 1 }, skipped: 1 })
  expect(skipped).toEqual([['people', { id: '1', reason: expect.stringContaining(reason) }]])
  expect(await readBack(place)).toEqual({ people: [person('2')] })
})

test('the last day of each month, and of February in a leap year, is valid', async () => {
  const days = ['01-31', '02-29', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30', '10-31', '11-30', '12-31']
  const people = days.map((day, i) => person(String(i), { created_at: `2024-${day} 23:59:59` }))
  const place = free()
  expect(await writeArchive(sourceOf({ people }), place, { now: NOW })).toMatchObject({ counts: { people: 12 }, skipped: 0 })
})

test('progress is reported by kind', async () => {
  const seen: [string, number][] = []
  const many = Array.from({ length: 2500 }, (_, i) => person(String(i)))
  await writeArchive(sourceOf({ people: many, spaces: [] }), free(), { now: NOW, onProgress: (...step) => seen.push(step) })
  expect(seen).toEqual([
    ['people', 1000],
    ['people', 2000],
    ['people', 2500],
    ['spaces', 0],
  ])
})

test('whatever is written is read back', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((value) => value.isWellFormed() && !value.includes('\0'))
  const key = text.filter((name) => name !== '__proto__')
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }).filter((json) => !/\\u0000|__proto__/.test(JSON.stringify(json)))
  const rows = fc.uniqueArray(
    fc.record({ id: fc.integer().map((id) => String(id)), display_name: text, meta: fc.dictionary(key, value, { maxKeys: 4 }) }),
    { selector: ({ id }) => id, maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), async (list, packed) => {
      const people = list.map(({ id, display_name, meta }) => person(id, { display_name, social_links: meta }))
      const place = free(packed ? '.tar.gz' : '')
      await writeArchive(sourceOf({ people }), place, { now: NOW })
      expect(JSON.parse(JSON.stringify(await readBack(place)))).toEqual(JSON.parse(JSON.stringify({ people })))
    }),
    { numRuns: 60 },
  )
})
