import Sqlite from 'better-sqlite3'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, inject, test } from 'vitest'

const { LYCEUM_TEST_DATABASE: database } = process.env

test('runs on the Node that it targets', () => {
  expect(Number.parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(24)
})

if (database === 'sqlite') {
  test('SQLite is a version without the race that corrupts a WAL database', () => {
    const version = new Sqlite(':memory:').prepare('select sqlite_version()').pluck().get() as string
    expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
  })
}

if (database === 'postgres') {
  test('PostgreSQL answers, is durable and speaks UTF-8', async () => {
    const client = new pg.Client(inject('postgresUrl'))
    await client.connect()
    const { rows } = await client.query("select current_setting('fsync') as fsync, current_setting('server_encoding') as encoding")
    await client.end()
    expect(rows).toEqual([{ fsync: 'on', encoding: 'UTF8' }])
  })
}

const redisUrl = inject('redisUrl')
if (redisUrl) {
  test('Redis answers', async () => {
    const redis = new Redis(redisUrl)
    expect(await redis.ping()).toBe('PONG')
    redis.disconnect()
  })
}
