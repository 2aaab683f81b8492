import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Env, envOf, freshEnv, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { readConfig } from '../../../server/src/config.ts'
import { insertRows, listTables, migrateWithin, openDatabase, readRows, readSequences } from '../../../server/src/db/index.ts'
import { writeArchive } from '../../test-support/write-archive.ts'
import { readArchive } from './archive.ts'

/** What concerns the file alone is shown beside SQLite: a restore makes all tables, which takes seconds on PostgreSQL. */
const isThorough = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' || SOAK > 1
const testOfFile = test.runIf(isThorough)

const fileName = (name: string) => join(mkdtempSync(join(inject('scratch'), 'backup-')), name)

const databaseOf = (env: Env) => {
  const { databaseUrl, dataDir } = readConfig(env)
  return openDatabase({ url: databaseUrl, dataDir, poolSize: 4 })
}

/** A hash of all rows and of the ids given out, the same for the same data on either database. */
const logicalHash = async (env: Env): Promise<string> => {
  const database = databaseOf(env)
  try {
    const sum = createHash('sha256')
    for (const table of (await listTables(database.read)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      sum.update(`${table.name} ${table.columns.join()}\n`)
      for await (const page of readRows(database.read, table, 100)) sum.update(JSON.stringify(page))
    }
    return sum.update(JSON.stringify(Object.entries(await readSequences(database.read)).sort())).digest('hex')
  } finally {
    await database.close()
  }
}

let world: World
let ana: Member
let env: Env

/** Something in as many tables as there is an API for. */
const arrange = async () => {
  ana = await world.member({ username: 'ana', role: 'admin' })
  const bob = await world.member({ username: 'bob' })
  const meta = {
    survey: {
      question: 'When?',
      options: [
        { slug: 'a', label: 'Now' },
        { slug: 'b', label: 'Later' },
      ],
    },
  }
  const { data: feed } = await ana.api.feeds.create({ message: 'Grüße, 世界! @bob \u{1F389} “quotes” \\ and\ttabs', title: 'Ünïcode' })
  const { data: survey } = await ana.api.feeds.create({ message: 'A survey', content_type: 'survey', meta })
  await bob.api.surveys.vote({ feed_id: survey.id, option_slug: 'b' })
  await bob.api.comments.create({ feed_id: feed.id, comment: 'A comment with *markdown*' })
  await bob.raw('POST', `/feeds/${feed.id}/react`, { type: 'like' })
  const { data: gone } = await ana.api.feeds.create({ message: 'This goes again' })
  await ana.api.feeds.remove({ feed_id: gone.id })
  await world.runPendingJobs()
}

beforeAll(async () => {
  world = await createWorld()
  env = envOf(world)
  await arrange()
  // Who was here is recorded on a timer; nothing may change behind the back of a comparison.
  await world.app.presence.stop()
  const media = join(readConfig(env).dataDir, 'media', 'ab')
  mkdirSync(media, { recursive: true })
  writeFileSync(join(media, 'picture.png'), Buffer.from([0, 1, 2, 255]))
  writeFileSync(join(media, 'empty.bin'), '')
  writeFileSync(join(media, 'upload.tmp'), 'not complete')
})
afterAll(() => world.close())

describe('a backup', () => {
  let there: Env
  beforeAll(async () => {
    there = await freshEnv()
  })

  test('restores rows, media and secret into an empty data directory', async () => {
    const file = fileName('a.backup')
    const saved = await lyceumJson<{ rows: number; media: number }>(env, 'backup', file)
    expect(saved.media).toBe(2)
    const restored = await lyceumJson<{ rows: number; media: number }>(there, 'restore', file)
    expect(restored).toMatchObject({ rows: saved.rows, media: 2 })
    expect(await logicalHash(there)).toBe(await logicalHash(env))

    const { dataDir } = readConfig(there)
    expect(readFileSync(join(dataDir, 'media/ab/picture.png'))).toEqual(Buffer.from([0, 1, 2, 255]))
    expect(readdirSync(join(dataDir, 'media/ab')).sort()).toEqual(['empty.bin', 'picture.png'])
    expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe(readFileSync(join(readConfig(env).dataDir, 'secret'), 'utf8'))
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.restore'))).toEqual([])
    expect(await lyceumJson(there, 'doctor')).toMatchObject({ ok: true })
  })

  test('is searchable after that restore, and new ids follow the highest assigned ones', async () => {
    const other = await createWorld({ env: there })
    const authorization = `Basic ${Buffer.from(`ana:${ana.password}`).toString('base64')}`
    const found = await other.request('GET', '/feeds?search=unicode', undefined, { authorization })
    expect(found.body.feeds.data.map((feed: { title: string }) => feed.title)).toEqual(['Ünïcode'])
    const made = await other.request('POST', '/feeds', { message: 'Next' }, { authorization })
    const here = await ana.api.feeds.create({ message: 'Next' })
    await other.close()
    expect(made.body.data.id).toBe(here.data.id)
  })

  testOfFile('is readable by its owner only, can be listed by tar, and replaces an earlier one', async () => {
    const file = fileName('c.backup')
    await lyceumJson(env, 'backup', file)
    await lyceumJson(env, 'backup', file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['c.backup'])
    const plain = execFileSync(process.execPath, [
      '-e',
      `const z = require('node:zlib'); process.stdout.write(z.zstdDecompressSync(require('node:fs').readFileSync(${JSON.stringify(file)})))`,
    ])
    const names = execFileSync('tar', ['-tf', '-'], { input: plain, encoding: 'utf8' }).trim().split('\n')
    expect(names.slice(0, 2)).toEqual(['manifest.json', 'secret'])
    expect(names).toContain('tables/feeds/000001.jsonl')
    expect(names.at(-1)).toBe('media/ab/picture.png')
  })

  testOfFile('does not overwrite a file that is not a backup', async () => {
    const file = fileName('lyceum.db')
    writeFileSync(file, 'precious')
    const { code, err } = await lyceum(env, ['backup', file])
    expect([code, err]).toEqual([1, `lyceum: ${file} exists and is not a backup; choose another name\n`])
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  test('of an older version is migrated when it is restored', async () => {
    const older = { ...(await freshEnv()), LYCEUM_SECRET: 'the secret of an older community' }
    const database = databaseOf(older)
    await database.write(async (db) => {
      await migrateWithin(db, '2025-01-01 00:00:00', ['0001-platform'])
      await insertRows(
        db,
        'users',
        ['username', 'email', 'display_name', 'created_at', 'updated_at'],
        [['old', 'o@example.org', 'Old', 'x', 'x']],
      )
    })
    await database.close()
    const file = fileName('older')
    await lyceumJson(older, 'backup', file)
    const newer = await freshEnv()
    await lyceumJson(newer, 'restore', file)
    expect(await lyceumJson(newer, 'migrate', '--dry-run')).toEqual({ pending: [], outdated: [] })
    expect(await lyceumJson(newer, 'user', 'list')).toMatchObject([{ username: 'old' }])
  })

  testOfFile('of nothing is refused', async () => {
    const { code, err } = await lyceum(await freshEnv(), ['backup', fileName('none')])
    expect([code, err]).toEqual([1, expect.stringMatching(/^lyceum: there is no community in .*\n$/)])
  })
})

describe('restore refuses', () => {
  let taken: Buffer
  /** Of what the backup holds. */
  let hash: string
  beforeAll(async () => {
    const file = fileName('whole')
    await lyceumJson(env, 'backup', file)
    taken = readFileSync(file)
    hash = await logicalHash(env)
  })

  testOfFile('a backup that was cut off or changed in any bit, before it writes anything', async () => {
    const whole = taken
    const there = await freshEnv()
    const attempt = async (bytes: Buffer) => {
      const file = fileName('bad')
      writeFileSync(file, bytes)
      const { code, err } = await lyceum(there, ['restore', file])
      return { code, refused: /is not a complete backup/.test(err) }
    }
    const cuts = [0, 1, whole.length - 1, whole.length - 32, whole.length >> 1].map((length) => whole.subarray(0, length))
    const flips = Array.from({ length: 60 }, (_, i) => {
      const changed = Buffer.from(whole)
      const at = Math.floor((i * (whole.length - 1)) / 59)
      changed[at]! ^= 1 << (i % 8)
      return changed
    })
    for (const bytes of [...cuts, ...flips, Buffer.concat([whole, Buffer.from('x')])])
      expect(await attempt(bytes)).toEqual({ code: 1, refused: true })
    expect(existsSync(readConfig(there).dataDir)).toBe(false)
  })

  test('a data directory that contains a community', async () => {
    const file = fileName('ok')
    writeFileSync(file, taken)
    const before = await logicalHash(env)
    const { code, err } = await lyceum(env, ['restore', file])
    expect(code).toBe(1)
    expect(err).toMatch(/^lyceum: the database contains a community; restore the backup to an empty place/)
    expect(await logicalHash(env)).toBe(before)
  })

  testOfFile('another secret than its own', async () => {
    const file = fileName('ok')
    writeFileSync(file, taken)
    const given = await lyceum({ ...(await freshEnv()), LYCEUM_SECRET: 'x'.repeat(40) }, ['restore', file])
    expect(given).toMatchObject({ code: 1, err: expect.stringMatching(/LYCEUM_SECRET is not the secret of this backup/) })

    const there = await readyEnv()
    await lyceumJson(there, 'user', 'list')
    const kept = await lyceum(there, ['restore', file])
    expect(kept).toMatchObject({ code: 1, err: expect.stringMatching(/contains the secret of another community/) })
  })

  test('one with missing rows, found after the others were read, and leaves nothing behind', async () => {
    const whole = fileName('ok')
    writeFileSync(whole, taken)
    const broken = fileName('broken')
    await writeArchive(broken, async (archive) => {
      for await (const { name, size, body } of readArchive(whole))
        if (!name.startsWith('tables/activities/')) await archive.add(name, size, body)
    })
    const there = await freshEnv()
    const { code, err } = await lyceum(there, ['restore', broken])
    expect([code, err]).toEqual([1, expect.stringMatching(/has 0 rows of activities, expected \d+$/m)])
    expect(readdirSync(readConfig(there).dataDir).filter((name) => !name.startsWith('lyceum.db'))).toEqual([])
    await lyceumJson(there, 'restore', whole)
    expect(await logicalHash(there)).toBe(hash)
  })

  /** The backup with some of its files changed, and a sum that is right again. */
  const forged = async (
    change: (name: string, text: () => Promise<string>) => Promise<string | null | undefined>,
    more: readonly string[] = [],
  ) => {
    const whole = fileName('ok')
    writeFileSync(whole, taken)
    const forgery = fileName('forged')
    await writeArchive(forgery, async (archive) => {
      for await (const { name, size, body } of readArchive(whole)) {
        const bytes = Buffer.concat(await Array.fromAsync(body))
        const other = await change(name, async () => bytes.toString())
        if (other === null) continue
        const content = other === undefined ? bytes : Buffer.from(other)
        await archive.add(name, other === undefined ? size : content.length, [content])
      }
      for (const name of more) await archive.add(name, 1, [Buffer.from('x')])
    })
    return forgery
  }

  const refusedForgery = async (file: string, reason: RegExp) => {
    const there = await freshEnv()
    const { code, err } = await lyceum(there, ['restore', file])
    expect([code, err]).toEqual([1, expect.stringMatching(reason)])
    const dir = readConfig(there).dataDir
    expect(existsSync(dir) ? readdirSync(dir).filter((name) => !name.startsWith('lyceum.db')) : []).toEqual([])
  }

  testOfFile('one whose audit log was removed', async () => {
    const file = await forged(async (name, text) => {
      if (name.startsWith('tables/audit_log/')) return null
      if (name !== 'manifest.json') return undefined
      const manifest = JSON.parse(await text()) as { tables: { name: string }[] }
      return JSON.stringify({ ...manifest, tables: manifest.tables.filter((table) => table.name !== 'audit_log') })
    })
    await refusedForgery(file, /is incomplete: it lacks the table audit_log/)
  })

  testOfFile('one whose columns hold SQL', async () => {
    const file = await forged(async (name, text) =>
      name === 'manifest.json' ? (await text()).replace('"username"', '"username) select 1 --"') : undefined,
    )
    await refusedForgery(file, /has unexpected columns in the table \w+/)
  })

  testOfFile.each(['media/../secret2', 'media/ab/../../x', 'media/.hidden', 'media//x', '../x', 'notes.txt'])(
    'one with a file %s',
    async (name) => {
      await refusedForgery(await forged(async () => undefined, [name]), /contains an unexpected file/)
    },
  )

  testOfFile('a folder, or a file that is not there', async () => {
    const there = await freshEnv()
    expect((await lyceum(there, ['restore', inject('scratch')])).err).toMatch(/is a directory; use the path of a backup file/)
    expect((await lyceum(there, ['restore', '/nonexistent/x'])).err).toMatch(/there is no file \/nonexistent\/x/)
  })

  testOfFile('one that is unsigned or signed with another key, if backups are signed', async () => {
    const [key, other] = ['k'.repeat(40), 'o'.repeat(40)]
    const signed = fileName('signed')
    await lyceumJson({ ...env, LYCEUM_BACKUP_KEY: key }, 'backup', signed)
    const unsigned = fileName('unsigned')
    writeFileSync(unsigned, taken)
    const restore = async (name: string, more: Record<string, string>, ...flags: string[]) =>
      lyceum({ ...(await freshEnv()), ...more }, ['restore', name, ...flags])
    expect(await restore(signed, { LYCEUM_BACKUP_KEY: key })).toMatchObject({ code: 0, err: '' })
    expect(await restore(signed, {})).toMatchObject({ code: 0, err: expect.stringMatching(/the signature was not checked/) })
    expect(await restore(signed, { LYCEUM_BACKUP_KEY: other })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/was not signed with this/),
    })
    expect(await restore(unsigned, { LYCEUM_BACKUP_KEY: key })).toMatchObject({ code: 1, err: expect.stringMatching(/is not signed/) })
    expect(await restore(unsigned, { LYCEUM_BACKUP_KEY: key }, '--untrusted')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/cannot be checked for modifications/),
    })
  })
})

