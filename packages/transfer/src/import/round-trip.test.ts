import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openArchive } from '@lyceum/importers/archive'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type World } from '#test/world.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource } from '../../test-support/memory-source.ts'
import { recordsOf } from '../../test-support/records.ts'
import { makeWholeCommunity } from '../../test-support/whole-community.ts'
import { exportCommunity } from '../export/index.ts'
import { importSource } from './import-source.ts'

let scratch: string
const worlds: World[] = []
beforeAll(() => {
  scratch = mkdtempSync(join(inject('scratch'), 'round-trip-'))
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

const newWorld = async (url: string, start = '2026-03-10T12:00:00Z') => {
  const world = await createWorld({ env: { LYCEUM_URL: url }, start })
  worlds.push(world)
  return world
}
const exported = async ({ app }: World, name: string) => {
  const place = join(scratch, name)
  await exportCommunity(app.services, { place })
  const source = await openArchive(place)
  const records = await recordsOf(source)
  await source.close()
  const files = readdirSync(join(place, 'media')).sort()
  return { files, ...records }
}
const imported = async ({ app }: World, name: string) => {
  const source = await openArchive(join(scratch, name))
  const { counts } = await importSource(app.services, source)
  await source.close()
  return Object.values(counts).reduce((sum, { skipped, failed }) => sum + skipped + failed, 0)
}

const FILL = {
  'its own': async (world: World) => {
    await makeWholeCommunity(world)
    // As the demonstration community stores them.
    await world.app.services.database.write((db) =>
      db.updateTable('spaces').set({ settings: '{"emoji":"🕸️"}' }).where('slug', '=', 'attic').execute(),
    )
  },
  'an imported': async ({ app }: World) => void (await importSource(app.services, memorySource(garden(), { files: await gardenFiles() }))),
}

/** The second has been imported from another program; the statements are the same. */
const fills = Object.entries(FILL).slice(0, process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' || SOAK > 1 ? 2 : 1)

test.each(fills)('the archive of a copy of %s community has the same content and files as that of the community', async (name, fill) => {
  const world = await newWorld('https://first.example')
  await fill(world)
  const first = await exported(world, `${name}-1`)
  expect(first.files.length).toBeGreaterThan(1)
  const copy = await newWorld('https://second.example', '2026-03-11T12:00:00Z')
  expect(await imported(copy, `${name}-1`)).toBe(0)
  await expectSound(copy)
  expect(await exported(copy, `${name}-2`)).toEqual(first)
})
