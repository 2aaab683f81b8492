import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { byWayOf, type Detour, openDetour, postgresAt } from '#test/detour.ts'
import { databaseUrl } from '#test/world.ts'
import { DatabaseUnavailable, openDatabase, runText } from './index.ts'
import { type Connections, createConnections } from './postgres/pool.ts'

const ONE = CompiledQuery.raw('select 1 as one')
/** Less than a request waits for a connection, so that it is not that which ends it. */
const SOON_MS = 3000

describe.skipIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('a database server that is cut off silently', () => {
  let url: URL
  let proxy: Detour
  let connections: Connections
  beforeAll(async () => {
    url = new URL(await databaseUrl())
    proxy = await openDetour(postgresAt(url))
    connections = createConnections({ url: byWayOf(proxy, url), size: 2, pooler: 'off', answerWithinMs: 300, warn: () => {} })
  })
  afterAll(async () => {
    await proxy.close()
    await connections.end()
  })

  const failsSoon = async (work: Promise<unknown>) => {
    const begun = performance.now()
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(performance.now() - begun).toBeLessThan(SOON_MS)
  }

  test('delays a query by the response timeout at most, and its connection is not reused', async () => {
    await connections.query(ONE)
    proxy.set('lost')
    await failsSoon(connections.query(ONE))
    proxy.set('open')
    expect(await connections.query(ONE)).toMatchObject({ rows: [{ one: 1 }] })
    expect(connections.count.open).toBe(1)
  })

  test('delays a new connection by less than the pool timeout', async () => {
    proxy.set('lost')
    await failsSoon(Promise.allSettled([connections.query(ONE)]).then(() => connections.query(ONE)))
    proxy.set('open')
    expect(await connections.query(ONE)).toMatchObject({ rows: [{ one: 1 }] })
  })

  test('delays a transaction no longer, since no rollback is sent on the dead connection', async () => {
    const client = await connections.connect()
    await connections.run(client, 'begin', [])
    proxy.set('lost')
    await failsSoon(connections.run(client, 'select 1', []))
    const begun = performance.now()
    await expect(connections.run(client, 'rollback', [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(performance.now() - begun).toBeLessThan(100)
    connections.release(client)
    proxy.set('open')
    expect(await connections.query(ONE)).toMatchObject({ rows: [{ one: 1 }] })
  })

  test('does not end a transaction that is merely slow', async () => {
    const client = await connections.connect()
    await connections.run(client, 'begin', [])
    await connections.run(client, 'set local statement_timeout = 0', [])
    await connections.run(client, 'select pg_sleep(0.6)', [])
    await connections.run(client, 'commit', [])
    connections.release(client)
    await failsSoon(connections.query(CompiledQuery.raw('select pg_sleep(0.6)')))
  })
})

test('writes are rejected as unavailable while the database is read-only', async () => {
  const database = openDatabase({ url: await databaseUrl(), dataDir: mkdtempSync(join(inject('scratch'), 'refusing-')), poolSize: 2 })
  if (database.dialect === 'postgres') {
    const note = database.write((db) => runText(db, 'set transaction read only', []).then(() => runText(db, 'create table t (a int)', [])))
    await expect(note).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(database.lastWriteFailure()).toBe('service_unavailable')
    await database.ping()
    expect(database.lastWriteFailure()).toBeNull()
    await database.write((db) => runText(db, 'select 1', []))
  }
  expect(database.lastWriteFailure()).toBeNull()
  await database.close()
})
