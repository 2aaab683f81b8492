import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseUrl } from '#test/world.ts'
import { type Db, openDatabase, runText } from '../index.ts'
import { type Connections, createConnections } from './pool.ts'
import { createTransact } from './transaction.ts'

const BEGIN = 'begin isolation level read committed'

describe.skipIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('a transaction', () => {
  let connections: Connections
  let transact: ReturnType<typeof createTransact>
  let url: string
  const query = (sql: string) => connections.query(CompiledQuery.raw(sql)).then(({ rows }) => rows as unknown[])
  const add = (db: Db, n: number) => runText(db, 'insert into numbers (n) values ($1)', [n])
  const fail = (db: Db) => runText(db, 'select 1 / $1::int as n', [0])
  const stored = () => query('select n from numbers order by n').then((rows) => rows.map((row) => (row as { n: number }).n))

  beforeAll(async () => {
    url = await databaseUrl()
    // With one connection, each test finds what the previous one left on it.
    connections = createConnections({ url, size: 1, pooler: 'off', warn: () => {} })
    transact = createTransact(connections)
    await query('create table numbers (n int unique deferrable initially deferred)')
  })
  beforeEach(async () => {
    await query('delete from numbers')
  })
  afterAll(() => connections?.end())

  const roundTripsOf = async (work: () => Promise<unknown>) => {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    try {
      await work()
      return spy.mock.calls.length
    } finally {
      spy.mockRestore()
    }
  }

  test('begins with its first statement, and sends together what is issued together', async () => {
    const all = (db: Db) => Promise.all([1, 2, 3].map((n) => runText(db, 'select $1::int as n', [n])))
    expect(await transact(BEGIN, all)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    expect(await roundTripsOf(() => transact(BEGIN, all))).toBe(2)
    expect(await roundTripsOf(() => transact(BEGIN, async (db) => void add(db, 1)))).toBe(1)
    expect(await roundTripsOf(() => transact(BEGIN, async () => {}))).toBe(0)
    expect(await stored()).toEqual([1])
  })

  test('is rolled back once by a failed statement, after which the connection is as before', async () => {
    const together = (db: Db) => Promise.all([add(db, 1), fail(db), add(db, 2), runText(db, 'select count(*) as n from numbers', [])])
    for (let i = 0; i < 2; i++) await expect(transact(BEGIN, together)).rejects.toMatchObject({ code: '22012' })
    expect(await transact(BEGIN, (db) => runText(db, 'select count(*) as n from numbers', []))).toEqual([{ n: 0 }])
    await transact(BEGIN, (db) => add(db, 3))
    expect([await stored(), connections.count.open]).toEqual([[3], 1])
  })

  test('sends nothing more after work has failed', async () => {
    let late: unknown
    const work = async (db: Db) => {
      await add(db, 1)
      add(db, 2).catch((error) => {
        late = error
      })
      throw new Error('on purpose')
    }
    await expect(transact(BEGIN, work)).rejects.toThrow('on purpose')
    expect(late).toMatchObject({ message: 'the transaction is rolled back' })
    expect(await stored()).toEqual([])
  })

  test('runs nothing outside of it if it cannot begin', async () => {
    const work = async (db: Db) => {
      await add(db, 1).catch(() => {})
      await add(db, 2).catch(() => {})
    }
    await expect(transact('begin isolation level imaginary', work)).rejects.toMatchObject({ code: '42601' })
    const limited = createTransact({ ...connections, onBegin: ['select 1 / 0'] })
    await expect(limited(BEGIN, work)).rejects.toMatchObject({ code: '22012' })
    expect(await stored()).toEqual([])
    await transact(BEGIN, (db) => add(db, 3))
    expect([await stored(), connections.count.open]).toEqual([[3], 1])
  })

  test('that a caught error has aborted fails with this error', async () => {
    const work = async (db: Db) => {
      await add(db, 1)
      await fail(db).catch(() => {})
      return 'fine'
    }
    await expect(transact(BEGIN, work)).rejects.toMatchObject({ code: '22012' })
    expect(await stored()).toEqual([])
  })

  test('fails if its COMMIT or the last statement before it fails', async () => {
    const twice = async (db: Db) => {
      await add(db, 1)
      await add(db, 1)
    }
    await expect(transact(BEGIN, twice)).rejects.toMatchObject({ code: '23505' })
    const work = async (db: Db) => {
      await add(db, 2)
      fail(db).catch(() => {})
      return 'fine'
    }
    await expect(transact(BEGIN, work)).rejects.toMatchObject({ code: '22012' })
    expect(await stored()).toEqual([])
  })

  test('cannot be used after its end', async () => {
    const db = await transact(BEGIN, async (db) => ({ db }))
    await expect(add(db.db, 1)).rejects.toThrow('has ended')
    await expect(db.db.selectFrom('users').select('id').execute()).rejects.toThrow('has ended')
  })

  test('runs again if the statement that travels with COMMIT has a serialization failure', async () => {
    const database = openDatabase({ url, dataDir: '', poolSize: 1 })
    let runs = 0
    const work = async (db: Db) => {
      runs += 1
      await add(db, runs)
      if (runs === 1) runText(db, `do $$ begin raise exception using errcode = '40001'; end $$`, []).catch(() => {})
    }
    await database.write(work).finally(() => database.close())
    expect([runs, await stored()]).toEqual([2, [2]])
  })

  test('ends when its connection is lost', async () => {
    const work = async (db: Db) => {
      await add(db, 1)
      await Promise.all([runText(db, 'select pg_terminate_backend(pg_backend_pid())', []), add(db, 2)])
    }
    await expect(transact(BEGIN, work)).rejects.toMatchObject({ name: 'DatabaseUnavailable' })
    expect(await stored()).toEqual([])
  })
})
