import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { type Env, freshEnv, lyceumJson } from '#test/command.ts'
import { picture, upload } from '#test/media.ts'
import { report, SOAK } from '#test/scale.ts'
import { createWorld } from '#test/world.ts'
import { exportCommunity } from '../../transfer/src/index.ts'
import { makeWholeCommunity } from '../../transfer/test-support/whole-community.ts'
import { killWhen } from './process.ts'

const TIMEOUT_MS = 120_000 + SOAK * 60_000
const KILLS = 2
const PICTURES = SOAK === 1 ? 25 : 60

let folder: string
let archive: string
let expected: Record<string, string>

/** A hash of each file of records, and the names of the media files, which are hashes of their contents. The manifest has the time. */
const hashesOf = (place: string): Record<string, string> => ({
  ...Object.fromEntries(
    readdirSync(place)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(place, name)))
          .digest('hex'),
      ]),
  ),
  media: readdirSync(join(place, 'media')).sort().join(' '),
})

let exports = 0
const exportedHashes = async (env: Env) => {
  const place = join(folder, `export-${++exports}`)
  await lyceumJson(env, 'export', place)
  return hashesOf(place)
}
const importing = () => ['import', 'lyceum', archive]

beforeAll(async () => {
  folder = mkdtempSync(join(inject('scratch'), 'kill-import-'))
  archive = join(folder, 'archive')
  const world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
  const { admin } = await makeWholeCommunity(world)
  for (let i = 0; i < PICTURES; i++) {
    const { file_url } = await upload(admin, await picture('png', 10 + i, 10))
    await admin.api.feeds.create({ message: `Picture ${i}`, meta: { media_items: [{ url: file_url }] } })
  }
  await world.runPendingJobs()
  await exportCommunity(world.app.services, { place: archive })
  await world.close()
  expected = hashesOf(archive)
  expect(readdirSync(join(archive, 'media')).length).toBeGreaterThan(PICTURES)
}, TIMEOUT_MS)

test('an import that is killed several times ends like one that is not', { timeout: TIMEOUT_MS }, async () => {
  const undisturbed = await freshEnv()
  const { ms } = await killWhen(undisturbed, importing(), () => false)
  expect(await exportedHashes(undisturbed)).toEqual(expected)
  let kills = 0
  for (let round = 0; round < SOAK; round++) {
    const there = await freshEnv()
    for (let n = 0; n < KILLS; n++) {
      const at = ms * (0.1 + 0.9 * Math.random())
      const { killed } = await killWhen(there, importing(), (elapsed) => elapsed > at)
      if (!killed) break
      kills++
    }
    await lyceumJson(there, ...importing())
    expect(await exportedHashes(there)).toEqual(expected)
    expect(await lyceumJson(there, 'doctor')).toMatchObject({ ok: true })
  }
  report({ imports: SOAK, kills })
})
