import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { SOAK } from '../../../server/test-support/scale.ts'
import { packTar, type TarMember } from '../../test-support/pack-tar.ts'
import { type Source, UnreadableSource } from '../source.ts'
import { openArchive } from './index.ts'
import { UNPACK_LIMITS } from './unpack.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hostile-archive-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let made = 0
const free = (end = ''): string => join(scratch, `${++made}${end}`)

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const ANA = { id: '1', username: 'ana', email: null, status: 'active', created_at: '2026-03-10 12:00:00' }
const BEN = { ...ANA, id: '2', username: 'ben' }
const line = (record: object) => `${JSON.stringify(record)}\n`

type Files = Readonly<Record<string, Buffer | string>>

/** A manifest that describes the files of records, with changes. */
const manifestOf = (files: Files, changes: object = {}) =>
  JSON.stringify({
    format: 'lyceum-archive/1',
    created_at: '2026-03-10 12:00:00',
    source: 'https://a.example',
    origins: ['https://a.example'],
    counts: {},
    schemas: {},
    files: Object.entries(files)
      .filter(([path]) => path.endsWith('.jsonl'))
      .map(([path, content]) => ({ path, bytes: Buffer.byteLength(content), sha256: sha256(Buffer.from(content)) })),
    ...changes,
  })

const folderOf = (files: Files, changes: object = {}): string => {
  const folder = free()
  for (const [path, content] of Object.entries({ 'manifest.json': manifestOf(files, changes), ...files })) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const file = (name: string, body: string | Buffer = ''): TarMember => ({ name, type: 'file', body })
const GOOD: Files = { 'people.jsonl': line(ANA) }
const good = (): TarMember[] => [file('manifest.json', manifestOf(GOOD)), file('people.jsonl', line(ANA))]
const packed = async (members: readonly TarMember[]): Promise<string> => {
  const place = free('.tar.gz')
  writeFileSync(place, gzipSync(packTar(members)))
  return place
}

const within = <T>(place: string, work: (source: Source) => Promise<T>, limits = UNPACK_LIMITS): Promise<T> =>
  openArchive(place, { temporary: scratch, limits }).then(async (source) => {
    try {
      return await work(source)
    } finally {
      await source.close()
    }
  })
const peopleOf = (place: string) => within(place, (source) => Array.fromAsync(source.read('people')))
const reasonsOf = async (place: string, kind: 'people' | 'media' = 'people') =>
  within(place, async (source) =>
    (await Array.fromAsync(source.read(kind))).map((entry) =>
      'unreadable' in entry ? [entry.unreadable.id, entry.unreadable.reason] : entry.id,
    ),
  )

/** Asserts that an archive is refused, and that nothing stays of it. */
const refuses = async (place: string, message: string | RegExp, limits = UNPACK_LIMITS) => {
  const before = readdirSync(scratch).length
  const refusal = await openArchive(place, { temporary: scratch, limits }).then(
    () => null,
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(UnreadableSource)
  expect((refusal as Error).message).toMatch(message)
  expect(readdirSync(scratch).length).toBe(before)
}

describe('a packed archive is refused if it', () => {
  test.each([
    ['leads out of its folder', '../escaped.jsonl', /contains an unsafe path/],
    ['leads out of a folder in it', 'media/../../escaped', /contains an unsafe path/],
    ['has an absolute path', '/tmp/escaped', /contains an unsafe path/],
    ['has a path of Windows', 'C:\\escaped', /contains an unsafe path/],
    ['has a path with backslashes', '..\\escaped', /contains an unsafe path/],
  ])('%s', async (_, name, message) => {
    await refuses(await packed([...good(), file(name, 'x')]), message)
    expect(existsSync(join(scratch, '..', 'escaped.jsonl'))).toBe(false)
  })

  test.each(['symlink', 'link', 'character-device', 'block-device', 'fifo'] as const)('has a %s', async (type) => {
    const name = `media/${'a'.repeat(64)}`
    await refuses(await packed([...good(), { name, type, linkname: '/etc/passwd' }]), 'is not a regular file')
  })

  test('writes through a link that it made before', async () => {
    const link: TarMember = { name: 'media', type: 'symlink', linkname: scratch }
    await refuses(await packed([link, file(`media/${'b'.repeat(64)}`, 'x'), ...good()]), 'is not a regular file')
    expect(existsSync(join(scratch, 'b'.repeat(64)))).toBe(false)
  })

  test.each(['people.jsonl', './people.jsonl', 'other/people.jsonl'])('has a file twice, as %s', async (name) => {
    await refuses(await packed([...good(), file(name, line(BEN))]), 'it contains people.jsonl twice')
  })

  test('expands without end', async () => {
    const zeros = Buffer.alloc(4 * 2 ** 20)
    const members = [...good(), ...Array.from({ length: 20 }, (_, i) => file(`media/${String(i).padStart(64, '0')}`, zeros))]
    await refuses(await packed(members), 'expands to more than 250 times its size')
    await refuses(await packed([...good(), ...Array.from({ length: 20 }, (_, i) => file(`junk${i}`, zeros))]), 'expands to more than 250')
  })

  test('has more bytes or entries than allowed', async () => {
    const place = await packed([...good(), file('media/x', Buffer.alloc(5000))])
    await refuses(place, 'there is not enough disk space to unpack it', { ...UNPACK_LIMITS, mostBytes: 6000 })
    await refuses(place, 'more than 2 entries', { ...UNPACK_LIMITS, mostEntries: 2 })
  })

  test('is truncated anywhere', async () => {
    const whole = readFileSync(await packed(good()))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        const place = free('.tar.gz')
        writeFileSync(place, whole.subarray(0, length))
        await refuses(place, /damaged|neither a folder nor|is missing/)
      }),
      { numRuns: 20 * SOAK },
    )
  })

  test('has a truncated tar in a sound gzip', async () => {
    const tar = gunzipSync(readFileSync(await packed(good())))
    for (const length of [100, 512, 700, 1024]) {
      const place = free('.tar.gz')
      writeFileSync(place, gzipSync(tar.subarray(0, length)))
      await refuses(place, /damaged/)
    }
  })

  test.each([
    ['random bytes', Buffer.from('neither this nor that')],
    ['a zip file', Buffer.from('PK\x03\x04 and so on')],
    ['nothing', Buffer.alloc(0)],
    ['a gzip of text', gzipSync('hello')],
    ['a gzip of zeros', gzipSync(Buffer.alloc(10_000))],
  ])('is %s', async (_, content) => {
    const place = free('.tar.gz')
    writeFileSync(place, content)
    await refuses(place, /neither a folder|zip file|damaged|is missing/)
  })

  test('is changed in any one byte', async () => {
    const tar = gunzipSync(readFileSync(await packed(good())))
    await fc.assert(
      fc.asyncProperty(fc.nat(tar.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(tar)
        changed[at] = (changed[at] as number) ^ change
        const place = free('.tar.gz')
        writeFileSync(place, gzipSync(changed))
        const people = await peopleOf(place).catch((error: unknown) => {
          if (error instanceof UnreadableSource) return null
          throw error
        })
        if (people) expect(people).toEqual([ANA])
      }),
      { numRuns: 50 * SOAK },
    )
  })
})

