import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'
import { SECTIONS } from './export-sections.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const reason = 'House rules'
const rows = () => world.app.services.database.read.selectFrom('content_revisions').select(['message', 'editor_id']).orderBy('id').execute()
const archived = async ({ id: userId }: Member) => {
  const section = SECTIONS.find(({ file }) => file === 'edits_by_moderators')
  const found = await section?.rows(world.app.services.database.read, { userId, actor: null, origin: world.origin }, 0, 100)
  return found?.map(({ message }) => message)
}

test('texts edited by moderators are in the author’s export, and erased with the account even if posts stay', async () => {
  const { id: feed_id } = (await ana.api.feeds.create({ message: 'A post of mine' })).data
  const { id: comment_id } = (await ana.api.comments.create({ feed_id, comment: 'A comment of mine' })).data
  await admin.api.feeds.update({ feed_id, message: 'Edited', reason })
  await admin.api.comments.update({ feed_id, comment_id, comment: 'Edited', reason })
  const mine = ['A post of mine', 'A comment of mine']
  expect([await archived(ana), await archived(ben)]).toEqual([mine, []])
  await admin.api.privacy.deleteMember({ user_id: ana.id, content: 'anonymise' })
  await world.runPendingJobs()
  expect((await ben.api.feeds.byId({ feed_id })).data.message).toBe('Edited')
  expect(await rows()).toEqual([])
})

test('the editor’s name is erased with their account', async () => {
  const editor = await world.member({ role: 'admin' })
  const { id: feed_id } = (await ben.api.feeds.create({ message: 'As it was' })).data
  await editor.api.feeds.update({ feed_id, message: 'Edited', reason })
  await admin.api.privacy.deleteMember({ user_id: editor.id, content: 'anonymise' })
  await world.runPendingJobs()
  expect(await rows()).toEqual([{ message: 'As it was', editor_id: null }])
  expect((await ben.api.feeds.revisions({ feed_id })).data).toMatchObject([{ message: 'As it was', editor: null }])
})
