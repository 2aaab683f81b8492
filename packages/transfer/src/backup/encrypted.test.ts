import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Env, envOf, freshEnv, lyceum, lyceumJson, processEnv } from '#test/command.ts'
import { createWorld, type World } from '#test/world.ts'
import { readConfig } from '../../../server/src/config.ts'

const PROGRAM = fileURLToPath(new URL('../../../server/bin/lyceum.mjs', import.meta.url))
const PASSPHRASE = 'correct horse battery staple'
const fileName = (name: string) => join(mkdtempSync(join(inject('scratch'), 'encrypted-')), name)

let world: World
let env: Env
beforeAll(async () => {
  world = await createWorld()
  env = envOf(world)
  const ana = await world.member({ username: 'ana', role: 'admin' })
  await ana.api.feeds.create({ message: 'A secret of ours' })
  await world.runPendingJobs()
  await world.app.presence.stop()
})
afterAll(() => world.close())

const usernames = async (there: Env) => (await lyceumJson<{ username: string }[]>(there, 'user', 'list')).map(({ username }) => username)
const restore = async (file: string, more: Env = {}, ...flags: string[]) => {
  const there = await freshEnv()
  const { code, err } = await lyceum({ ...there, ...more }, ['restore', file, ...flags])
  return { code, err, there }
}

test('a passphrase encrypts a backup, and only this passphrase restores it', async () => {
  const file = fileName('a.backup')
  const saved = await lyceumJson<{ encrypted: boolean }>({ ...env, LYCEUM_BACKUP_PASSPHRASE: PASSPHRASE }, 'backup', file)
  expect(saved.encrypted).toBe(true)
  const bytes = readFileSync(file)
  expect(bytes.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')

  const restored = await restore(file, { LYCEUM_BACKUP_PASSPHRASE: PASSPHRASE })
  expect([restored.code, restored.err]).toEqual([0, ''])
  expect(await usernames(restored.there)).toContain('ana')
  const { dataDir } = readConfig(restored.there)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([])

  expect(await restore(file, { LYCEUM_BACKUP_PASSPHRASE: 'another' })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/a\.backup cannot be decrypted/),
  })
  expect(await restore(file)).toMatchObject({ code: 1, err: expect.stringMatching(/is encrypted; set LYCEUM_BACKUP_PASSPHRASE/) })
})

test('a changed byte of an encrypted backup is detected, and an encrypted backup is replaced by the next one', async () => {
  const file = fileName('a.backup')
  const keys = { LYCEUM_BACKUP_PASSPHRASE: PASSPHRASE }
  await lyceumJson({ ...env, ...keys }, 'backup', file)
  await lyceumJson({ ...env, ...keys }, 'backup', file)
  const bytes = readFileSync(file)
  bytes[bytes.length - 100]! ^= 1
  writeFileSync(file, bytes)
  expect(await restore(file, keys)).toMatchObject({ code: 1, err: expect.stringMatching(/cannot be decrypted/) })
})

test('recipients encrypt a backup, which a file with a secret key restores', async () => {
  const identity = await generateX25519Identity()
  const recipients = [await identityToRecipient(await generateX25519Identity()), await identityToRecipient(identity)]
  const file = fileName('a.backup')
  await lyceumJson({ ...env, LYCEUM_BACKUP_AGE_RECIPIENTS: recipients.join(', ') }, 'backup', file)
  const keyFile = fileName('key.txt')
  writeFileSync(keyFile, `# created: today\n# public key: ${recipients[1]}\n${identity}\n`)
  const restored = await restore(file, {}, '--identity', keyFile)
  expect([restored.code, restored.err]).toEqual([0, ''])
  expect(await usernames(restored.there)).toContain('ana')
  writeFileSync(keyFile, await generateX25519Identity())
  expect(await restore(file, {}, '--identity', keyFile)).toMatchObject({ code: 1, err: expect.stringMatching(/cannot be decrypted/) })

  const wrong = await lyceum({ ...env, LYCEUM_BACKUP_AGE_RECIPIENTS: `age1${'q'.repeat(58)}` }, ['backup', fileName('b.backup')])
  expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/LYCEUM_BACKUP_AGE_RECIPIENTS cannot be used/) })
})

test('a backup streams to standard output', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'backup', '-'], {
    env: processEnv({ ...env, LYCEUM_BACKUP_PASSPHRASE: PASSPHRASE }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [bytes, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  expect([await ended, err.toString()]).toEqual([[0, null], ''])
  const decrypter = new Decrypter()
  decrypter.addPassphrase(PASSPHRASE)
  const plain = fileName('plain')
  writeFileSync(plain, await decrypter.decrypt(bytes))
  const restored = await restore(plain)
  expect([restored.code, restored.err]).toEqual([0, ''])
  expect(await usernames(restored.there)).toContain('ana')
})
