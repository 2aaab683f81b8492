import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumJson } from '#test/command.ts'
import { report, SOAK } from '#test/scale.ts'
import { dataLocationOf } from '../../server/src/cli/bootstrap.ts'
import { readConfig } from '../../server/src/config.ts'
import { type Database, listTables, openDatabase, readRows, runText } from '../../server/src/db/index.ts'
import { killWhen } from './process.ts'

const COURSE = fileURLToPath(new URL('../../server/test-support/course', import.meta.url))

const dataDirOf = (env: Env) => readConfig(env).dataDir

const withDatabase = async <T>(env: Env, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = openDatabase({ ...dataLocationOf(readConfig(env)), poolSize: 2 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A hash of all rows and of the names and sizes of all media files. */
const communityHash = (env: Env): Promise<string> =>
  withDatabase(env, async ({ read }) => {
    const sum = createHash('sha256')
    for (const table of (await listTables(read)).toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      for await (const page of readRows(read, table, 500)) sum.update(table.name).update(JSON.stringify(page))
    const media = join(dataDirOf(env), 'media')
    const files = existsSync(media) ? readdirSync(media, { recursive: true, encoding: 'utf8' }).toSorted() : []
    for (const name of files) sum.update(`${name} ${statSync(join(media, name)).isFile() ? statSync(join(media, name)).size : 'folder'}\n`)
    return sum.digest('hex')
  })

const readBackups = (env: Env) =>
  withDatabase(env, ({ read }) => runText<{ name: string; status: string }>(read, 'select name, status from backups order by id', []))

/** Makes the next backup due, as if the interval had passed and a process that made one had not reported since. */
const makeDue = (env: Env) =>
  withDatabase(env, (database) =>
    database.write((db) => runText(db, `update backups set created_at = '2020-01-01 00:00:00', alive_at = '2020-01-01 00:00:00'`, [])),
  )

let source: Env
let file: string
let expected: string

beforeAll(async () => {
  source = await freshEnv()
  await lyceumJson(
    source,
    'demo',
    '--members',
    '10',
    '--spaces',
    '2',
    '--posts',
    '20',
    '--comments',
    '40',
    '--reactions',
    '40',
    '--courses',
    '1',
  )
  const media = join(dataDirOf(source), 'media')
  for (let i = 0; i < 40; i++) {
    mkdirSync(join(media, `a${i % 10}`), { recursive: true })
    writeFileSync(join(media, `a${i % 10}`, `picture-${i}.bin`), Buffer.alloc(200_000, i))
  }
  file = join(mkdtempSync(join(inject('scratch'), 'kill-points-')), 'community.lyceum')
  await lyceumJson(source, 'backup', file)
  expected = await communityHash(source)
})

/** Kill points of a command, by the state of the disk and by elapsed time. */
const spread = (count: number, ms: number) => Array.from({ length: count }, (_, i) => (ms * (i + 1)) / (count + 1))

describe('restore', () => {
  const points = {
    'files are being unpacked': (dir: string) => existsSync(join(dir, '.restore', 'media')),
    'the secret is unpacked': (dir: string) => existsSync(join(dir, '.restore', 'secret')),
    'files are about to be moved': (dir: string) => existsSync(join(dir, '.restore-journal.json')),
    'media are moved': (dir: string) => existsSync(join(dir, 'media')),
    'the secret is moved': (dir: string) => existsSync(join(dir, 'secret')),
  }

  /** While it unpacks, and at the beginning and the end of what the next run completes. */
  const shortRun = ['files are being unpacked', 'files are about to be moved', 'the secret is moved']
  const tried = Object.entries(points).filter(([name]) => SOAK > 1 || shortRun.includes(name))

  /** Kills a restore at that point. On a busy machine, it may end before the point is noticed. */
  const killedAt = async (reached: (dir: string) => boolean) => {
    for (let tries = 0; tries < 5; tries++) {
      const there = await freshEnv()
      const dir = dataDirOf(there)
      if ((await killWhen(there, ['restore', file], () => reached(dir))).killed) return { there, dir }
    }
    throw new Error('each restore ended before it was killed')
  }

  test.each(tried)('killed while %s, it leaves all or nothing, and can run again', async (name, reached) => {
    for (let round = 0; round < SOAK; round++) {
      const { there, dir } = await killedAt(reached)
      const again = await lyceum(there, ['restore', file])
      // If the process was killed right after the commit, its work is complete; otherwise its leftovers must not block a new attempt.
      if (again.code !== 0) expect(again.err).toMatch(/the database contains a community/)
      expect(await communityHash(there)).toBe(expected)
      expect(readdirSync(dir).filter((name) => name.startsWith('.restore'))).toEqual([])
      // Equal rows and files are equally sound, so short runs ask once.
      if (SOAK > 1 || name === 'the secret is moved') expect(await lyceumJson(there, 'doctor')).toMatchObject({ ok: true })
    }
  })

  test('a server does not start on the files of an interrupted restore', async () => {
    const there = await freshEnv()
    const dir = dataDirOf(there)
    mkdirSync(join(dir, 'media', 'ab'), { recursive: true })
    writeFileSync(join(dir, 'media', 'ab', 'half.bin'), 'x')
    writeFileSync(join(dir, '.restore-journal.json'), '{"hadSecret":false}')
    const { code, err } = await lyceum(there, ['serve'])
    expect([code, err]).toEqual([1, expect.stringMatching(/a restore into .* was interrupted: run "lyceum restore" again/)])
    await lyceumJson(there, 'restore', file)
    expect(await communityHash(there)).toBe(expected)
  })
})

describe('other commands', () => {
  test('a killed backup leaves no file under its name, and the next one removes the draft', async () => {
    const folder = mkdtempSync(join(inject('scratch'), 'kill-backup-'))
    const to = join(folder, 'one.lyceum')
    const { killed } = await killWhen(source, ['backup', to], () => readdirSync(folder).some((name) => name.endsWith('.part')))
    expect(killed).toBe(true)
    expect(existsSync(to)).toBe(false)
    await lyceumJson(source, 'backup', to)
    expect(readdirSync(folder)).toEqual(['one.lyceum'])
  })

  test('a killed scheduled backup is not listed or chosen, and the next one succeeds', async () => {
    const folder = mkdtempSync(join(inject('scratch'), 'kill-scheduled-'))
    const scheduled = { ...source, LYCEUM_BACKUP_DIR: folder, LYCEUM_BACKUP_PROVE: 'off' }
    const drafts = () => readdirSync(folder).filter((name) => name.endsWith('.part'))
    const { name: first } = await lyceumJson<{ name: string }>(scheduled, 'backup', '--scheduled')
    await makeDue(source)
    const { killed } = await killWhen(scheduled, ['backup', '--scheduled'], () => drafts().length > 0)
    expect([killed, drafts().length]).toEqual([true, 1])
    expect(await readBackups(source)).toEqual([
      { name: first, status: 'complete' },
      { name: expect.any(String), status: 'running' },
    ])
    expect(await lyceumJson(scheduled, 'upgrade', '--rehearse')).toMatchObject({ ok: true, backup: first })

    await makeDue(source)
    const { name: next } = await lyceumJson<{ name: string }>(scheduled, 'backup', '--scheduled')
    expect(readdirSync(folder).sort()).toEqual([first, next].sort())
    expect((await readBackups(source)).map(({ status }) => status)).toEqual(['complete', 'failed', 'complete'])
    expect(await lyceumJson(scheduled, 'upgrade', '--rehearse')).toMatchObject({ ok: true, backup: next })
  })

  test('a killed move leaves the source unchanged, and can run again', async () => {
    const before = await communityHash(source)
    const { ms } = await killWhen(source, ['move', '--to', join(dirname(file), 'measured.db')], () => false)
    for (const [i, at] of spread(SOAK === 1 ? 1 : 2 * SOAK, ms).entries()) {
      const to = join(dirname(file), `moved-${i}.db`)
      await killWhen(source, ['move', '--to', to], (elapsed) => elapsed > at)
      expect(await communityHash(source)).toBe(before)
      const again = await lyceum(source, ['move', '--to', to])
      if (again.code !== 0) expect(again.err).toMatch(/contains a community|is not empty|already/)
      expect(await communityHash({ ...source, LYCEUM_DATABASE_URL: to })).toBe(before)
      for (const end of ['', '-wal', '-shm']) rmSync(`${to}${end}`, { force: true })
    }
  })

  test('a killed course import leaves the whole course or nothing', async () => {
    const there = await freshEnv()
    await lyceumJson(there, 'restore', file)
    await lyceumJson(
      there,
      'user',
      'create',
      '--username',
      'teacher',
      '--email',
      't@example.org',
      '--password',
      'Quiet-river-7431',
      '--role',
      'admin',
    )
    const courses = async () => {
      const database = openDatabase({ ...dataLocationOf(readConfig(there)), poolSize: 2 })
      try {
        return await database.read
          .selectFrom('courses as c')
          .leftJoin('lessons as l', 'l.course_id', 'c.id')
          .select(({ fn }) => ['c.id', fn.count<number>('l.id').as('lessons')])
          .groupBy('c.id')
          .orderBy('c.id')
          .execute()
      } finally {
        await database.close()
      }
    }
    const before = await courses()
    const { ms } = await killWhen(there, ['course', 'import', COURSE], () => false)
    const [made] = (await courses()).slice(before.length)
    expect(Number(made?.lessons)).toBeGreaterThan(1)
    for (const at of spread(SOAK === 1 ? 1 : 3 * SOAK, ms)) {
      await killWhen(there, ['course', 'import', COURSE], (elapsed) => elapsed > at)
      for (const { lessons } of (await courses()).slice(before.length)) expect(lessons).toEqual(made?.lessons)
    }
    await lyceumJson(there, 'course', 'import', COURSE)
    expect(await lyceumJson(there, 'doctor')).toMatchObject({ ok: true })
    report({ commands: 'restore backup move course-import', rounds: SOAK })
  })
})
