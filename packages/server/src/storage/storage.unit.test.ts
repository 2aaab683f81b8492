import { createHash, createHmac } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
// @ts-expect-error it comes without types
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiskStorage, createS3Storage, type ObjectStorage, StorageUnavailable } from './index.ts'
import { uploadTime } from './s3.ts'

const folder = mkdtempSync(join(tmpdir(), 'storage-'))
const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 251))
const PATH = 'ab/abcdef0123456789.jpg'

const stores: Record<string, ObjectStorage> = {}
let s3: { run(): Promise<AddressInfo>; close(): Promise<void> }
let s3Url = ''

beforeAll(async () => {
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'bucket' }],
  })
  const { port } = await s3.run()
  s3Url = `http://127.0.0.1:${port}/bucket`
  stores['disk'] = createDiskStorage(join(folder, 'disk'))
  stores['s3'] = createS3Storage({ url: `${s3Url}/`, region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER' })
})
afterAll(() => s3.close())

const local = (bytes: Buffer, name = 'local') => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
const read = async (store: ObjectStorage, path: string, range?: { start: number; end: number }) => {
  const stream = await store.get(path, range)
  return stream ? buffer(stream) : null
}
const listed = async (store: ObjectStorage, shard: string) => {
  const found = []
  for await (const file of store.list(shard)) found.push(file)
  return found
}

describe.each(['disk', 's3'])('the %s store', (kind) => {
  const store = () => stores[kind] as ObjectStorage

  test('returns the stored content', async () => {
    const file = local(BYTES)
    await store().put(PATH, file, 'image/jpeg')
    expect(await store().has(PATH)).toBe(true)
    expect((await read(store(), PATH))?.equals(BYTES)).toBe(true)
    expect((await read(store(), PATH, { start: 0, end: 1 }))?.equals(BYTES.subarray(0, 2))).toBe(true)
    expect((await read(store(), PATH, { start: 1000, end: 69_999 }))?.equals(BYTES.subarray(1000))).toBe(true)
  })

  test('replaces earlier content', async () => {
    await store().put('cd/cdef.bin', local(BYTES), 'application/zip')
    await store().put('cd/cdef.bin', local(Buffer.from('new')), 'application/zip')
    expect(String(await read(store(), 'cd/cdef.bin'))).toBe('new')
  })

  test('removes, and removes again', async () => {
    await store().put('ee/eeee.bin', local(Buffer.from('x')), 'application/zip')
    await store().remove('ee/eeee.bin')
    await store().remove('ee/eeee.bin')
    expect([await store().has('ee/eeee.bin'), await store().get('ee/eeee.bin')]).toEqual([false, null])
  })

  test('lists a shard', async () => {
    for (const name of ['one', 'two', 'three']) await store().put(`0f/${name}.bin`, local(Buffer.from(name)), 'application/zip')
    const found = await listed(store(), '0f')
    expect(found.map(({ path }) => path).sort()).toEqual(['0f/one.bin', '0f/three.bin', '0f/two.bin'])
    for (const { modifiedAt } of found) expect(Math.abs(Date.now() / 1000 - modifiedAt)).toBeLessThan(60)
    expect(await listed(store(), '77')).toEqual([])
  })

  test('stores many files at once, and fails if one of them cannot be read', async () => {
    const files = Array.from({ length: 40 }, (_, i) => ({
      from: local(Buffer.from(`content ${i}`), `batch-${i}`),
      to: `${String(i % 3).padStart(2, '0')}/batch-${i}.bin`,
      type: 'application/zip',
    }))
    await store().putAll(files)
    for (const [i, { to }] of files.entries()) expect(String(await read(store(), to))).toBe(`content ${i}`)
    const missing = { from: join(folder, 'no such file'), to: 'a0/missing.bin', type: 'application/zip' }
    const other = { ...missing, from: local(BYTES), to: 'a0/other.bin' }
    await expect(store().putAll([other, missing])).rejects.toThrow(/no such file/)
    expect(await store().has(missing.to)).toBe(false)
    await store().putAll([])
  })

  test('rejects paths that lead outside', async () => {
    for (const path of ['../x', 'ab/../../x', '/etc/passwd', 'ab/x/y', 'ab/', 'AB/x', 'ab/X?y', 'ab/x#y']) {
      await expect(store().put(path, local(BYTES), 'x')).rejects.toThrow('no path')
      await expect(store().get(path)).rejects.toThrow('no path')
      await expect(store().remove(path)).rejects.toThrow('no path')
    }
  })

  test('handles many concurrent operations', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const bytes = Buffer.alloc(30_000, i)
        await store().put(`aa/${i}.bin`, local(bytes, `many-${i}`), 'application/zip')
        expect((await read(store(), `aa/${i}.bin`))?.equals(bytes)).toBe(true)
      }),
    )
  })
})

