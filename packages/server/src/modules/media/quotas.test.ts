import { afterAll, beforeAll, expect, test } from 'vitest'
import { asFile, picture, upload } from '#test/media.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const limit = (limits: object) => admin.api.settings.save({ limits } as never)
const MB = 2 ** 20

/** Inserts a stored file of this size. */
const holds = ({ id }: Member, bytes: number, status: 'active' | 'uploaded' = 'active') =>
  world.app.write(null, ({ db, now }) =>
    db
      .insertInto('media')
      .values({
        key: `${id}-${status}-${bytes}`,
        user_id: id,
        file_name: 'x.png',
        file_type: 'image/png',
        file_size: bytes,
        width: null,
        height: null,
        store: 'disk',
        path: `aa/${id}-${bytes}`,
        thumbnail_path: null,
        object_source: 'profile',
        object_id: id,
        status,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  )
const overQuota = async (who: Member) => refused(who.api.media.upload({ file: asFile(await picture()) }), 413, 'storage_quota_exceeded')

test('a member cannot exceed the quota; deleting files frees space', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  await limit({ member_storage_mb: 5 })
  await holds(ana, 5 * MB)
  const error = await overQuota(ana)
  expect(error.data).toMatchObject({ quota: 5 * MB, used: 5 * MB })
  await upload(ben)
  await world.app.write(null, ({ db }) => db.updateTable('media').set({ status: 'deleted' }).where('user_id', '=', ana.id).execute())
  await upload(ana)
  const { text } = await admin.raw('GET', '//metrics')
  expect(text).toMatch(/^lyceum_refusals_total\{kind="storage_member"\} 1$/m)
  expect(text).toMatch(/^lyceum_media_bytes\{state="unattached"\} [1-9]\d*$/m)
  expect(text).toMatch(/^lyceum_disk_free_bytes [1-9]\d*$/m)
})

test('unattached files have a smaller quota', async () => {
  const ana = await world.member()
  await limit({ unattached_storage_mb: 2 })
  await holds(ana, 2 * MB, 'uploaded')
  await overQuota(ana)
})

test('deleted uploads count until they are purged from the disk', async () => {
  const ana = await world.member()
  await limit({ unattached_storage_mb: 2 })
  await holds(ana, 2 * MB, 'uploaded')
  await world.app.write(null, ({ db }) => db.updateTable('media').set({ status: 'deleted' }).where('user_id', '=', ana.id).execute())
  await overQuota(ana)
  world.clock.advance(3 * 3600)
  await upload(ana)
})

test('a quota of 0 is unlimited, and moderators have no quota of their own', async () => {
  const [ana, moderator] = [await world.member(), await world.member({ role: 'moderator' })]
  await limit({ member_storage_mb: 1, unattached_storage_mb: 1 })
  for (const who of [ana, moderator]) await holds(who, 3 * MB)
  await overQuota(ana)
  await upload(moderator)
  await limit({ member_storage_mb: 0, unattached_storage_mb: 0 })
  await upload(ana)
})

test('the whole community has a quota', async () => {
  const own = await createWorld()
  try {
    const [boss, ana] = [await own.member({ role: 'admin' }), await own.member()]
    await boss.api.settings.save({ limits: { total_storage_mb: 1 } } as never)
    const before = world
    world = own
    await holds(boss, 2 * MB)
    await overQuota(ana)
    world = before
    await upload(boss)
  } finally {
    await own.close()
  }
})

test('uploads are refused before reading while the disk is nearly full', async () => {
  const full = await createWorld({ env: { LYCEUM_MIN_FREE_DISK_MB: '1000000000' } })
  try {
    const ana = await full.member()
    const error = await refused(ana.api.media.upload({ file: asFile(await picture()) }), 503, 'storage_full')
    expect(error.message).not.toContain('/')
    await ana.api.feeds.create({ message: 'Words still fit' })
  } finally {
    await full.close()
  }
})
