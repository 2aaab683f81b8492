import { mkdtempSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error the package has no type declarations
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asFile, fetchFile, mp4, picture, statusOf, upload } from '#test/media.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { collectGarbage } from './garbage-collect.ts'

let s3: { run(): Promise<AddressInfo>; close(): Promise<void> }
let world: World
let ana: Member
let bucket: string

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 's3-'))
  bucket = join(directory, 'files')
  s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'files' }] })
  const { port } = await s3.run()
  world = await createWorld({
    env: { LYCEUM_S3_URL: `http://127.0.0.1:${port}/files`, LYCEUM_S3_ACCESS_KEY: 'S3RVER', LYCEUM_S3_SECRET_KEY: 'S3RVER' },
  })
  ana = await world.member()
})
afterAll(async () => {
  await world.close()
  await s3.close().catch(() => {})
})

const kept = () => readdirSync(bucket, { recursive: true }).filter((name) => String(name).endsWith('._S3rver_object'))

test('files in a bucket are served like those on disk', async () => {
  const ben = await world.member()
  const image = await upload(ana, await picture('png', 500, 300))
  expect(kept()).toHaveLength(2)
  expect(readdirSync(world.app.services.config.dataDir)).not.toContain('media')
  const { status, bytes, headers } = await fetchFile(ana, image.file_url)
  expect([status, bytes.length, headers.get('content-type')]).toEqual([200, image.file_size, 'image/png'])
  expect(await statusOf(ana, image.thumbnail_url ?? '')).toBe(200)
  expect(await statusOf(ben, image.file_url)).toBe(404)

  const content = mp4(5000)
  const video = await upload(ana, content, 'clip.mp4')
  await ana.api.feeds.create({ message: video.file_url })
  const part = await fetchFile(ben, video.file_url, { range: 'bytes=1000-1999' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/5000'])
  expect(part.bytes.equals(content.subarray(1000, 2000))).toBe(true)

  world.clock.advance(2 * 3600 + 1)
  expect(await collectGarbage(world.app.services)).toBe(1)
  expect(kept()).toHaveLength(1)
})

test('a slow storage is waited for, although the connection is idle meanwhile', async () => {
  const slow = createServer((request, response) => {
    request.resume().on('end', () => setTimeout(() => response.end(), 900))
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const timed = await createWorld({
    clientTimeouts: { head: 400, request: 400, silence: 500 },
    env: {
      LYCEUM_S3_URL: `http://127.0.0.1:${(slow.address() as AddressInfo).port}/files`,
      LYCEUM_S3_ACCESS_KEY: 'x',
      LYCEUM_S3_SECRET_KEY: 'x',
    },
  })
  try {
    expect((await upload(await timed.member(), mp4(1000), 'clip.mp4')).file_size).toBe(1000)
  } finally {
    await timed.close()
    slow.close()
  }
})

test('an unavailable storage is reported, and nothing is left behind', async () => {
  const file = await upload(ana)
  await s3.close()
  await refused(ana.api.media.upload({ file: asFile(await picture()) }), 503, 'service_unavailable')
  expect(await statusOf(ana, file.file_url)).toBe(503)
  expect((await ana.api.media.ofProfile({ username: 'me' })).meta.total).toBe(2)
  expect(readdirSync(join(world.app.services.config.dataDir, 'uploads'))).toEqual([])
})
