import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchFile, upload } from '#test/media.ts'
import { unzip } from '#test/unzip.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import type { Services } from '../../core/context.ts'
import { runText } from '../../db/index.ts'
import type { ObjectStorage } from '../../storage/object-storage.ts'
import { writeArchive } from './export-archive.ts'
import { makeExport } from './export-jobs.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const run = <Row>(text: string, ...values: (string | number)[]): Promise<Row[]> =>
  world.app.services.database.write((db) => runText<Row>(db, text, values))

const ask = async (member: Member) => (await member.api.privacy.requestExport()).data.id
const look = async (member: Member, id: number) => (await member.api.privacy.export({ export_id: id })).data
const filesOf = async (member: Member, id: number) => {
  const { download_url, size } = await look(member, id)
  const { status, bytes } = await fetchFile(member, download_url ?? '')
  expect([status, bytes.length]).toEqual([200, size])
  return unzip(bytes)
}
const draft = (name: string) => join(world.app.services.config.dataDir, 'exports', name)
const keyOf = async (id: number) => (await run<{ key: string }>('select key from data_exports where id = $1', id))[0]?.key ?? ''

test('if a lease expires while a worker is still running, only one worker stores the export', async () => {
  const member = await world.member()
  for (let i = 0; i < 3; i++) await upload(member)
  const id = await ask(member)
  await run('delete from jobs where name = $1', makeExport.name)
  const make = (services: Services) => makeExport.deliver?.(services, { export_id: id } as never, world.app.write)
  const { services } = world.app
  const { storage } = services
  // While the first worker is storing its file, its lease expires and another worker creates the export.
  const put: ObjectStorage['put'] = async (...file) => {
    await run('update data_exports set locked_until = null where id = $1', id)
    await make(services)
    await storage.current.put(...file)
  }
  await make({ ...services, storage: { ...storage, current: { ...storage.current, put } } })
  expect(await run('select tries, status from data_exports where id = $1', id)).toEqual([{ tries: 2, status: 'ready' }])
  expect((await filesOf(member, id)).size).toBeGreaterThan(20)
  for (const tries of [1, 2]) expect(existsSync(draft(`${await keyOf(id)}-${tries}.part`))).toBe(false)
})

test('an export that crashes the process every time is given up', async () => {
  const member = await world.member()
  const id = await ask(member)
  await run('update data_exports set tries = 5 where id = $1', id)
  await world.runPendingJobs()
  expect(await look(member, id)).toMatchObject({ status: 'failed', download_url: null })
  const again = await ask(member)
  await world.runPendingJobs()
  expect((await look(member, again)).status).toBe('ready')
})

test('concurrent exports are limited, so that mail is still sent', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => world.member()))
  for (const other of others) await run('update data_exports set locked_until = $1 where id = $2', '2031-01-01 00:00:00', await ask(other))
  const member = await world.member()
  const id = await ask(member)
  await world.runPendingJobs()
  world.clock.advance(20)
  await world.runPendingJobs()
  expect((await look(member, id)).status).toBe('pending')
  await run(`update data_exports set locked_until = null where status = 'pending'`)
  world.clock.advance(20)
  await world.runPendingJobs()
  expect((await look(member, id)).status).toBe('ready')
  world.clock.advance(300)
  await world.runPendingJobs()
  for (const other of others) expect((await other.api.privacy.exports()).data.map(({ status }) => status)).toEqual(['ready'])
})

test('drafts of crashed workers are deleted', async () => {
  const [member, gone] = [await world.member(), await world.member()]
  const [id, vain] = [await ask(member), await ask(gone)]
  await run('delete from jobs where name = $1', makeExport.name)
  await run('update data_exports set tries = 2, locked_until = $1 where id = $2', '2031-01-01 00:00:00', id)
  await run(`update data_exports set tries = 1, status = 'expired' where id = $1`, vain)
  const [living, dead] = [`${await keyOf(id)}-2.part`, `${await keyOf(id)}-1.part`]
  const left = [dead, `${await keyOf(vain)}-1.part`, `${'0'.repeat(32)}-1.part`]
  mkdirSync(draft(''), { recursive: true })
  for (const name of [living, ...left, 'another.txt']) writeFileSync(draft(name), 'x')
  await world.app.maintenance.run()
  expect([living, ...left, 'another.txt'].filter((name) => existsSync(draft(name)))).toEqual([living, 'another.txt'])
})

test('file names in the archive are valid on every file system', async () => {
  const member = await world.member()
  const { id: media } = await upload(member, undefined, `${'あ'.repeat(110)}.png`)
  const id = await ask(member)
  await world.runPendingJobs()
  const name = [...(await filesOf(member, id)).keys()].find((path) => path.startsWith(`files/${media}-`))?.slice('files/'.length) ?? ''
  expect(name).toMatch(/^\d+-あ{40,}\.png$/)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
})

test('an existing file is neither overwritten nor deleted', async () => {
  const member = await world.member()
  const target = draft('mine.zip')
  mkdirSync(draft(''), { recursive: true })
  writeFileSync(target, 'mine')
  await expect(writeArchive(world.app.services, member.id, target)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(target, 'utf8')).toBe('mine')
})
