import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { asMember } from '#test/as-member.ts'
import { statusOf } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource } from '../../test-support/memory-source.ts'
import { importSource } from './import-source.ts'
import type { Imported, ReportLine } from './types.ts'

const ORIGIN = 'https://community.example'

let world: World
let admin: Member
let imported: Imported
const lines: ReportLine[] = []

type Client = Awaited<ReturnType<typeof asMember>>
const people: Record<'ada' | 'ben' | 'cy', Client> = {} as never

const feed = async (client: Client, words: string) => {
  const { feeds, sticky } = await client.feeds.list({ per_page: 50 })
  const found = [...feeds.data, ...(sticky ? [sticky] : [])].find(({ message }) => message.includes(words))
  if (!found) throw new Error(`nobody shows a post with the words ${words}`)
  return found
}

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: ORIGIN } })
  admin = await world.member({ role: 'admin', username: 'boss' })
  const source = memorySource(garden(), { files: await gardenFiles(), leftOut: { messages: 3 } })
  imported = await importSource(world.app.services, source, { onLine: (line) => lines.push(line) })
  people.ada = await asMember(world, 'ada')
  people.ben = await asMember(world, 'ben-muller')
  people.cy = await asMember(world, 'cy-2')
})
afterAll(() => world.close())

test('every record is imported, and the data are consistent', async () => {
  expect(lines.filter(({ outcome }) => outcome !== 'noted')).toEqual([])
  for (const [kind, records] of Object.entries(garden()))
    expect([kind, imported.counts[kind as keyof typeof imported.counts]]).toEqual([
      kind,
      { total: records.length, imported: records.length, unchanged: 0, changed: 0, skipped: 0, failed: 0 },
    ])
  expect([imported.complete, imported.left_out]).toEqual([true, { messages: 3 }])
  await expectSound(world)
})

test('nobody is notified, and only posts that are due later have jobs', async () => {
  const { read } = world.app.services.database
  const jobs = await read.selectFrom('jobs').select(['name', 'run_at']).execute()
  expect(jobs).toEqual([{ name: 'feeds.publish', run_at: '2031-01-01 00:00:00' }])
  for (const client of Object.values(people)) expect((await client.notifications.list()).notifications.data).toEqual([])
  const events = await read.selectFrom('events').select('name').execute()
  expect(events.map(({ name }) => name).filter((name) => !name.startsWith('user.') && !name.startsWith('member.'))).toEqual([])
})

test('people have their profiles, with pictures, rewritten addresses, roles and points', async () => {
  const { profile } = await admin.api.profiles.get({ username: 'ada' })
  expect(profile).toMatchObject({
    display_name: 'Ada',
    social_links: { github: 'https://github.com/ada' },
    bio: `Gardener, see ${ORIGIN}/spaces/beans`,
    created_at: '2024-05-01 10:00:00',
  })
  expect(await statusOf(admin, world.origin + new URL(profile.avatar).pathname)).toBe(200)
  const { read } = world.app.services.database
  const rows = await read
    .selectFrom('users')
    .select(['username', 'email', 'status', 'total_points'])
    .where('id', '<>', admin.id)
    .orderBy('id')
    .execute()
  expect(rows.map(({ username, email, status }) => [username, email, status])).toEqual([
    ['ada', 'ada@old.example', 'active'],
    ['ben-muller', 'benmller@old.example', 'active'],
    ['cy-2', expect.stringMatching(/^~no-address-[0-9a-f]{32}$/), 'active'],
    ['dora', expect.stringMatching(/^~no-address-[0-9a-f]{32}$/), 'banned'],
    ['admin', 'admin@old.example', 'active'],
    [expect.stringMatching(/^deleted-\d+$/), expect.stringMatching(/@deleted\.invalid$/), 'deleted'],
  ])
  expect(rows[0]?.total_points).toBe(500)
  const managers = await read
    .selectFrom('managers')
    .innerJoin('users', 'users.id', 'managers.user_id')
    .select(['username', 'role', 'all_spaces'])
    .orderBy('users.id')
    .execute()
  expect(managers.slice(1)).toEqual([
    { username: 'ada', role: 'admin', all_spaces: 1 },
    { username: 'admin', role: 'moderator', all_spaces: 0 },
  ])
  expect((await read.selectFrom('manager_spaces').selectAll().execute()).length).toBe(1)
})

test('the old address of a profile picture that is not shown any more leads to it', async () => {
  const old = await fetch(`${world.origin}/wp-content/uploads/former.png`, { redirect: 'manual' })
  expect(old.status).toBe(301)
  expect(await statusOf(admin, world.origin + old.headers.get('location'))).toBe(200)
})

