import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Env, envOf, freshEnv, lyceum, lyceumJson } from '#test/command.ts'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type World } from '#test/world.ts'

let world: World
let env: Env
beforeAll(async () => {
  world = await createWorld()
  env = envOf(world)
  const ana = await world.member({ username: 'ana' })
  const garden = await makeSpace(world, { members: [ana] })
  await ana.api.feeds.create({ message: 'Outside' })
  await ana.api.feeds.create({ message: 'Inside', space_id: garden.id })
})
afterAll(() => world.close())

const scratch = () => mkdtempSync(join(inject('scratch'), 'export-'))

interface Exported {
  readonly place: string
  readonly space: string | null
  readonly counts: Readonly<Record<string, number>>
  readonly media: { readonly files: number; readonly bytes: number }
  readonly skipped: number
}

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')

test('writes a folder that only its owner can read, and a summary', async () => {
  const place = join(scratch(), 'archive')
  const { code, out, err } = await lyceum(env, ['export', place])
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^people +1$/m)
  expect(out).toMatch(/^posts +2$/m)
  expect(out).toContain(`${place}: the archive with 0 files (0.00 MB) is complete.\n`)
  expect(out).toContain('store it where only you can read it')
  expect(linesOf(join(place, 'people.jsonl')).map((line) => JSON.parse(line).username)).toEqual(['ana'])
  expect(statSync(place).mode & 0o077).toBe(0)
  expect(readdirSync(join(place, '..'))).toEqual(['archive'])
})

test('writes one file, with machine-readable output', async () => {
  const place = join(scratch(), 'archive.tar.gz')
  const exported = await lyceumJson<Exported>(env, 'export', place)
  expect(exported).toMatchObject({ place, space: null, counts: { people: 1, spaces: 1, posts: 2 }, media: { files: 0 }, skipped: 0 })
  expect(statSync(place).mode & 0o077).toBe(0)
})

test('--space exports one space', async () => {
  const [slug] = (await world.app.services.database.read.selectFrom('spaces').select('slug').execute()).map((row) => row.slug)
  const exported = await lyceumJson<Exported>(env, 'export', join(scratch(), 'space'), '--space', slug ?? '')
  expect(exported).toMatchObject({ space: slug, counts: { people: 1, spaces: 1, posts: 1 } })
  const missing = await lyceum(env, ['export', join(scratch(), 'space'), '--space', 'nowhere'])
  expect(missing).toMatchObject({ code: 1, out: '', err: 'lyceum: there is no space nowhere\n' })
})

describe('refuses', () => {
  test('to overwrite anything', async () => {
    const folder = scratch()
    writeFileSync(join(folder, 'mine.tar.gz'), 'mine')
    mkdirSync(join(folder, 'full', 'mine'), { recursive: true })
    for (const name of ['mine.tar.gz', 'full']) {
      const place = join(folder, name)
      expect(await lyceum(env, ['export', place])).toMatchObject({ code: 1, err: `lyceum: ${place} exists; choose another name\n` })
    }
    expect(readFileSync(join(folder, 'mine.tar.gz'), 'utf8')).toBe('mine')
    expect(readdirSync(folder).sort()).toEqual(['full', 'mine.tar.gz'])
  })

  test('names of other kinds of files', async () => {
    const { code, err } = await lyceum(env, ['export', join(scratch(), 'archive.zip')])
    expect([code, err]).toEqual([1, expect.stringContaining('use a new folder, or a file that ends with .tar.gz')])
  })

  test('to create a community', async () => {
    const empty = await freshEnv()
    const place = join(scratch(), 'archive')
    expect(await lyceum(empty, ['export', place])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^lyceum: there is no community in .*\n$/),
    })
    expect([existsSync(place), existsSync(empty['LYCEUM_DATA_DIR'] ?? '')]).toEqual([false, false])
  })
})
