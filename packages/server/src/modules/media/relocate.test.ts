import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchFile, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { relocateFiles } from './relocate.ts'

const NEW = 'https://new.example'
const FOREIGN = `https://other.example/media/${'0'.repeat(32)}/dot.png`

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
})
afterAll(() => world.close())

test('addresses of files follow the address of the community', async () => {
  const { file_url: avatar } = await upload(ana)
  const { file_url: shown } = await upload(ana)
  const { file_url: inText } = await upload(ana)
  const { file_url: answered } = await upload(ana)
  const admin = await world.member({ role: 'admin' })
  const { file_url: logo } = await upload(admin)
  await ana.api.profiles.update({ username: ana.username, avatar })
  await admin.api.spaces.create({ title: 'Garden', slug: 'garden', privacy: 'public', logo })
  const message = `See ![one](${inText}) and ![two](${FOREIGN}), and ${world.origin}/spaces`
  const feed = (await ana.api.feeds.create({ message, meta: { media_items: [{ url: shown }] } })).data.id
  const comment = (await ana.api.comments.create({ feed_id: feed, comment: `![three](${answered})` })).data.id

  const all = async () => {
    const { data: post } = await ana.api.feeds.byId({ feed_id: feed })
    const answer = await ana.api.comments.byId({ comment_id: comment })
    return JSON.stringify([
      post,
      answer,
      await admin.api.spaces.bySlug({ space_slug: 'garden' }),
      await ana.api.profiles.get({ username: ana.username }),
    ])
  }
  const before = await all()
  expect(await relocateFiles(world.app.services.database, NEW)).toBe(4)
  const after = await all()
  expect(after.includes(`${world.origin}/media/`)).toBe(false)
  expect(after).toBe(before.replaceAll(`${world.origin}/media/`, `${NEW}/media/`))
  for (const url of [avatar, shown, inText, answered, logo])
    expect([after.includes(url.replace(world.origin, NEW)), (await fetchFile(admin, url)).status]).toEqual([true, 200])
  expect(after).toContain(FOREIGN)
  expect(await relocateFiles(world.app.services.database, NEW)).toBe(0)
})