test('further files of a packed archive are ignored', async () => {
  const place = await packed([...good(), file('README', 'hello'), file('a/b/c/people.jsonl', 'x'), file('media/not-a-hash', 'x')])
  expect(await peopleOf(place)).toEqual([ANA])
})

describe('an archive is refused if its manifest', () => {
  test.each<[string, object, RegExp]>([
    ['has a later format', { format: 'lyceum-archive/2' }, /format is lyceum-archive\/2, but this version reads lyceum-archive\/1; update/],
    ['has another format', { format: 'something/1' }, /not an archive of a Lyceum community/],
    ['has no format', { format: undefined }, /not an archive of a Lyceum community/],
    ['lacks a field', { files: undefined }, /manifest\.json is not valid/],
    ['has a field of another type', { origins: 'https://a.example' }, /manifest\.json is not valid: \/origins/],
    ['leads out of its folder', { files: [{ path: '../people.jsonl', bytes: 0, sha256: '' }] }, /not a record file/],
    ['names a media file', { files: [{ path: 'media/x', bytes: 0, sha256: '' }] }, /not a record file/],
    ['names a missing file', { files: [{ path: 'posts.jsonl', bytes: 0, sha256: '' }] }, /posts\.jsonl is missing/],
    ['counts records that are missing', { counts: { posts: 5 } }, /posts\.jsonl is missing/],
    ['has another hash', { files: [{ path: 'people.jsonl', bytes: line(ANA).length, sha256: sha256('x') }] }, /damaged or was modified/],
    ['has another size', { files: [{ path: 'people.jsonl', bytes: 1, sha256: sha256(line(ANA)) }] }, /damaged or was modified/],
  ])('%s', async (_, changes, message) => {
    await refuses(folderOf(GOOD, changes), message)
  })

  test.each([
    ['is missing', undefined, 'manifest.json is missing'],
    ['is not JSON', '{"format":', 'not valid JSON'],
    ['is not an object', '[]', 'not an archive of a Lyceum community'],
    ['is null', 'null', 'not an archive of a Lyceum community'],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'not encoded in UTF-8'],
    ['is nested a million times', '['.repeat(1e6), 'nested deeper'],
    ['changes a prototype', '{"__proto__": {"format": "lyceum-archive/1"}}', 'a key that is not allowed'],
  ])('%s', async (_, manifest, message) => {
    const folder = folderOf(GOOD)
    if (manifest === undefined) rmSync(join(folder, 'manifest.json'))
    else writeFileSync(join(folder, 'manifest.json'), manifest)
    await refuses(folder, message)
  })

  test('names a file twice', async () => {
    const entry = { path: 'people.jsonl', bytes: line(ANA).length, sha256: sha256(line(ANA)) }
    await refuses(folderOf(GOOD, { files: [entry, entry] }), 'names people.jsonl twice')
  })

  test('or a file of records is a link', async () => {
    const outside = free()
    writeFileSync(outside, line(ANA))
    for (const name of ['manifest.json', 'people.jsonl']) {
      const folder = folderOf(GOOD)
      rmSync(join(folder, name))
      symlinkSync(outside, join(folder, name))
      await refuses(folder, `${name} is not a regular file`)
    }
  })
})

