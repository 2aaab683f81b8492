import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expectSound, runErasure } from '#test/account-deletion.ts'
import { type Env, envOf, lyceum, lyceumJson } from '#test/command.ts'
import { unzip } from '#test/unzip.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let env: Env
let boss: Member
let folder: string

beforeAll(async () => {
  // Commands have the clock of the machine.
  world = await createWorld({ start: new Date(Date.now() + 3_600_000).toISOString() })
  env = envOf(world)
  boss = await world.member({ username: 'boss', role: 'admin' })
  folder = mkdtempSync(join(inject('scratch'), 'exports-'))
})
afterAll(() => world.close())

test('user export writes all data of a member into a new file', async () => {
  const ana = await world.member({ username: 'ana', displayName: 'Ana' })
  await ana.api.feeds.create({ message: 'Hello' })
  const file = join(folder, 'ana.zip')
  expect(await lyceumJson(env, 'user', 'export', 'ana', file)).toEqual({ id: ana.id, username: 'ana', file, bytes: expect.any(Number) })
  const files = await unzip(readFileSync(file))
  expect(JSON.parse(String(files.get('profile.json')))).toMatchObject({ username: 'ana', email: ana.email })
  expect(JSON.parse(String(files.get('feeds.json')))).toMatchObject([{ message: 'Hello' }])
  expect(await lyceum(env, ['user', 'export', 'ana', file])).toMatchObject({
    code: 1,
    err: `lyceum: ${file} exists; choose another name\n`,
  })
  expect(await lyceum(env, ['user', 'export', 'nobody', join(folder, 'x.zip')])).toMatchObject({
    code: 1,
    err: 'lyceum: there is no user nobody\n',
  })
  const { entries } = await boss.api.audit.list({ action: 'account.exported' })
  expect(entries).toMatchObject([{ object_id: ana.id, actor_id: null }])
})

test('user delete deletes an account and its data', async () => {
  const ben = await world.member({ username: 'ben' })
  const { data } = await ben.api.feeds.create({ message: 'Hello' })
  expect(await lyceumJson(env, 'user', 'delete', ben.email, '--content', 'remove')).toEqual({
    id: ben.id,
    username: 'ben',
    content: 'remove',
  })
  expect((await ben.raw('GET', '/feeds')).status).toBe(401)
  await runErasure(world)
  expect((await boss.raw('GET', `/feeds/${data.id}/by-id`)).status).toBe(404)
  for (const name of ['ben', `deleted-${ben.id}`])
    expect(await lyceum(env, ['user', 'delete', name])).toMatchObject({ code: 1, err: `lyceum: there is no user ${name}\n` })
  const { out } = await lyceum(env, ['user', 'list', '--json'])
  expect(JSON.parse(out).map(({ username }: { username: string }) => username)).not.toContain(`deleted-${ben.id}`)
  await expectSound(world)
})

test('user delete keeps the content by default, and refuses the last administrator', async () => {
  const cleo = await world.member({ username: 'cleo' })
  const { data } = await cleo.api.feeds.create({ message: 'Hello' })
  expect(await lyceum(env, ['user', 'delete', 'cleo'])).toMatchObject({
    code: 0,
    out: 'cleo is deleted and can no longer be used. A server removes what belongs to it, some hundred rows at a time.\n',
  })
  await runErasure(world)
  expect((await boss.api.feeds.byId({ feed_id: data.id })).data.xprofile.display_name).toBe('Deleted member')
  expect(await lyceum(env, ['user', 'delete', 'boss'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^lyceum: The community needs at least one administrator/),
  })
})
