import { hash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeArchive } from '@lyceum/importers/archive'
import { beforeAll, expect, inject, test } from 'vitest'
import { type Env, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource } from '../../test-support/memory-source.ts'
import type { Imported, ReportLine } from '../import/index.ts'

let folder: string
let archive: string
beforeAll(async () => {
  folder = mkdtempSync(join(inject('scratch'), 'import-'))
  archive = join(folder, 'archive')
  await writeArchive(memorySource(garden(), { files: await gardenFiles(), leftOut: { messages: 3 } }), archive, {
    now: '2026-01-01 00:00:00',
  })
})

const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
/** Adds a line to an archive, which its manifest describes then. */
const addLine = (place: string, kind: string, line: string) => {
  const [path, manifest] = [join(place, `${kind}.jsonl`), join(place, 'manifest.json')]
  appendFileSync(path, line)
  const content = readFileSync(path)
  const { files, ...more } = JSON.parse(readFileSync(manifest, 'utf8')) as { files: { path: string }[] }
  const described = files.map((one) =>
    one.path === `${kind}.jsonl` ? { ...one, bytes: content.length, sha256: hash('sha256', content, 'hex') } : one,
  )
  writeFileSync(manifest, JSON.stringify({ ...more, files: described }))
}
const imports = (env: Env, ...args: string[]) => lyceum(env, ['import', 'lyceum', ...args])

test('a dry run says what would be imported and who would see it; the import does it, and repeating it changes nothing', async () => {
  const env = await readyEnv()
  const dry = await imports(env, archive, '--dry-run')
  expect(dry.code, dry.err).toBe(0)
  expect(dry.out).toMatch(/^posts +8 +8 +0 +0 +0 +0$/m)
  expect(dry.out).toMatch(/^Peas +secret +its members +1 +0 +1$/m)
  expect(dry.out).toMatch(/^Roses +private +its members; others know that it exists +1 +1 +0$/m)
  expect(dry.out).toContain('Nothing was written.')
  const first = await lyceumJson<Imported>(env, 'import', 'lyceum', archive)
  expect(first).toMatchObject({ complete: true, dry_run: false, counts: { posts: { total: 8, imported: 8 } } })
  const second = await lyceumJson<Imported>(env, 'import', 'lyceum', archive)
  expect(second.counts.posts).toEqual({ total: 8, imported: 0, unchanged: 8, changed: 0, skipped: 0, failed: 0 })
  expect(second.spaces.map(({ title, posts }) => [title, posts])).toEqual(first.spaces.map(({ title, posts }) => [title, posts]))
  expect((await lyceum(env, ['doctor'])).code).toBe(0)
})

test('a record that fails is in the report, and refuses the import only with --strict', async () => {
  const [env, report] = [await readyEnv(), join(folder, 'report.jsonl')]
  const broken = join(folder, 'broken')
  await writeArchive(memorySource({ people: garden().people ?? [] }), broken, { now: '2026-01-01 00:00:00' })
  addLine(broken, 'people', '{"id":"x","username":7}\n')
  const lenient = await imports(env, broken, '--report', report, '--dry-run')
  expect(lenient.code, lenient.err).toBe(0)
  expect(lenient.out.split('\n').filter((line) => line.startsWith('failed'))).toEqual([expect.stringContaining('people')])
  const lines = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ReportLine)
  expect(lines).toContainEqual({ kind: 'people', id: 'people.jsonl:7', outcome: 'failed', reason: expect.stringContaining('required') })
  expect((await imports(env, broken, '--strict')).code).toBe(1)
})

test('some kinds and a mapping can be chosen', async () => {
  const env = await readyEnv()
  const map = file('map.json', JSON.stringify({ spaces: { roses: null }, privacy: { beans: 'private' } }))
  const { counts, spaces } = await lyceumJson<Imported>(env, 'import', 'lyceum', archive, '--only', 'people, spaces', '--map', map)
  expect(Object.keys(counts)).toEqual(['people', 'space_groups', 'spaces', 'memberships', 'topics', 'follows'])
  expect(spaces.map(({ title, privacy, left_out }) => [title, privacy, left_out])).toEqual([
    ['Beans', 'private', false],
    ['Peas', 'secret', false],
    ['Roses', 'private', true],
  ])
})

test.each([
  [['phorum', 'PLACE'], 'unknown source phorum'],
  [['lyceum', '/no/such/place'], '/no/such/place'],
  [['lyceum', 'PLACE', '--only', 'people,elephants'], 'unknown kind elephants'],
  [['lyceum', 'PLACE', '--map', '/no/such/file'], 'cannot read /no/such/file'],
  [['lyceum', 'PLACE', '--report', '/no/such/folder/file'], 'cannot write /no/such/folder/file'],
])('lyceum import %j is refused', async (args, message) => {
  const env = await readyEnv()
  const { code, err } = await lyceum(env, ['import', ...args.map((one) => (one === 'PLACE' ? archive : one))])
  expect([code, err]).toEqual([1, expect.stringContaining(message)])
})
