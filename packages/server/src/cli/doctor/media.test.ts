import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchFile, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { saveBackup } from '../../../../transfer/src/backup/save.ts'
import { nowOf } from '../../core/clock.ts'
import { repair } from './repair.ts'
import { runChecks } from './run-checks.ts'

let world: World
let ana: Member
let media: string
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ role: 'admin' })
  media = join(world.app.services.config.dataDir, 'media')
})
afterAll(() => world.close())

const settings = () => ({ now: nowOf(world.clock), sample: 100, storage: world.app.services.storage })
const look = () => runChecks(world.app.services.database, settings())

test('consistent files are not reported', async () => {
  await ana.api.feeds.create({ message: (await upload(ana)).file_url })
  await ana.api.media.remove({ media_id: (await upload(ana)).id })
  const { checked, violations, warnings } = await look()
  expect([checked.includes('media_files'), violations, warnings.filter((text) => text.includes('file'))]).toEqual([true, [], []])
})

test('lost and orphaned files are reported and repaired', async () => {
  const [lost, kept, small] = [await upload(ana), await upload(ana), await upload(ana)]
  for (const { file_url } of [lost, kept, small]) await ana.api.feeds.create({ message: file_url })
  const pathsOf = (id: number) =>
    world.app.services.database.read.selectFrom('media').select(['path', 'thumbnail_path']).where('id', '=', id).executeTakeFirstOrThrow()
  rmSync(join(media, (await pathsOf(lost.id)).path))
  rmSync(join(media, (await pathsOf(small.id)).thumbnail_path ?? ''))
  mkdirSync(join(media, '0a'), { recursive: true })
  const stray = join(media, '0a', `${'0a'.repeat(16)}.png`)
  const recent = join(media, '0a', `${'0a'.repeat(15)}0b.png`)
  for (const path of [stray, recent]) writeFileSync(path, 'x')
  utimesSync(stray, Date.now() / 1000 - 7200, Date.now() / 1000 - 7200)

  const before = await look()
  expect(before.violations.map(({ check, examples }) => [check, examples])).toEqual([['media_files', [lost.id, small.id]]])
  expect(before.warnings).toContain('1 stored file is orphaned; a server removes them within a day')

  const repaired = await repair(world.app.services.database, settings())
  expect(repaired.map(({ check, ids }) => [check, ids.length])).toEqual([
    ['media_files', 2],
    ['stray_files', 1],
  ])
  expect([existsSync(stray), existsSync(recent)]).toEqual([false, true])
  expect((await look()).violations).toEqual([])
  expect((await fetchFile(ana, kept.file_url)).status).toBe(200)
  expect((await fetchFile(ana, lost.file_url)).status).toBe(404)
})

test('a backup holds the files', async () => {
  const { database, config, clock } = world.app.services
  const saved = await saveBackup({ database, dataDir: config.dataDir, secret: Buffer.alloc(32), write: async () => {}, now: nowOf(clock) })
  expect(saved.media).toBe(readdirSync(media, { recursive: true }).filter((name) => String(name).includes('.')).length)
})
