import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
})
afterAll(() => world.close())

/** Audit entries for the object, oldest first. */
const logged = async (object_type: string, object_id: number) =>
  (await admin.api.audit.list({ object_type, object_id })).entries
    .map(({ action, actor_id, details }) => [action, actor_id, details])
    .reverse()

test('topics', async () => {
  const { id } = await admin.api.adminTopics.create({ title: 'Music' })
  await admin.api.adminTopics.update({ topic_id: id, color: '#ff0000' })
  await admin.api.adminTopics.remove({ topic_id: id })
  expect(await logged('topic', id)).toEqual([
    ['topic.created', admin.id, { title: 'Music' }],
    ['topic.updated', admin.id, { fields: ['color'] }],
    ['topic.deleted', admin.id, { title: 'Music' }],
  ])
})

test('space groups', async () => {
  const { id } = (await admin.api.spaceGroups.create({ title: 'Regions' })).space_group
  await admin.api.spaceGroups.update({ group_id: id, title: 'Countries' })
  await admin.api.spaceGroups.remove({ group_id: id })
  expect(await logged('space_group', id)).toEqual([
    ['space_group.created', admin.id, { title: 'Regions' }],
    ['space_group.updated', admin.id, { fields: ['title'] }],
    ['space_group.deleted', admin.id, { title: 'Countries' }],
  ])
})

test('spaces and their members', async () => {
  const { id, slug: space_slug } = (await admin.api.spaces.create({ title: 'Garden', privacy: 'private' })).data
  await admin.api.spaceMembers.add({ space_slug, user_id: ana.id })
  const path = `/spaces/${space_slug}/members/${ana.id}`
  for (const change of [{ role: 'moderator' }, { role: 'moderator' }, { status: 'banned' }]) {
    const { status, text } = await admin.raw('PUT', path, change)
    expect([status, text]).toEqual([200, expect.any(String)])
  }
  await admin.api.spaces.remove({ space_slug })
  expect(await logged('space', id)).toEqual([
    ['space.created', admin.id, { title: 'Garden', privacy: 'private' }],
    ['space.deleted', admin.id, { title: 'Garden', privacy: 'private' }],
  ])
  expect(await logged('user', ana.id)).toEqual([
    ['space_member.added', admin.id, { space_id: id, role: 'member', status: 'active', privacy: 'private' }],
    ['space_member.changed', admin.id, { space_id: id, role: 'moderator', status: 'active' }],
    ['space_member.changed', admin.id, { space_id: id, role: 'member', status: 'banned' }],
  ])
})

test('an entry shows the current title of its object until it is deleted', async () => {
  const ben = await world.member({ username: 'ben', displayName: 'Ben Adler' })
  const { id, slug: space_slug } = (await admin.api.spaces.create({ title: 'Shed', privacy: 'private' })).data
  await admin.api.spaceMembers.add({ space_slug, user_id: ben.id })
  await admin.raw('PUT', `/spaces/${space_slug}/members/${ben.id}`, { role: 'moderator' })
  await admin.api.spaces.updateById({ space_id: id, title: 'Tool shed' })
  const feed = (await ben.api.feeds.create({ space_id: id, message: 'Who has the **key**?' })).data
  const comment = (await ben.api.comments.create({ feed_id: feed.id, comment: 'I *found* it.' })).data
  await admin.api.comments.update({ feed_id: feed.id, comment_id: comment.id, status: 'pending' })
  await admin.api.feeds.update({ feed_id: feed.id, status: 'pending' })
  const named = async (object_type: string, object_id: number) =>
    (await admin.api.audit.list({ object_type, object_id })).entries[0]?.objects.map((one) => [one.object_type, one.title, one.url])

  const person = ['user', 'Ben Adler', `${world.origin}/u/ben`]
  const post = ['feed', 'Who has the key?', `${world.origin}/feeds/${feed.slug}`]
  expect(await named('user', ben.id)).toEqual([person, ['space', 'Tool shed', `${world.origin}/spaces/${space_slug}`]])
  expect(await named('feed', feed.id)).toEqual([post, person])
  expect(await named('comment', comment.id)).toEqual([
    ['comment', 'I found it.', `${world.origin}/feeds/${feed.slug}?comment_id=${comment.id}`],
    person,
    post,
  ])
  await admin.api.feeds.remove({ feed_id: feed.id })
  expect(await named('comment', comment.id)).toEqual([person])
})