test('kinds of records that this version does not know are left out and counted', async () => {
  const files = { ...GOOD, 'telepathy.jsonl': 'a\nb\n' }
  await within(folderOf(files, { counts: { people: 1, telepathy: 2 } }), async (source) => {
    expect(await source.leftOut()).toEqual({ telepathy: 2 })
    expect(await source.counts()).toEqual({ people: 1 })
  })
})

test('counts are those of the files, whatever the manifest says', async () => {
  await within(folderOf({ 'people.jsonl': line(ANA) + JSON.stringify(BEN) }, { counts: { people: 1e9 } }), async (source) => {
    expect(await source.counts()).toEqual({ people: 2 })
  })
})

describe('a line that is no record is reported, and the others are read:', () => {
  test.each<[string, string | Buffer, string]>([
    ['broken JSON', '{"id": "x"', 'it is not valid JSON'],
    ['two values', '{} {}', 'it is not valid JSON'],
    ['a list', '[]', 'must be object'],
    ['null', 'null', 'must be object'],
    ['an empty line', '', 'it is not valid JSON'],
    ['a missing field', JSON.stringify({ ...ANA, username: undefined }), 'required'],
    ['an empty id', JSON.stringify({ ...ANA, id: '' }), 'id must not have fewer'],
    ['an unknown value', JSON.stringify({ ...ANA, status: 'happy' }), 'status must be equal to one of'],
    ['an invalid time', JSON.stringify({ ...ANA, created_at: '2026-02-30 00:00:00' }), 'created_at must match'],
    ['a day of a leap year', JSON.stringify({ ...ANA, created_at: '2025-02-29 00:00:00' }), 'created_at must match'],
    ['a thirteenth month', JSON.stringify({ ...ANA, created_at: '2026-13-01 00:00:00' }), 'created_at must match'],
    ['a day zero', JSON.stringify({ ...ANA, created_at: '2026-01-00 00:00:00' }), 'created_at must match'],
    ['an hour 24', JSON.stringify({ ...ANA, created_at: '2026-01-01 24:00:00' }), 'created_at must match'],
    ['a minute 60', JSON.stringify({ ...ANA, created_at: '2026-01-01 00:60:00' }), 'created_at must match'],
    ['a time as text', JSON.stringify({ ...ANA, created_at: 'yesterday' }), 'created_at must match'],
    ['Latin 1', Buffer.from(JSON.stringify({ ...ANA, username: 'Jürgen' }), 'latin1'), 'it is not encoded in UTF-8'],
    ['UTF-16', Buffer.from(JSON.stringify(ANA), 'utf16le'), 'it is not valid JSON'],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'it is not encoded in UTF-8'],
    ['half a character', JSON.stringify({ ...ANA, username: 'a\ud83c' }), 'it has text that is not valid Unicode'],
    ['a zero character', JSON.stringify({ ...ANA, username: 'a\0' }), 'it has text that is not valid Unicode'],
    ['a zero byte', `{"id": "\0"}`, 'it is not valid JSON'],
    ['a prototype', `{"__proto__": {"id": "1"}, ${JSON.stringify(ANA).slice(1)}`, 'it has a key that is not allowed'],
    ['a prototype in other letters', `{"\\u005f_proto__": {}, ${JSON.stringify(ANA).slice(1)}`, 'it has a key that is not allowed'],
    ['a million levels', `${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`, 'it is nested deeper than 64 levels'],
    ['a million levels that do not end', '['.repeat(1e6), 'it is nested deeper than 64 levels'],
    ['20 MB', JSON.stringify({ ...ANA, username: 'x'.repeat(20 * 2 ** 20) }), 'the line is longer than 16 MB'],
  ])('%s', async (_, text, reason) => {
    const content = Buffer.concat([Buffer.from(line(ANA)), Buffer.from(text), Buffer.from(`\n${line(BEN)}`)])
    const [first, odd, last] = await reasonsOf(folderOf({ 'people.jsonl': content }))
    expect([first, last]).toEqual(['1', '2'])
    expect(odd).toEqual(['people.jsonl:2', expect.stringContaining(reason)])
    expect(({} as { format?: string }).format).toBeUndefined()
  })

  test('a long line needs no memory', async () => {
    const place = folderOf({ 'people.jsonl': `${'x'.repeat(120 * 2 ** 20)}\n${line(BEN)}` })
    global.gc?.()
    const before = process.memoryUsage().rss
    expect((await reasonsOf(place)).at(-1)).toBe('2')
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * 2 ** 20)
  })

  test('a byte order mark and Windows line ends are accepted', async () => {
    expect(await peopleOf(folderOf({ 'people.jsonl': `\ufeff${JSON.stringify(ANA)}\r\n${JSON.stringify(BEN)}\r\n` }))).toEqual([ANA, BEN])
  })
})

