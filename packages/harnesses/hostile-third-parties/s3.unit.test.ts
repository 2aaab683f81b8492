import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { report } from '#test/scale.ts'
import { createS3Storage, type ObjectStorage, StorageUnavailable } from '../../server/src/storage/index.ts'
import { MISBEHAVIORS, type Misbehavior, slug } from './misbehaviors.ts'
import { endsWithin } from './others.ts'
import { type Peer, startPeer } from './peer.ts'

const TIMEOUT_MS = 300
const LONGEST_MS = 2500
const SECRET = 'Secret-key-4711'
const PATH = 'ab/abcdef0123456789.jpg'

let peer: Peer
let folder: string
let file: string
beforeAll(async () => {
  peer = await startPeer()
  folder = mkdtempSync(join(tmpdir(), 'lyceum-peers-'))
  file = join(folder, 'file')
  writeFileSync(file, Buffer.alloc(200_000, 'x'))
})
afterAll(async () => {
  await peer.stop()
  rmSync(folder, { recursive: true, force: true })
})

const drain = async (list: AsyncIterable<unknown> | null): Promise<number> => {
  let parts = 0
  for await (const _part of list ?? []) parts += 1
  return parts
}

/** Each call of a store, including a page of files. A file that is read is streamed to its reader at the reader's speed. */
const CALLS: Readonly<Record<string, (store: ObjectStorage) => Promise<unknown>>> = {
  put: (store) => store.put(PATH, file, 'image/jpeg'),
  get: (store) => store.get(PATH).then((stream) => stream?.on('error', () => {}).destroy()),
  remove: (store) => store.remove(PATH),
  has: (store) => store.has(PATH),
  list: (store) => drain(store.list('ab')),
}

const use = async ({ name }: Misbehavior, call: (store: ObjectStorage) => Promise<unknown>) => {
  const store = createS3Storage({
    url: `${peer.url}/${slug(name)}`,
    region: 'x',
    accessKey: 'KEY',
    secretKey: SECRET,
    timeoutMs: TIMEOUT_MS,
    uploadTimeoutMs: TIMEOUT_MS,
  })
  let failure: unknown
  const work = call(store).catch((error: unknown) => {
    failure = error
  })
  const ended = await endsWithin(work, LONGEST_MS)
  await store.close()
  await work
  return { ended, failure }
}

test('each call to a misbehaving storage ends in time as unavailable, without revealing the keys', { timeout: 60_000 }, async () => {
  const wrong: string[] = []
  let calls = 0
  for (const [kind, call] of Object.entries(CALLS)) {
    await Promise.all(
      MISBEHAVIORS.map(async (lie) => {
        calls += 1
        const { ended, failure } = await use(lie, call)
        const text = failure instanceof Error ? failure.message : ''
        if (!ended) wrong.push(`${kind} ${lie.name}: late`)
        else if (failure !== undefined && !(failure instanceof StorageUnavailable)) wrong.push(`${kind} ${lie.name}: ${failure}`)
        if (text.includes(SECRET) || text.length > 2000) wrong.push(`${kind} ${lie.name}: tells ${text.slice(0, 100)}`)
      }),
    )
  }
  expect(wrong).toEqual([])
  expect(peer.elsewhere()).toBe(0)
  report({ peer: 'S3', faults: MISBEHAVIORS.length, calls, late: 0 })
})

test('an endless or circular listing is aborted', async () => {
  const lists = await startPeer((response) => {
    response.end(
      '<ListBucketResult><Contents><Key>x</Key></Contents><NextContinuationToken>again</NextContinuationToken></ListBucketResult>',
    )
  })
  const store = createS3Storage({ url: `${lists.url}/bucket`, region: 'x', accessKey: 'KEY', secretKey: SECRET, timeoutMs: TIMEOUT_MS })
  let failure: unknown
  const work = drain(store.list('ab')).catch((error: unknown) => {
    failure = error
  })
  expect(await endsWithin(work, LONGEST_MS)).toBe(true)
  expect(failure).toBeInstanceOf(StorageUnavailable)
  await store.close()
  await lists.stop()
})

test('control: a body read without a limit is detected as late', async () => {
  const abort = new AbortController()
  const { body } = await fetch(`${peer.url}/drips-its-body`, { signal: abort.signal })
  const work = drain(body).catch(() => 0)
  expect(await endsWithin(work, LONGEST_MS)).toBe(false)
  abort.abort()
  await work
})