if (process.env['LYCEUM_TEST_DATABASE'] === 'postgres') {
  test('goes from one database to the other and back without a difference', async () => {
    const [first, second] = [fileName('1'), fileName('2')]
    await lyceumJson(env, 'backup', first)
    const sqlite = await freshEnv('sqlite')
    await lyceumJson(sqlite, 'restore', first)
    expect(await lyceumJson(sqlite, 'doctor')).toMatchObject({ ok: true })
    await lyceumJson(sqlite, 'backup', second)
    const postgres = await freshEnv('postgres')
    await lyceumJson(postgres, 'restore', second)
    expect(await lyceumJson(postgres, 'doctor')).toMatchObject({ ok: true })
    const expected = await logicalHash(env)
    expect([await logicalHash(sqlite), await logicalHash(postgres)]).toEqual([expected, expected])
  })
}

const ROUNDS = SOAK

test('a backup stays consistent during concurrent writes', async () => {
  let stop = false
  let written = 0
  const writer = async (n: number) => {
    while (!stop) {
      const { data } = await ana.api.feeds.create({ message: `While it is saved ${n}` })
      await ana.api.comments.create({ feed_id: data.id, comment: 'And commented' })
      written += 1
    }
  }
  const writers = [1, 2, 3, 4].map(writer)
  const acknowledged: number[] = []
  const files: string[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const { data } = await ana.api.feeds.create({ message: `Before backup ${i}` })
    acknowledged.push(data.id)
    const file = fileName(`live-${i}`)
    await lyceumJson(env, 'backup', file)
    files.push(file)
    await vi.waitFor(() => expect(written).toBeGreaterThan(5 * (i + 1)), 10_000)
  }
  stop = true
  await Promise.all(writers)
  expect(written).toBeGreaterThan(5 * ROUNDS)
  for (const [i, file] of files.entries()) {
    const there = await freshEnv()
    await lyceumJson(there, 'restore', file)
    expect(await lyceumJson(there, 'doctor')).toMatchObject({ ok: true, violations: [] })
    const database = databaseOf(there)
    const kept = await database.read.selectFrom('feeds').select('id').where('id', '=', acknowledged[i]!).execute()
    await database.close()
    expect(kept).toHaveLength(1)
  }
})
