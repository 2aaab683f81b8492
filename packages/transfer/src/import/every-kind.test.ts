import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource } from '../../test-support/memory-source.ts'
import { importSource } from './import-source.ts'
import type { Imported, ReportLine } from './types.ts'

let world: World
let admin: Member
let imported: Imported
const lines: ReportLine[] = []

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
  admin = await world.member({ role: 'admin', username: 'boss' })
  const source = memorySource(garden(), { files: await gardenFiles(), leftOut: { messages: 3 } })
  imported = await importSource(world.app.services, source, { onLine: (line) => lines.push(line) })
})
afterAll(() => world.close())

test('every record is imported, and the data are consistent', async () => {
  expect(lines.filter(({ outcome }) => outcome !== 'noted')).toEqual([])
  for (const [kind, records] of Object.entries(garden()))
    expect([kind, imported.counts[kind as keyof typeof imported.counts]]).toEqual([
      kind,
      { total: records.length, imported: records.length, unchanged: 0, changed: 0, skipped: 0, failed: 0 },
    ])
  expect([imported.complete, imported.left_out]).toEqual([true, { messages: 3 }])
  await expectSound(world)
  expect(admin.id).toBeGreaterThan(0)
})
