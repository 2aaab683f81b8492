import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { databaseUrl } from '#test/world.ts'
import { DatabaseUnavailable, openDatabase, runText } from './index.ts'

const read = 'select 1 as one'

if (process.env['LYCEUM_TEST_DATABASE'] === 'sqlite') {
  test('SQLite has no connection pool', async () => {
    const database = openDatabase({ url: '', dataDir: mkdtempSync(join(inject('scratch'), 'pool-')), poolSize: 2 })
    expect(database.poolStats()).toBeNull()
    await database.close()
  })
} else {
  test('a request that waits too long for a connection is rejected, and later ones succeed', async () => {
    const database = openDatabase({ url: await databaseUrl(), dataDir: '', poolSize: 2, timeoutMs: 300 })
    const ends: (() => void)[] = []
    const held = [0, 1].map(() => database.write(() => new Promise<void>((end) => ends.push(end))))
    await expect.poll(() => ends.length).toBe(2)
    const begun = performance.now()
    await expect(runText(database.read, read, [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(performance.now() - begun).toBeLessThan(2000)
    expect(database.poolStats()?.connections).toEqual({ open: 2, idle: 0, waiting: 0 })
    for (const end of ends) end()
    await Promise.all(held)
    expect(await runText(database.read, read, [])).toEqual([{ one: 1 }])
    await database.close()
  })

  test('a server without free connections is logged once', async () => {
    const url = new URL(await databaseUrl())
    const role = `few_${url.pathname.slice(1)}`
    const admin = new pg.Client({ connectionString: url.toString() })
    await admin.connect()
    await admin.query(`create role ${role} login connection limit 1`)
    url.username = role
    const said: string[] = []
    const database = openDatabase({ url: url.toString(), dataDir: '', poolSize: 4, warn: (what) => said.push(what) })
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => runText(database.read, 'select pg_sleep(0.05)', [])))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused) expect(reason).toBeInstanceOf(DatabaseUnavailable)
    expect(said).toEqual([expect.stringContaining('takes no more connections')])
    await database.close()
    await admin.query(`drop role ${role}`)
    await admin.end()
  })
}
