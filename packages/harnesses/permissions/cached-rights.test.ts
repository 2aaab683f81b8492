import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { asFile } from '#test/media.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

/*
 * Read permissions are cached for a while. Each of these tests revokes one right after it was used.
 */

let world: World
let administrator: Member
let author: Member
let reader: Member
let space: Space
let feed_id: number

beforeAll(async () => {
  world = await createWorld()
  administrator = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

beforeEach(async () => {
  author = await world.member()
  reader = await world.member()
  space = await makeSpace(world, { privacy: 'public', members: [author] })
  feed_id = (await author.api.feeds.create({ message: 'Read me', space_id: space.id })).data.id
})

/** Reads twice, the second time from the cache, and again after the change. */
const losesBy = async (change: () => Promise<unknown>, who = reader, id = feed_id): Promise<void> => {
  for (let i = 0; i < 2; i += 1) {
    expect((await who.api.feeds.byId({ feed_id: id })).data.id).toBe(id)
    await who.api.comments.list({ feed_id: id })
  }
  await change()
  await refused(who.api.feeds.byId({ feed_id: id }), 404, 'feed_not_found')
  await refused(who.api.comments.list({ feed_id: id }), 404, 'feed_not_found')
}

describe('a cached permission ends with its basis:', () => {
  test('the feed becomes private', () => losesBy(() => author.api.feeds.update({ feed_id, privacy: 'private' })))

  test('the feed is held for moderation', () => losesBy(() => administrator.api.feeds.update({ feed_id, status: 'pending' })))

  test('the feed moves to a space without access', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [author] })
    await losesBy(() => author.api.feeds.update({ feed_id, space_id: secret.id }))
  })

  test('the space becomes secret', () => losesBy(() => administrator.api.spaces.updateById({ space_id: space.id, privacy: 'secret' })))

  test('the space becomes a draft', () => losesBy(() => administrator.api.spaces.updateById({ space_id: space.id, status: 'draft' })))

  test('the member leaves a private space', async () => {
    const closed = await makeSpace(world, { privacy: 'private', members: [author, reader] })
    const { id } = (await author.api.feeds.create({ message: 'Read me', space_id: closed.id })).data
    await losesBy(() => leaveSpace(world, closed, reader), reader, id)
  })

  test('the manager record no longer covers the space', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [author] })
    const { id } = (await author.api.feeds.create({ message: 'Read me', space_id: secret.id })).data
    const manager = await world.member({ role: 'manager' })
    await losesBy(() => administrator.api.managers.update({ user_id: manager.id, spaces: [space.id] }), manager, id)
  })

  test('the manager record no longer has the permission', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [author] })
    const { id } = (await author.api.feeds.create({ message: 'Read me', space_id: secret.id })).data
    const manager = await world.member({ role: 'manager' })
    await losesBy(() => grant(world, manager, ['view_reports']), manager, id)
  })

  test('the member unfollows the author', async () => {
    await reader.api.followers.follow({ username: author.username })
    const { id } = (await author.api.feeds.create({ message: 'For friends', privacy: 'private' })).data
    await losesBy(() => reader.api.followers.unfollow({ username: author.username }), reader, id)
  })

  test('the section of a lesson is locked, or the student is removed', async () => {
    const school = await makeSchool(administrator, { lessons: 1, students: [reader], course_type: 'scheduled', settings: {} })
    const { courseId: course_id, sectionId: section_id } = school
    const row = await world.app.services.database.read
      .selectFrom('lessons')
      .select('feed_id')
      .where('id', '=', school.lessons[0] ?? 0)
      .executeTakeFirstOrThrow()
    const id = row.feed_id as number
    await losesBy(() => administrator.api.courseSections.patch({ course_id, section_id, scheduled_at: '2031-01-01 00:00:00' }), reader, id)
    await administrator.api.courseSections.patch({ course_id, section_id, scheduled_at: null })
    await losesBy(() => administrator.api.adminCourses.removeStudent({ course_id, user_id: reader.id }), reader, id)
  })
})

test('a viewer’s reactions and bookmarks are not cached for others', async () => {
  await reader.api.feeds.byId({ feed_id })
  await reader.api.reactions.toFeed({ feed_id, react_type: 'bookmark' })
  expect((await reader.api.feeds.byId({ feed_id })).data.bookmarked).toBe(true)
  await reader.api.reactions.toFeed({ feed_id, react_type: 'bookmark', remove: true })
  expect((await reader.api.feeds.byId({ feed_id })).data.bookmarked).toBe(false)
})

test('a file of a comment ends with the feed, and with the comment', async () => {
  const attach = async () => {
    const { data: file } = await author.api.media.upload({ file: asFile('%PDF-1.7 nothing', 'notes.pdf') })
    const comment = { feed_id, comment: 'See', media_images: [file.file_url] }
    return { media_id: file.id, comment_id: (await author.api.comments.create(comment)).data.id }
  }
  const [one, two] = [await attach(), await attach()]
  for (const { media_id } of [one, two]) expect((await reader.api.media.get({ media_id })).data.id).toBe(media_id)
  await author.api.comments.remove({ feed_id, comment_id: one.comment_id })
  await refused(author.api.media.get({ media_id: one.media_id }), 404, 'media_not_found')
  await author.api.feeds.remove({ feed_id })
  for (const { media_id } of [one, two]) await refused(author.api.media.get({ media_id }), 404, 'media_not_found')
  await refused(author.api.media.remove({ media_id: two.media_id }), 404, 'media_not_found')
})
