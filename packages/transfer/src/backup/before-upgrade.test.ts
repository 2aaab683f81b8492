import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumJson } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { readConfig } from '../../../server/src/config.ts'
import { insertRows, knownMigrations, migrateWithin, openDatabase } from '../../../server/src/db/index.ts'

/** What concerns files alone is shown beside SQLite: a migration of all tables takes seconds on PostgreSQL. */
const testOfFiles = test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' || SOAK > 1)

/** A community whose tables are those of an older version. */
const olderEnv = async (): Promise<Env> => {
  const env = await freshEnv()
  const { databaseUrl, dataDir } = readConfig(env)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = openDatabase({ url: databaseUrl, dataDir, poolSize: 2 })
  await database.write(async (db) => {
    await migrateWithin(db, '2025-01-01 00:00:00', ['0001-platform'])
    const columns = ['username', 'email', 'display_name', 'created_at', 'updated_at']
    await insertRows(db, 'users', columns, [['old', 'o@example.org', 'Old', '2025-01-01 00:00:00', '2025-01-01 00:00:00']])
  })
  await database.close()
  return env
}
const pendingOf = async (env: Env) => (await lyceumJson<{ pending: string[] }>(env, 'migrate', '--dry-run')).pending.length

test('a migration is preceded by a backup, which restores the community', async () => {
  const env = await olderEnv()
  const backups = join(readConfig(env).dataDir, 'backups')
  mkdirSync(backups, { mode: 0o700 })
  await lyceumJson(env, 'migrate')
  const [name = '', ...others] = readdirSync(backups)
  expect([name, others]).toEqual([expect.stringMatching(/^lyceum-[0-9a-f]{8}-before-upgrade-\d{8}T\d{6}Z\.backup$/), []])
  expect(await pendingOf(env)).toBe(0)
  await lyceumJson(env, 'migrate')
  expect(readdirSync(backups)).toEqual([name])

  const there = await freshEnv()
  await lyceumJson(there, 'restore', join(backups, name))
  expect(await lyceumJson(there, 'user', 'list')).toMatchObject([{ username: 'old' }])
})

testOfFiles('three of these backups are kept', async () => {
  const env = { ...(await olderEnv()), LYCEUM_BACKUP_DIR: mkdtempSync(join(inject('scratch'), 'upgrades-')) }
  await lyceumJson(env, 'migrate')
  const [name = ''] = readdirSync(env.LYCEUM_BACKUP_DIR)
  const [, mark = ''] = /^lyceum-([0-9a-f]{8})/.exec(name) ?? []
  for (const day of [1, 2, 3]) writeFileSync(join(env.LYCEUM_BACKUP_DIR, `lyceum-${mark}-before-upgrade-2020010${day}T000000Z.backup`), 'x')
  // The same community once more.
  const again = await olderEnv()
  copyFileSync(join(readConfig(env).dataDir, 'secret'), join(readConfig(again).dataDir, 'secret'))
  await lyceumJson({ ...again, LYCEUM_BACKUP_DIR: env.LYCEUM_BACKUP_DIR }, 'migrate')
  expect(readdirSync(env.LYCEUM_BACKUP_DIR)).toHaveLength(3)
  expect(readdirSync(env.LYCEUM_BACKUP_DIR)).not.toContain(`lyceum-${mark}-before-upgrade-20200101T000000Z.backup`)
})

testOfFiles('a failed backup stops the migration, unless it is switched off', async () => {
  const env = await olderEnv()
  const blocked = { ...env, LYCEUM_BACKUP_DIR: join(readConfig(env).dataDir, 'file', 'folder') }
  writeFileSync(join(readConfig(env).dataDir, 'file'), '')
  const before = await pendingOf(env)
  const { code, err } = await lyceum(blocked, ['migrate'])
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/the backup before the migration failed, so nothing was migrated: ENOTDIR.*LYCEUM_BACKUP_BEFORE_UPGRADE=off/),
  ])
  expect(await pendingOf(env)).toBe(before)
  await lyceumJson({ ...blocked, LYCEUM_BACKUP_BEFORE_UPGRADE: 'off' }, 'migrate')
  expect(await pendingOf(env)).toBe(0)
  expect(existsSync(join(readConfig(env).dataDir, 'backups'))).toBe(false)
})

test('a rehearsal migrates a copy, and leaves the community as it is', async () => {
  const env = await olderEnv()
  const before = await pendingOf(env)
  // Accounts exist, but no administrator; doctor would report it.
  const rehearsed = await lyceumJson<Record<string, unknown>>(env, 'upgrade', '--rehearse')
  expect(rehearsed).toMatchObject({
    ok: true,
    backup: 'a new backup',
    migrations: knownMigrations().slice(1),
    migration_seconds: expect.any(Number),
  })
  expect(await pendingOf(env)).toBe(before)
  expect(readdirSync(readConfig(env).dataDir).filter((name) => name.startsWith('.backup'))).toEqual([])
  expect(await lyceum(env, ['upgrade'])).toMatchObject({ code: 2 })
})
