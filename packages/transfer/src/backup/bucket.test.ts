import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Env, envOf, freshEnv, lyceum, lyceumJson } from '#test/command.ts'
import { fetchFile, picture, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { readConfig } from '../../../server/src/config.ts'
import { startS3 } from '../../test-support/s3-server.ts'

let s3: Awaited<ReturnType<typeof startS3>>
let world: World
let ana: Member
let env: Env
let url: string
let file: string
beforeAll(async () => {
  s3 = await startS3('media', 'other')
  const bucket = { LYCEUM_S3_URL: s3.url('media'), ...s3.keys }
  world = await createWorld({ env: bucket })
  env = { ...envOf(world), ...bucket }
  ana = await world.member({ username: 'ana', role: 'admin' })
  const image = await upload(ana, await picture('png', 500, 300))
  await ana.api.feeds.create({ message: image.file_url })
  url = image.file_url
  await world.runPendingJobs()
  file = join(mkdtempSync(join(inject('scratch'), 'bucket-')), 'a.backup')
})
afterAll(async () => {
  await world.close()
  await s3.close().catch(() => {})
})

const bytesAt = async (there: Env) => {
  const other = await createWorld({ env: there })
  try {
    const member = { ...ana, origin: other.origin }
    const authorization = `Basic ${Buffer.from(`ana:${member.password}`).toString('base64')}`
    const path = new URL(url).pathname
    const answer = await fetch(`${other.origin}${path}`, { headers: { authorization } })
    return Buffer.from(await answer.arrayBuffer())
  } finally {
    await other.close()
  }
}

test('media in a bucket are part of a backup, and move to the data directory or to another bucket', async () => {
  const { bytes } = await fetchFile(ana, url)
  const saved = await lyceumJson<{ media: number }>(env, 'backup', file)
  expect(saved.media).toBe(2)

  const onDisk = await freshEnv()
  await lyceumJson(onDisk, 'restore', file)
  expect(await lyceumJson(onDisk, 'doctor')).toMatchObject({ ok: true, warnings: [] })
  expect((await bytesAt(onDisk)).equals(bytes)).toBe(true)

  const elsewhere = { ...(await freshEnv()), LYCEUM_S3_URL: s3.url('other'), ...s3.keys }
  await lyceumJson(elsewhere, 'restore', file)
  expect(s3.objects('other')).toEqual(s3.objects('media'))
  const left = readdirSync(join(readConfig(elsewhere).dataDir, 'media'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
  expect((await bytesAt(elsewhere)).equals(bytes)).toBe(true)
})

test('an unavailable bucket makes the backup fail', async () => {
  const away = { ...env, LYCEUM_S3_URL: 'http://127.0.0.1:1/media' }
  const { code, err } = await lyceum(away, ['backup', `${file}-2`])
  expect([code, err]).toEqual([1, expect.stringMatching(/the store is unavailable/)])
  expect(readdirSync(join(file, '..'))).toEqual(['a.backup'])
})
