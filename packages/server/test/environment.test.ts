import Sqlite from 'better-sqlite3'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, inject, test } from 'vitest'

const { LYCEUM_TEST_DATABASE: database } = process.env

test('runs on the target version of Node.js', () => {
  expect(Number.parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(24)
})

if (database === 'sqlite') {
  test('SQLite has the fix for the race that corrupts WAL databases', () => {
    const version = new Sqlite(':memory:').prepare('select sqlite_version()').pluck().get() as string
    expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
  })
}

if (database === 'postgres') {
  test('PostgreSQL responds, is durable and uses UTF-8', async () => {
    const client = new pg.Client(inject('postgresUrl'))
    await client.connect()
    const { rows } = await client.query("select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding")
    await client.end()
    expect(rows).toEqual([{ fsync: 'on', encoding: 'UTF8' }])
  })
}

const redisUrl = inject('redisUrl')
if (redisUrl) {
  test('Redis responds', async () => {
    const redis = new Redis(redisUrl)
    expect(await redis.ping()).toBe('PONG')
    redis.disconnect()
  })
}
