import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { readConfig } from '../../config.ts'
import { type DataLocation, DataLocked, isServed, lockData } from '../index.ts'

const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

const freshPlace = async (): Promise<DataLocation> => {
  const { databaseUrl, dataDir } = readConfig(await freshEnv())
  return { url: databaseUrl, dataDir }
}

test('a restore needs an exclusive lock, and a running server blocks it', async () => {
  const place = await freshPlace()
  expect(await isServed(place)).toBe(false)
  const server = await lockData(place, 'server')
  expect(await isServed(place)).toBe(true)
  await expect(lockData(place, 'restore')).rejects.toThrow(DataLocked)
  await server.release()
  expect(await isServed(place)).toBe(false)

  const restore = await lockData(place, 'restore')
  await expect(lockData(place, 'restore')).rejects.toThrow(DataLocked)
  await expect(lockData(place, 'server')).rejects.toThrow(/a restore/)
  await restore.release()
  await (await lockData(place, 'server')).release()
})

if (onSqlite) {
  test('one server locks a file, and the error names it', async () => {
    const place = await freshPlace()
    const server = await lockData(place, 'server')
    await expect(lockData(place, 'server')).rejects.toThrow(`a server (process ${process.pid}, since `)
    await server.release()
  })
} else {
  test('several servers share a database; the last one to stop releases it', async () => {
    const place = await freshPlace()
    const servers = [await lockData(place, 'server'), await lockData(place, 'server')]
    await servers[0]?.release()
    await expect(lockData(place, 'restore')).rejects.toThrow(DataLocked)
    await servers[1]?.release()
    await (await lockData(place, 'restore')).release()
  })

  test('servers with different secrets cannot share a database; different file storages are reported', async () => {
    const place = await freshPlace()
    const first = await lockData(place, 'server', { secret: 1, files: 2, schema: 1 })
    expect(first.beside).toMatchObject({ servers: 1, sharesFiles: true })
    await expect(lockData(place, 'server', { secret: 3, files: 2, schema: 1 })).rejects.toThrow(/another secret/)
    await expect(lockData(place, 'server', { secret: 1, files: 2, schema: 2 })).rejects.toThrow(/another version/)
    const second = await lockData(place, 'server', { secret: 1, files: 4, schema: 1 })
    expect(second.beside).toMatchObject({ servers: 2, sharesFiles: false })
    await first.release()
    await second.release()
    await (await lockData(place, 'server', { secret: 3, files: 2, schema: 1 })).release()
  })

  test('a server whose connection breaks locks the database again', async () => {
    const place = await freshPlace()
    const server = await lockData(place, 'server')
    const client = new pg.Client(place.url)
    await client.connect()
    const broken = await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'lyceum hold' and datname = current_database()`,
    )
    expect(broken.rowCount).toBe(1)
    await client.end()
    await vi.waitFor(async () => expect(await isServed(place)).toBe(true), { timeout: 8000, interval: 50 })
    await server.release()
    expect(await isServed(place)).toBe(false)
  })
}
