import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLife, runErasure, whereIs } from '#test/account-deletion.ts'
import { upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const isSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

/** Files in the data directory that contain a word, case-insensitively. */
const filesWith = (word: string): string[] => {
  const { dataDir } = world.app.services.config
  return readdirSync(dataDir, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(dataDir, name)).isFile())
    .filter((name) => name.includes(word) || readFileSync(join(dataDir, name), 'latin1').toLowerCase().includes(word))
}
const outbox = () => {
  const folder = join(world.app.services.config.dataDir, 'outbox')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}

test('after an erasure, the data directory contains no byte of what the member wrote', async () => {
  const word = 'numbatword'
  const { member, other } = await makeLife(world, admin, word)
  await other.api.feeds.create({ message: 'A text that stays', title: 'kowariword' })
  await world.runPendingJobs()
  await upload(member, undefined, `${word}-later.png`)
  // Database files are checked on SQLite only: PostgreSQL overwrites on vacuum.
  if (isSqlite) expect(filesWith(word).filter((name) => name.includes('.db')).length).toBeGreaterThan(0)
  expect(outbox().some((mail) => mail.includes(word))).toBe(true)
  await admin.api.privacy.deleteMember({ user_id: member.id, content: 'remove' })
  await runErasure(world)
  expect(await whereIs(world, word)).toEqual([])
  expect(filesWith(word)).toEqual([])
  if (isSqlite) expect(filesWith('kowariword')).not.toEqual([])
  expect((await other.api.feeds.list({ search: 'kowariword' })).feeds.total).toBe(1)
})

test('names of deleted files are erased before the files are purged', async () => {
  const member = await world.member()
  const { id } = await upload(member, undefined, 'bilbyword.png')
  await admin.api.privacy.deleteMember({ user_id: member.id, content: 'remove' })
  await world.runPendingJobs()
  const rows = await world.app.services.database.read.selectFrom('media').select('file_name').where('id', '=', id).execute()
  expect(rows).toEqual([{ file_name: '' }])
})

test('mails to others stay in the outbox, even if their names contain the deleted name', async () => {
  const [ana, anna] = [
    await world.member({ username: 'tana', displayName: 'Tana' }),
    await world.member({ username: 'tanabel', displayName: 'Tanabel' }),
  ]
  const tell = (to: Member, text: string) =>
    world.app.services.mailer.send({ to: to.email, subject: 'Hello', text, html: `<p>${text}</p>` })
  await tell(ana, 'one')
  await tell(anna, 'two')
  await tell(anna, 'From Tana')
  await admin.api.privacy.deleteMember({ user_id: ana.id })
  await runErasure(world)
  const left = outbox().filter((mail) => mail.includes('Subject: Hello'))
  expect(left.map((mail) => /<p>(.*)<\/p>/.exec(mail)?.[1])).toEqual(['two'])
})