test('texts have the names and addresses of this community', async () => {
  const first = await feed(people.cy, 'Look,')
  expect(first.message).toMatch(
    /^Look, @ada: !\[a bean\]\(https:\/\/community\.example\/media\/[0-9a-f]{32}\/bean\.png\) and https:\/\/community\.example\/spaces\/beans\/feeds\/[a-z-]+ later\. `@ben` stays\.\n\n\[plan\.pdf\]\(\/media\/[0-9a-f]{32}\/plan\.pdf\)$/,
  )
  const html = first.message_rendered
  expect(html).toContain('href="/u/ada"')
  expect(html).toMatch(/<img src="https:\/\/community\.example\/media\/[0-9a-f]{32}\/bean\.png" alt="a bean" \/>/)
  for (const [path = ''] of html.matchAll(/\/media\/[0-9a-f]{32}\/[a-z.]+/g)) expect(await statusOf(admin, world.origin + path)).toBe(200)
  const second = await feed(people.cy, 'said')
  expect(second.message).toBe('As @ben-muller **said** in [this](/spaces/beans/feeds/first-beans)')
  expect(second.created_at).toBe('2024-05-04 10:00:00')
})

test('posts are where they were: pinned, with topics, drafts, held and scheduled ones only for those who may see them', async () => {
  const first = await feed(people.cy, 'Look,')
  expect(first).toMatchObject({ slug: 'first-beans', is_sticky: true, comments_count: 3, reactions_count: 1 })
  expect(first.terms.map(({ slug }) => slug)).toEqual(['clay', 'soil'])
  await expect(feed(people.cy, 'Secret peas')).rejects.toThrow('nobody')
  expect((await feed(people.ada, 'Secret peas')).slug).toMatch(/^secret-peas-[a-z2-7]{6}$/)
  const { posts } = await people.ben.scheduledPosts.list()
  expect(posts.map(({ message, scheduled_at }) => [message, scheduled_at])).toEqual([['Later', '2031-01-01 00:00:00']])
  const { items } = await admin.api.moderation.queue()
  expect(items.length).toBe(2)
  expect((await feed(people.cy, 'By someone who left')).xprofile.username).toMatch(/^deleted-/)
})

test('a survey has its votes', async () => {
  const { id } = await feed(people.ada, 'Which?')
  const { results } = await people.ada.surveys.vote({ feed_id: id, option_slug: 'a' })
  expect([results.total_votes, results.options.map(({ slug, votes }) => [slug, votes])]).toEqual([
    2,
    [
      ['a', 1],
      ['b', 1],
      ['b-2', 0],
    ],
  ])
})

test('replies are one level deep, and deeper ones say whom they answer', async () => {
  const { id } = await feed(people.ben, 'Look,')
  const { comments } = await people.ben.comments.list({ feed_id: id })
  const [top] = comments
  expect(comments.map(({ message, parent_id }) => [message, parent_id])).toEqual([
    ['Lovely', null],
    ['Thanks', top?.id],
    ['@ben-muller Welcome', top?.id],
  ])
  expect(top?.reactions_count).toBe(1)
})

test('courses have their lessons, progress, attempts, comments and certificates', async () => {
  const { data: course } = await people.ben.courses.bySlug({ course_slug: 'digging' })
  const { data: progress } = await people.ben.progress.get({ course_id: course.id })
  expect(progress).toMatchObject({ progress_percentage: 100, completed_lessons: 2 })
  expect((await people.cy.progress.get({ course_id: course.id })).data.progress_percentage).toBe(50)
  expect((await world.anonymous.certificates.check({ code: 'a'.repeat(32) })).data).toMatchObject({ course_title: 'Digging' })
  const { data: lessons } = await people.ben.lessons.list({ course_id: course.id })
  const quiz = lessons.find(({ title }) => title === 'Test')
  const { quiz_result } = await people.ben.quizzes.result({ course_id: course.id, lesson_id: quiz?.id ?? 0 })
  expect(quiz_result).toMatchObject({ score: 100, passed: true })
  const spades = lessons.find(({ title }) => title === 'Spades')
  const { comments } = await people.cy.comments.list({ feed_id: spades?.feed_id ?? 0 })
  expect(comments.map(({ message }) => message)).toEqual(['Which spade?'])
  const { data: next } = await people.ada.courses.bySlug({ course_slug: 'digging-on' })
  expect(next.prerequisites.map(({ id }) => id)).toEqual([course.id])
})

test('bookmarks, follows, requests to join and reports are there', async () => {
  expect((await people.ada.bookmarks.list()).data.map(({ feed: { slug } }) => slug)).toEqual(['first-beans'])
  expect((await people.ben.followers.requests()).data.length).toBe(1)
  const { data: requests } = await admin.api.spaceMembers.list({ space_slug: 'roses', status: 'pending' })
  expect(requests.map(({ xprofile }) => xprofile.username)).toEqual(['ben-muller'])
  expect((await admin.api.moderation.reports()).reports.map(({ reason }) => reason)).toEqual(['spam'])
})

test('what was imported is found, counted and listed with the dates of the source', async () => {
  const { feeds } = await people.cy.feeds.list({ search: 'beans', disable_sticky: 'true' })
  expect(feeds.data.map(({ slug }) => slug)).toContain('first-beans')
  const { activities } = await people.cy.activities.list({ per_page: 50 })
  expect(activities.data.map(({ created_at }) => created_at)).toContain('2024-05-04 11:00:00')
})
