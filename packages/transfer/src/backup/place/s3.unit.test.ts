import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startS3 } from '../../../test-support/s3-server.ts'
import type { Write } from '../archive.ts'
import { createS3Place } from './s3.ts'

const NAME = 'lyceum-0123abcd-20260101T000000Z.backup'
const PART = 16 * 2 ** 20
const REGION = { region: 'us-east-1' }
const KEYS = { ...REGION, accessKey: 'KEY', secretKey: 'the secret' }

interface Recorded {
  /** The requests, without the id of the upload. */
  readonly requests: string[]
  readonly objects: Map<string, Buffer>
  /** Uploads that were neither completed nor aborted. */
  readonly open: Set<string>
}

/** An S3 service that stores objects and uploads in memory. `fails` names the requests that it refuses. */
const startRecorder = async (fails: (request: string) => boolean) => {
  const recorded: Recorded = { requests: [], objects: new Map(), open: new Set() }
  const parts: Buffer[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
    const name = `${request.method} ${[...searchParams.keys()].sort().join(' ')}`.trim()
    const body = await buffer(request)
    recorded.requests.push(name)
    if (fails(name)) return response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
    if (name === 'POST uploads') {
      recorded.open.add('one')
      return response.end('<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>')
    }
    if (name === 'DELETE uploadId') {
      recorded.open.delete('one')
      return response.writeHead(204).end()
    }
    if (name === 'PUT partNumber uploadId') parts.push(body)
    else if (name === 'PUT') recorded.objects.set(pathname, body)
    else if (name === 'POST uploadId') {
      recorded.open.delete('one')
      recorded.objects.set(pathname, Buffer.concat(parts))
    }
    return response.setHeader('etag', `"${parts.length}"`).end('<CompleteMultipartUploadResult/>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = createS3Place({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/folder`, partBytes: 1000, ...KEYS })
  onTestFinished(async () => {
    await place.close()
    server.close()
  })
  return { place, recorded }
}

const writing =
  (bytes: Buffer, chunk = 700) =>
  async (write: Write) => {
    for (let at = 0; at < bytes.length; at += chunk) await write(bytes.subarray(at, at + chunk))
  }

test('a backup of several parts is complete', async () => {
  const s3 = await startS3('backups')
  const { LYCEUM_S3_ACCESS_KEY: accessKey, LYCEUM_S3_SECRET_KEY: secretKey } = s3.keys
  const place = createS3Place({ url: `${s3.url('backups')}/folder`, ...REGION, accessKey, secretKey })
  const folder = mkdtempSync(join(tmpdir(), 's3-place-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await place.close()
    await s3.close()
  })
  const bytes = randomBytes(2 * PART + 12_345)
  expect(await place.write(NAME, writing(bytes, 100_000))).toBe(bytes.length)
  expect(await place.list()).toEqual([{ name: NAME, size: bytes.length }])
  const stored = await place.read(NAME, folder, async (file) => readFileSync(file))
  expect(stored.equals(bytes)).toBe(true)
})

test.each([
  [0, ['PUT']],
  [999, ['PUT']],
  [1000, ['POST uploads', 'PUT partNumber uploadId', 'POST uploadId']],
  [2001, ['POST uploads', ...Array(3).fill('PUT partNumber uploadId'), 'POST uploadId']],
])('a backup of %i bytes is sent in parts of 1000', async (size, requests) => {
  const { place, recorded } = await startRecorder(() => false)
  const bytes = randomBytes(size)
  await place.write(NAME, writing(bytes))
  expect(recorded.requests).toEqual(requests)
  expect([...recorded.objects]).toEqual([[`/bucket/folder/${NAME}`, bytes]])
  expect(recorded.open.size).toBe(0)
})

test.each(['PUT partNumber uploadId', 'POST uploadId'])('an upload whose %s fails is aborted, and leaves no object', async (refused) => {
  let tries = 0
  const { place, recorded } = await startRecorder((request) => request === refused && (refused === 'POST uploadId' || ++tries === 2))
  await expect(place.write(NAME, writing(randomBytes(5000)))).rejects.toThrow('500 InternalError')
  expect(recorded.requests.at(-1)).toBe('DELETE uploadId')
  expect([recorded.objects.size, recorded.open.size]).toEqual([0, 0])
})

test('a backup that fails while it is uploaded is aborted, and leaves no object', async () => {
  const { place, recorded } = await startRecorder(() => false)
  const failing = async (write: Write) => {
    await write(randomBytes(2500))
    throw new Error('the database is gone')
  }
  await expect(place.write(NAME, failing)).rejects.toThrow('the database is gone')
  expect(recorded.requests.at(-1)).toBe('DELETE uploadId')
  expect([recorded.objects.size, recorded.open.size]).toEqual([0, 0])
})
