import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { SOAK } from '#test/scale.ts'
import { everything, type Row, type Tables } from '#test/tables.ts'
import { createWorld, type World } from '#test/world.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource, type SourceOptions } from '../../test-support/memory-source.ts'
import { importSource } from './import-source.ts'

const worlds: World[] = []
const newWorld = async () => {
  const world = await createWorld({
    env: { LYCEUM_URL: 'https://community.example', LYCEUM_SECRET: 'the same in all of these communities' },
  })
  worlds.push(world)
  return world
}
const open = async (more: SourceOptions = {}) => memorySource(garden(), { files: await gardenFiles(), ...more })

/** Columns that differ between two imports of the same records: ids that were reserved and not used, and secrets of the community. */
const IDS = /^(?:id|.*_id|key|path|.*_path|rowid|day)$/
const shape = (rows: readonly Row[]) =>
  rows.map((row) =>
    JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name, value]) => !IDS.test(name) && typeof value !== 'string'))),
  )
/** The figures of analytics are rebuilt at the end of an import that was interrupted, and otherwise when the server gets to them. */
const counted = (tables: Tables) =>
  Object.fromEntries([...tables].filter(([name]) => !name.startsWith('analytics_')).map(([name, rows]) => [name, shape(rows).sort()]))

let whole: Record<string, string[]>
beforeAll(async () => {
  const world = await newWorld()
  await importSource(world.app.services, await open())
  whole = counted(await everything(world))
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

class Broken extends Error {}

test.each(SOAK > 1 ? [3, 9, 17, 24, 33, 41, 52] : [17, 52])('an import that breaks at record %i continues where it was', async (place) => {
  const world = await newWorld()
  let left = place
  const onRead = () => {
    if (left-- === 0) throw new Broken('the connection broke')
  }
  await expect(importSource(world.app.services, await open({ onRead }), { firstSize: 2 })).rejects.toThrow(Broken)
  await importSource(world.app.services, await open(), { firstSize: 2 })
  await expectSound(world)
  expect(counted(await everything(world))).toEqual(whole)
})

test('Ctrl-C ends it between two batches, and the next import continues', async () => {
  const world = await newWorld()
  const controller = new AbortController()
  const options = { firstSize: 2, signal: controller.signal, onProgress: (kind: string) => kind === 'comments' && controller.abort() }
  const first = await importSource(world.app.services, await open(), options)
  expect(first.complete).toBe(false)
  await expectSound(world)
  const second = await importSource(world.app.services, await open())
  expect([second.complete, second.counts.posts]).toMatchObject([true, { imported: 0, unchanged: 8 }])
  await expectSound(world)
  expect(counted(await everything(world))).toEqual(whole)
})

test('values that are made for records do not depend on the ids that an interrupted import left unused', async () => {
  const derived = async (before: (world: World) => Promise<unknown>) => {
    const world = await newWorld()
    await before(world)
    const records = garden()
    const withoutCodes = { ...records, enrolments: records.enrolments?.map((one) => ({ ...one, certificate_code: undefined })) ?? [] }
    await importSource(world.app.services, memorySource(withoutCodes, { files: await gardenFiles() }))
    const { read } = world.app.services.database
    const addresses = await read.selectFrom('users').select('email').where('email', 'like', '~no-address-%').orderBy('email').execute()
    const codes = await read.selectFrom('course_completions').select('certificate_code').orderBy('certificate_code').execute()
    return { addresses: addresses.map(({ email }) => email), codes: codes.map(({ certificate_code }) => certificate_code) }
  }
  const expected = await derived(async () => {})
  expect(expected.addresses.length).toBeGreaterThan(0)
  expect(expected.codes.length).toBeGreaterThan(0)
  const withGaps = await derived(async (world) => {
    const admin = await world.member({ role: 'admin' })
    await world.member()
    await admin.api.courses.create({ title: 'Weaving', description: 'On the ids of the garden' })
  })
  expect(withGaps).toEqual(expected)
})