describe('media', () => {
  const row = { id: '1', file_name: 'a.png', used_for: 'feed', created_at: '2026-03-10 12:00:00' }
  const at = (hash: string) => ({ ...row, file: `media/${hash}` })
  const bytes = Buffer.from('picture')

  test.each<[string, object, string]>([
    ['leads out of its folder', { ...row, file: '../../etc/passwd' }, 'its file is outside of the media folder'],
    ['leads out of media', { ...row, file: `media/../${'a'.repeat(64)}` }, 'its file is outside of the media folder'],
    ['is absolute', { ...row, file: '/etc/passwd' }, 'its file is outside of the media folder'],
    ['is a file of records', { ...row, file: 'people.jsonl' }, 'its file is outside of the media folder'],
    ['has two hashes', { ...at(sha256(bytes)), sha256: sha256('other') }, 'its hash does not match its file name'],
    ['has another hash', at(sha256('other')), 'its file is damaged: the hash does not match'],
  ])('whose file %s is reported', async (_, record, reason) => {
    const files = { 'media.jsonl': line(record), [`media/${sha256(bytes)}`]: bytes, [`media/${sha256('other')}`]: bytes }
    expect(await reasonsOf(folderOf(files), 'media')).toEqual([['1', reason]])
  })

  test('whose file is missing or a link has no content', async () => {
    const folder = folderOf({ 'media.jsonl': line(at('c'.repeat(64))) + line({ ...at('d'.repeat(64)), id: '2' }), 'media/x': '' })
    symlinkSync('/etc/passwd', join(folder, 'media', 'd'.repeat(64)))
    await within(folder, async (source) => {
      for await (const entry of source.read('media')) {
        if ('unreadable' in entry) throw new Error(entry.unreadable.reason)
        expect(await source.openMedia(entry)).toBeNull()
      }
    })
  })
})

test('a place that does not exist is named', async () => {
  await expect(openArchive(join(scratch, 'nowhere'))).rejects.toThrow(`there is no file or folder ${join(scratch, 'nowhere')}`)
})

test('random lines never break the reader', async () => {
  const json = fc.oneof(
    fc.json(),
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify({ ...ANA, meta: value })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(json, { maxLength: 20 }), async (lines) => {
      const texts = lines.map((text) => text.replaceAll('\n', ' '))
      const found = await reasonsOf(folderOf({ 'people.jsonl': texts.map((text) => `${text}\n`).join('') }))
      expect(found.length).toBe(texts.length)
    }),
    { numRuns: 100 },
  )
})
