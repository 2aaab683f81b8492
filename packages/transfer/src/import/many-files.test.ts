import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { picture } from '#test/media.ts'
import { createWorld, type World } from '#test/world.ts'
import type { Services } from '../../../server/src/core/context.ts'
import { type NewFile, StorageUnavailable } from '../../../server/src/storage/index.ts'
import { AT, community } from '../../test-support/bring.ts'
import { memorySource } from '../../test-support/memory-source.ts'
import { importSource } from './import-source.ts'

const FILES = 60
const BROKEN = 'f31'

let world: World
let files: Record<string, Buffer>

beforeAll(async () => {
  world = await createWorld()
  const names = Array.from({ length: FILES }, (_, i) => `f${i}`)
  files = Object.fromEntries(await Promise.all(names.map(async (name, i) => [name, await picture('png', 5 + i, 5)] as const)))
  files[BROKEN] = Buffer.from('not a picture')
})
afterAll(() => world.close())

const open = () =>
  memorySource(
    community([], {
      media: Object.keys(files).map((id) => ({
        ...{ id, file: id, file_name: `${id}.png`, owner: 'ana', used_for: 'feed' as const, created_at: AT },
      })),
    }),
    { files },
  )

/** The services with another way of storing many files. */
const storingBy = (putAll: (all: readonly NewFile[]) => Promise<void>): Services => {
  const { services } = world.app
  return { ...services, storage: { ...services.storage, current: { ...services.storage.current, putAll } } }
}
const rows = () =>
  world.app.services.database.read.selectFrom('media').select(['file_name', 'width', 'path', 'thumbnail_path']).orderBy('id').execute()

test('files are stored many at once, and a store that fails leaves no rows without files', async () => {
  const { current } = world.app.services.storage
  let calls = 0
  const failing = storingBy(async (all) => {
    calls++
    if (calls > 1) throw new StorageUnavailable(new Error('the disk is gone'))
    await current.putAll(all)
  })
  await expect(importSource(failing, open())).rejects.toMatchObject({ code: 'service_unavailable' })
  for (const { path } of await rows()) expect(await current.has(path)).toBe(true)
  expect((await rows()).length).toBeLessThan(FILES)

  let stored = 0
  calls = 0
  const counting = storingBy(async (all) => {
    calls++
    stored += all.length
    await current.putAll(all)
  })
  await importSource(counting, open())
  const found = await rows()
  expect(found.map(({ width }) => width)).toEqual(Array.from({ length: FILES }, (_, i) => 5 + i).filter((width) => width !== 36))
  for (const { path, thumbnail_path } of found)
    expect([await current.has(path), await current.has(thumbnail_path ?? '')]).toEqual([true, true])
  expect(calls).toBeLessThan(3)

  stored = 0
  await importSource(counting, open())
  expect([stored, await rows()]).toEqual([0, found])
  await expectSound(world)
})
