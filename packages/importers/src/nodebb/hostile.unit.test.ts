import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { packTar } from '../../test-support/pack-tar.ts'
import { postgresDump } from '../../test-support/postgres-dump.ts'
import { folderWith, readAll } from '../../test-support/read-source.ts'
import { UnreadableSource } from '../source.ts'
import { openNodebb } from './open.ts'

/** CPU time of this thread in milliseconds: the machine may be busy with other work. */
const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const T = Date.UTC(2024, 0, 1, 10)
const HASHES: Readonly<Record<string, object>> = {
  'user:1': { uid: 1, username: 'Ana', userslug: 'ana', joindate: T },
  'category:1': { cid: 1, name: 'Bread', slug: '1/bread' },
  'topic:1': { tid: 1, cid: 1, uid: 1, title: 'Rye', slug: '1/rye', mainPid: 1, timestamp: T },
  'post:1': { pid: 1, tid: 1, uid: 1, content: 'How?', timestamp: T },
}

/** A dump with these objects; texts are stored as they are. */
const dumpOf = (hashes: Readonly<Record<string, object | string>> = {}): string =>
  postgresDump({
    legacy_hash: Object.entries({ ...HASHES, ...hashes }).map(([_key, data]) => ({ _key, data, type: 'hash' })),
    legacy_zset: [{ _key: 'group:cid:1:privileges:groups:topics:read:members', value: 'guests', score: 0, type: 'zset' }],
    legacy_set: [{ _key: 'none', member: '1', type: 'set' }],
  })

const open = async (content: string | Uint8Array, uploads?: string) =>
  openNodebb(join(await folderWith({ 'forum.sql': content }), 'forum.sql'), uploads === undefined ? {} : { uploads })

describe('a dump', () => {
  test('that is truncated, damaged, a bomb or in another format is refused', async () => {
    const dump = dumpOf()
    const packed = gzipSync(dump)
    const bomb = gzipSync(Buffer.concat([Buffer.from(dump), Buffer.alloc(66 * 1024 * 1024, `${'-'.repeat(1000)}\n`)]), { level: 9 })
    await expect(open(packed.subarray(0, -20))).rejects.toThrow(/ends too early/)
    await expect(open(Buffer.concat([packed.subarray(0, 40), Buffer.alloc(40, 7)]))).rejects.toThrow(UnreadableSource)
    await expect(open(bomb)).rejects.toThrow(/times its size/)
    await expect(open(dump.slice(0, dump.indexOf('\\.')))).rejects.toThrow(/not complete/)
    await expect(open('PGDMP\u0001\u000e')).rejects.toThrow(/pg_restore/)
    await expect(open(Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)))).rejects.toThrow(UnreadableSource)
  })

  test('in another encoding is read as it declares', async () => {
    const dump = dumpOf({ 'post:1': { ...HASHES['post:1'], content: 'Brötchen' } }).replace("= 'UTF8'", "= 'LATIN1'")
    const { records } = await readAll(await open(Buffer.from(dump, 'latin1')))
    expect(records.posts).toMatchObject([{ message: 'Brötchen' }])
    await expect(open(dumpOf().replace("= 'UTF8'", "= 'MULE_INTERNAL'"))).rejects.toThrow(/encoding/)
  })

  test('with broken lines has the rest, and counts them', async () => {
    const dump = dumpOf().replace('user:1\t', 'rubbish\nuser:2\tx\ty\tz\nuser:1\t')
    const { records, leftOut } = await readAll(await open(dump))
    expect(records.people.map(({ id }) => id)).toEqual(['1'])
    expect(leftOut).toEqual({ 'broken rows of legacy_hash': 2 })
  })
})

test('objects with a million levels are left out with a reason', async () => {
  const started = cpuTime()
  const nested = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
  const withNested = (object: object) => JSON.stringify({ ...object, extra: 0 }).replace('"extra":0', `"extra":${nested}`)
  const { records, unreadable, leftOut } = await readAll(
    await open(
      dumpOf({
        config: withNested({ title: 'Bakers' }),
        'user:2': withNested({ uid: 2, username: 'Ben' }),
        'category:2': withNested({ cid: 2, name: 'Cake', slug: '2/cake' }),
        'group:Owls': withNested({ name: 'Owls' }),
        'post:2': withNested({ pid: 2, tid: 1, uid: 1, content: 'So.' }),
        'topic:3': withNested({ tid: 3, cid: 1, mainPid: 1 }),
        'post:queue:1': withNested({ uid: 1, type: 'topic' }),
        'flag:1': withNested({ targetId: 1, type: 'post' }),
      }),
    ),
  )
  expect(records.people).toMatchObject([{ username: 'Ana' }])
  expect(records.spaces).toMatchObject([{ title: 'Bread' }])
  expect(records.posts).toMatchObject([{ id: '1' }])
  expect(unreadable.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`)).toEqual([
    'people 2: its data cannot be read',
    'spaces group:Owls: its data cannot be read',
    'posts 3: its data cannot be read',
    'comments 2: its data cannot be read',
    'reports 1:: its data cannot be read',
  ])
  expect(leftOut).toEqual({})
  expect(cpuTime() - started).toBeLessThan(10_000)
})

test('replies and categories that refer to themselves end', async () => {
  const levels = 20_000
  const replies = Array.from(
    { length: levels },
    (_, at) => [`post:${at + 2}`, { ...HASHES['post:1'], pid: at + 2, toPid: at + 3 }] as const,
  )
  const categories = Array.from(
    { length: 300 },
    (_, at) => [`category:${at + 1}`, { cid: at + 1, name: 'C', slug: `${at + 1}/c`, parentCid: ((at + 1) % 300) + 1 }] as const,
  )
  const started = cpuTime()
  const { records } = await readAll(await open(dumpOf(Object.fromEntries<object>([...replies, ...categories]))))
  expect(records.comments).toHaveLength(levels)
  expect(records.comments.every(({ parent }) => parent === undefined)).toBe(true)
  expect(records.spaces).toHaveLength(300)
  expect(cpuTime() - started).toBeLessThan(20_000)
})

test('paths of files never lead out of the uploads, in folders and archives', async () => {
  const places = ['../../../../etc/passwd', '%2e%2e/%2e%2e/etc/passwd', 'link.png', '/etc/passwd']
  const content = places.map((place) => `![](/assets/uploads/${place})`).join(' ')
  const dump = dumpOf({ 'post:1': { ...HASHES['post:1'], content } })
  const folder = await folderWith({})
  await mkdir(join(folder, 'uploads'))
  await symlink('/etc/passwd', join(folder, 'uploads/link.png'))
  const archive = join(folder, 'uploads.tar')
  await writeFile(
    archive,
    packTar([
      { name: 'uploads/link.png', type: 'symlink', linkname: '/etc/passwd' },
      { name: '../../../../etc/passwd', type: 'file', body: 'evil' },
    ]),
  )
  for (const uploads of [join(folder, 'uploads'), archive]) {
    const source = await open(dump, uploads)
    const media = (await Array.fromAsync(source.read('media'))).flatMap((entry) => ('unreadable' in entry ? [] : [entry]))
    expect(media).toHaveLength(places.length)
    for (const record of media) expect(await source.openMedia(record)).toBe(null)
    await source.close()
  }
})
