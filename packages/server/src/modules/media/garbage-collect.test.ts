import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchFile, statusOf, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { collectGarbage, removeStrays } from './garbage-collect.ts'

let world: World
let ana: Member
let media: string
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  media = join(world.app.services.config.dataDir, 'media')
})
afterAll(() => world.close())

const stored = () =>
  readdirSync(media, { recursive: true })
    .map(String)
    .filter((name) => name.includes('.'))
const filesOf = async (id: number) => {
  const row = await world.app.services.database.read.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? [row.path, row.thumbnail_path].filter((path) => path !== null && existsSync(join(media, path))).length : null
}

test('unattached uploads are deleted after two hours, files and rows', async () => {
  const [loose, kept] = [await upload(ana), await upload(ana)]
  await ana.api.feeds.create({ message: kept.file_url })
  world.clock.advance(2 * 3600 - 60)
  expect(await collectGarbage(world.app.services)).toBe(0)
  expect(await filesOf(loose.id)).toBe(2)
  world.clock.advance(120)
  expect(await collectGarbage(world.app.services)).toBe(1)
  expect([await filesOf(loose.id), await filesOf(kept.id)]).toEqual([null, 2])
  expect(await collectGarbage(world.app.services)).toBe(0)
  expect(await statusOf(ana, kept.file_url)).toBe(200)
  expect(stored()).toHaveLength(2)
})

test('deleted files are purged after two hours', async () => {
  const { id } = await upload(ana)
  await ana.api.media.remove({ media_id: id })
  await collectGarbage(world.app.services)
  expect(await filesOf(id)).toBe(2)
  world.clock.advance(2 * 3600 + 1)
  await collectGarbage(world.app.services)
  expect(await filesOf(id)).toBeNull()
})

test('files of objects deleted by cascade are deleted', async () => {
  const feed = (await ana.api.feeds.create({ message: 'x' })).data.id
  const file = await upload(ana)
  await ana.api.comments.create({ feed_id: feed, comment: file.file_url })
  await ana.api.feeds.remove({ feed_id: feed })
  expect(await statusOf(ana, file.file_url)).toBe(404)
  await collectGarbage(world.app.services)
  world.clock.advance(2 * 3600 + 1)
  await collectGarbage(world.app.services)
  expect(await filesOf(file.id)).toBeNull()
})

test('concurrent instances delete each file once', async () => {
  const before = stored().length
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await upload(ana)).id))
  world.clock.advance(2 * 3600 + 1)
  const counts = await Promise.all(Array.from({ length: 4 }, () => collectGarbage(world.app.services)))
  expect(counts.reduce((a, b) => a + b)).toBe(12)
  for (const id of ids) expect(await filesOf(id)).toBeNull()
  expect(stored()).toHaveLength(before)
})

test('a file is either attached or deleted, never both', async () => {
  for (let i = 0; i < 5; i++) {
    const { file_url } = await upload(ana)
    world.clock.advance(2 * 3600 + 1)
    await Promise.all([ana.api.feeds.create({ message: file_url }), collectGarbage(world.app.services)])
    await collectGarbage(world.app.services)
    const { status, bytes } = await fetchFile(ana, file_url)
    expect([200, 404]).toContain(status)
    if (status === 200) expect(bytes.length).toBeGreaterThan(0)
  }
})

test('a file missing from storage does not keep its row', async () => {
  const { id } = await upload(ana)
  const row = await world.app.services.database.read.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  rmSync(join(media, row.path))
  world.clock.advance(2 * 3600 + 1)
  await collectGarbage(world.app.services)
  expect(await filesOf(id)).toBeNull()
})

test('old files without a row are removed, others stay', async () => {
  const { id, file_url } = await upload(ana)
  await ana.api.feeds.create({ message: file_url })
  const key = 'ab'.repeat(16)
  mkdirSync(join(media, 'ab'), { recursive: true })
  const strays = ['old.jpg', 'old.small.webp', 'new.jpg', '11111111-1111-4111-8111-111111111111.tmp'].map((end) =>
    join(media, 'ab', end.endsWith('tmp') ? end : `${key}.${end}`),
  )
  for (const path of strays) writeFileSync(path, 'x')
  const old = Date.now() / 1000 - 3 * 3600
  for (const path of [strays[0], strays[1], strays[3]] as string[]) utimesSync(path, old, old)
  const row = await world.app.services.database.read.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  for (const path of [row.path, row.thumbnail_path] as string[]) utimesSync(join(media, path), old, old)
  const shards = ['ab', row.path.slice(0, 2)]
  expect(await removeStrays(world.app.services, [...new Set(shards)])).toBe(3)
  expect(strays.map((path) => existsSync(path))).toEqual([false, false, true, false])
  expect(await filesOf(id)).toBe(2)
})

test('foreign files in the directory stay and do not stop the cleanup', async () => {
  const foreign = ['.DS_Store', 'Thumbs.db', 'holiday.jpg', `${'cd'.repeat(16)} (1).jpg`].map((name) => join(media, 'cd', name))
  const stray = join(media, 'cd', `${'cd'.repeat(16)}.jpg`)
  mkdirSync(join(media, 'cd'), { recursive: true })
  const old = Date.now() / 1000 - 3 * 3600
  for (const path of [...foreign, stray]) {
    writeFileSync(path, 'x')
    utimesSync(path, old, old)
  }
  expect(await removeStrays(world.app.services, ['cd'])).toBe(1)
  expect([...foreign, stray].map((path) => existsSync(path))).toEqual([true, true, true, true, false])
})

test('interrupted uploads are removed', async () => {
  const folder = join(world.app.services.config.dataDir, 'uploads')
  const [old, fresh] = [join(folder, 'old.tmp'), join(folder, 'fresh.tmp')]
  for (const path of [old, fresh]) writeFileSync(path, 'x')
  const then = Date.now() / 1000 - 2 * 3600
  utimesSync(old, then, then)
  await world.app.maintenance.run()
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
  rmSync(fresh)
})