test('a disk that cannot be written causes an error and leaves nothing behind', async () => {
  const root = join(folder, 'locked')
  mkdirSync(join(root, 'ab'), { recursive: true })
  const store = createDiskStorage(root)
  await expect(store.put(PATH, join(folder, 'no such file'), 'x')).rejects.toBeInstanceOf(StorageUnavailable)
  const files = ['local', 'no such file'].map((name) => ({ from: join(folder, name), to: `ab/${name.length}.bin`, type: 'x' }))
  local(BYTES)
  await expect(store.putAll(files)).rejects.toBeInstanceOf(StorageUnavailable)
  chmodSync(join(root, 'ab'), 0o700)
  expect(readdirSync(join(root, 'ab'))).toEqual([])
})

test('a storage that is down, rejects requests or hangs is reported as unavailable', async () => {
  const keys = { region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER' }
  const hanging = createServer(() => {})
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  const { port } = hanging.address() as AddressInfo
  const away = [
    createS3Storage({ url: 'http://127.0.0.1:1/bucket', ...keys, timeoutMs: 300 }),
    createS3Storage({ url: `http://127.0.0.1:${port}/bucket`, ...keys, timeoutMs: 300 }),
    createS3Storage({ url: s3Url, ...keys, accessKey: 'nobody' }),
    createS3Storage({ url: `${s3Url}-missing`, ...keys }),
  ]
  for (const [i, store] of away.entries()) {
    if (i !== 1) await expect(store.put(PATH, local(BYTES), 'image/jpeg')).rejects.toBeInstanceOf(StorageUnavailable)
    if (i !== 3) await expect(store.get(PATH)).rejects.toBeInstanceOf(StorageUnavailable)
    await store.close()
  }
  hanging.closeAllConnections()
  hanging.close()
})

/** Signature version 4, from what came over the wire. */
const signatureOf = ({ method, url = '', headers }: IncomingMessage, secret: string): string => {
  const [, scope = '', names = ''] = /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? []
  const [path = '', query = ''] = url.split('?')
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((last, part) => createHmac('sha256', last).update(part).digest(), `AWS4${secret}`)
  return createHmac('sha256', key).update(text).digest('hex')
}

test('requests are signed as S3 requires', async () => {
  const verdicts: boolean[] = []
  const server = createServer((request, response) => {
    verdicts.push(request.headers.authorization?.endsWith(`Signature=${signatureOf(request, 'the secret')}`) === true)
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`
  const store = createS3Storage({ url, region: 'eu-central-1', accessKey: 'KEY', secretKey: 'the secret' })
  await store.put(PATH, local(BYTES), 'image/jpeg')
  await store.get(PATH, { start: 1, end: 2 }).then((stream) => stream?.resume())
  await store.has(PATH)
  await store.remove(PATH)
  await listed(store, 'ab')
  await store.close()
  server.close()
  expect(verdicts).toEqual([true, true, true, true, true])
})

test('a large file has a longer upload timeout than a small one', () => {
  expect([uploadTime(0), uploadTime(2 ** 20), uploadTime(2 ** 30)]).toEqual([120_000, 121_000, 1_144_000])
})
