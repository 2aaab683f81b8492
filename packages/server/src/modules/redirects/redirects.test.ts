import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { basic, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let stranger: Member
let open: Space
let closed: Space
let secret: Space
let feeds: Record<'open' | 'closed', { readonly id: number; readonly slug: string }>

const keep = (path: string, to: Record<string, number>) =>
  world.app.services.database.write((db) =>
    db
      .insertInto('redirects')
      .values({ path, source: 'old', ...to })
      .execute(),
  )
const visit = (member: Member | null, path: string, method = 'GET') =>
  world.request(method, `/${path}`, undefined, { accept: 'text/html', ...(member && basic(member)) })
/** Where an address leads; null: nowhere. */
const target = async (member: Member | null, path: string) => {
  const { status, headers } = await visit(member, path)
  return status === 301 ? headers.get('location') : null
}

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana' })
  stranger = await world.member()
  open = await makeSpace(world, { members: [ana] })
  closed = await makeSpace(world, { privacy: 'private', members: [ana] })
  secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
  const post = async ({ id: space_id }: Space) => (await ana.api.feeds.create({ message: 'Hello', space_id })).data
  feeds = { open: await post(open), closed: await post(closed) }
  await keep('/groups/open', { space_id: open.id })
  await keep('/groups/closed', { space_id: closed.id })
  await keep('/groups/secret', { space_id: secret.id })
  await keep('/post/1', { feed_id: feeds.open.id })
  await keep('/post/2', { feed_id: feeds.closed.id })
  await keep('/?p=1', { feed_id: feeds.open.id })
  await keep('/members/ana', { user_id: ana.id })
})
afterAll(() => world.close())

test('addresses of public things lead everybody to the new ones, however they are spelled', async () => {
  const post = `/spaces/${open.slug}/feeds/${feeds.open.slug}`
  for (const path of ['/post/1', '/post/1/', '/post/1?from=mail', '/post/1/page/2', '/%70ost/1', '/?p=1'])
    expect([path, await target(null, path)]).toEqual([path, post])
  expect(await target(null, '/groups/open/')).toBe(`/spaces/${open.slug}`)
  expect(await target(null, '/members/ana')).toBe('/u/ana')
  expect((await visit(null, '/post/1', 'HEAD')).status).toBe(301)
  expect((await visit(null, '/post/1')).headers.get('cache-control')).toBe('private, no-cache')
})

test('what somebody cannot see does not exist under its old address either', async () => {
  for (const path of ['/post/2', '/groups/secret']) {
    expect(await target(ana, path)).not.toBeNull()
    for (const member of [stranger, null]) {
      const [hidden, unknown] = [await visit(member, path), await visit(member, '/post/999')]
      expect([hidden.status, hidden.text]).toEqual([unknown.status, unknown.text])
      expect([...hidden.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort())
    }
  }
  expect(await target(stranger, '/groups/closed')).toBe(`/spaces/${closed.slug}`)
  expect(await target(null, '/groups/closed')).toBeNull()
})

test('profiles that only members may read are known to members only', async () => {
  const admin = await world.member({ role: 'admin' })
  await admin.api.settingsPages.savePrivacy({ profile_page_visibility: 'logged_in' })
  expect([await target(null, '/members/ana'), await target(stranger, '/members/ana')]).toEqual([null, '/u/ana'])
})

test('comments, topics, courses and files have new addresses as well', async () => {
  const { data: comment } = await ana.api.comments.create({ feed_id: feeds.open.id, message: 'Yes' })
  await keep('/post/1/comment-7', { comment_id: comment.id })
  expect(await target(stranger, '/post/1/comment-7')).toBe(`/spaces/${open.slug}/feeds/${feeds.open.slug}?comment_id=${comment.id}`)
  const picture = await upload(ana)
  await ana.api.feeds.create({ message: `![x](${picture.file_url})`, space_id: closed.id })
  await keep('/uploads/bean.png', { media_id: picture.id })
  expect([await target(ana, '/uploads/bean.png'), await target(stranger, '/uploads/bean.png')]).toEqual([
    new URL(picture.file_url).pathname,
    null,
  ])
})

test('a redirect ends with its object, and other requests than reads are not redirected', async () => {
  const { data } = await ana.api.feeds.create({ message: 'Soon gone', space_id: open.id })
  await keep('/post/3', { feed_id: data.id })
  expect(await target(null, '/post/3')).not.toBeNull()
  expect((await visit(null, '/post/3', 'POST')).status).toBe(404)
  await ana.api.feeds.remove({ feed_id: data.id })
  expect(await target(null, '/post/3')).toBeNull()
})

test('pages of the web app are not redirected', async () => {
  for (const path of ['/spaces/old', '/people', '/search', '/courses/one/lessons/two']) {
    await keep(path, { feed_id: feeds.open.id })
    expect([path, await target(ana, path)]).toEqual([path, null])
  }
})
