import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { migrate, openDatabase, runText } from '../index.ts'
import { MIGRATIONS } from './index.ts'
import { migrateWithin } from './migrate.ts'

const NOW = '2026-03-10 12:00:00'

// The text of the migration is the same on PostgreSQL, where every database of a test has all tables already.
test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('pending registrations keep their names, and reserve nothing', async () => {
  const database = openDatabase({ url: '', dataDir: mkdtempSync(join(inject('scratch'), 'credentials-')), poolSize: 2 })
  const before = MIGRATIONS.map(({ name }) => name).filter((name) => name < '0016')
  await database.write((db) => migrateWithin(db, NOW, before))
  const person = (username: string, status: 'active' | 'unverified') =>
    database.write(async (db) => {
      const row = { username, email: `${username}@example.org`, password_hash: 'x', display_name: username, status, last_activity: null }
      const made = await db
        .insertInto('users')
        .values({ ...row, created_at: NOW, updated_at: NOW })
        .returning('id')
        .executeTakeFirstOrThrow()
      await runText(db, 'insert into person_names (part, user_id, head) values ($1, $2, 1)', [username, made.id])
      return made.id
    })
  const [ana, waiting] = [await person('ana', 'active'), await person('waiting', 'unverified')]
  await migrate(database, NOW)
  const users = await database.read.selectFrom('users').select(['id', 'username', 'email', 'status']).orderBy('id').execute()
  expect(users).toEqual([
    { id: ana, username: 'ana', email: 'ana@example.org', status: 'active' },
    { id: waiting, username: `~${waiting}`, email: `~${waiting}`, status: 'unverified' },
  ])
  expect(await database.read.selectFrom('signups').selectAll().execute()).toEqual([
    { user_id: waiting, username: 'waiting', email: 'waiting@example.org', browser_hash: null },
  ])
  const names = await database.read.selectFrom('user_name_tokens').select('user_id').distinct().execute()
  expect(names).toEqual([{ user_id: ana }])
  await database.close()
})
