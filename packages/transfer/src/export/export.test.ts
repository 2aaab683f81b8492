import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ARCHIVE_KINDS, type ArchiveKind, type ArchiveRecord } from '@lyceum/contract/archive'
import { openArchive } from '@lyceum/importers/archive'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fetchFile } from '#test/media.ts'
import { createWorld, type World } from '#test/world.ts'
import { danglingIn, type Records, recordsOf } from '../../test-support/records.ts'
import { DRAFT, makeWholeCommunity, SECRET_WORDS, type WholeCommunity } from '../../test-support/whole-community.ts'
import { communityAsSource, communityId, exportCommunity } from './index.ts'

let world: World
let scratch: string
let people: WholeCommunity
let records: Records
beforeAll(async () => {
  scratch = mkdtempSync(join(inject('scratch'), 'export-'))
  world = await createWorld()
  people = await makeWholeCommunity(world)
  records = await archived('whole')
})
afterAll(async () => {
  await world.close()
  rmSync(scratch, { recursive: true, force: true })
})

const place = (name: string) => join(scratch, name)

/** Exports to a place, and reads the archive. */
const archived = async (name: string, space?: string): Promise<Records> => {
  const skipped: unknown[] = []
  const onSkipped = (...row: unknown[]) => skipped.push(row)
  const written = await exportCommunity(world.app.services, { place: place(name), onSkipped, ...(space !== undefined && { space }) })
  expect([written.skipped, skipped]).toEqual([0, []])
  const source = await openArchive(place(name))
  const found = await recordsOf(source)
  expect(await source.counts()).toEqual(written.counts)
  await source.close()
  return found
}

const one = <K extends ArchiveKind>(kind: K, wanted: (record: ArchiveRecord<K>) => boolean): ArchiveRecord<K> => {
  const found = (records[kind] as readonly ArchiveRecord<K>[]).filter(wanted)
  expect(found).toHaveLength(1)
  return found[0] as ArchiveRecord<K>
}
const person = (username: string) => one('people', (record) => record.username === username)
const space = (title: string) => one('spaces', (record) => record.title === title)
const post = (beginning: string) => one('posts', ({ message }) => message.startsWith(beginning))

/** All bytes of an archive that is a folder, without its media. */
const textOf = (name: string) =>
  readdirSync(place(name))
    .filter((file) => file.includes('.json'))
    .map((file) => readFileSync(join(place(name), file), 'utf8'))
    .join('')

test('has records of every kind, each of which names only others in the archive', () => {
  expect(ARCHIVE_KINDS.filter((kind) => records[kind].length === 0)).toEqual([])
  expect(danglingIn(records)).toEqual([])
})

test('has people with their profile, role and password', () => {
  const ana = person('ana')
  expect(ana).toMatchObject({
    email: 'ana@example.org',
    aliases: ['ana_before'],
    urls: ['/u/ana', '/people/ana', '/members/ana_before'],
    password: expect.stringMatching(/^\$scrypt\$/),
    short_description: 'I **garden**.',
    social_links: { twitter: 'https://x.example/ana' },
    cover_photo_url: 'https://pictures.example/sea.jpg',
    badges: ['founder', 'gardener'],
    is_verified: true,
    points: expect.any(Number),
    preferences: { email: expect.objectContaining({ mention: false }), digest_frequency: 'daily' },
  })
  expect(one('media', ({ id }) => id === ana.avatar)).toMatchObject({ file_name: 'me.jpg', owner: ana.id, used_for: 'profile' })
  expect(person('moe')).toMatchObject({
    role: 'moderator',
    permissions: ['manage_comments', 'view_reports'],
    managed_spaces: [space('Garden').id],
  })
  expect(person('chief')).toMatchObject({ role: 'admin' })
  expect(
    ['banned', 'suspended', 'pending', 'deleted'].map((status) => records.people.filter((row) => row.status === status).length),
  ).toEqual([1, 1, 1, 1])
})

test('has nothing of a deleted account but its content', () => {
  const dora = one('people', ({ status }) => status === 'deleted')
  expect(Object.keys(dora).sort()).toEqual(['created_at', 'email', 'id', 'status', 'updated_at', 'username'])
  expect([dora.email, dora.username]).toEqual([null, 'deleted'])
  expect(post('I was here').author).toBe(dora.id)
  expect(textOf('whole')).not.toMatch(/dora/i)
})

test('has spaces with ids of the archive in their settings', () => {
  expect(space('Garden')).toMatchObject({
    group: one('space_groups', ({ title }) => title === 'Outdoors').id,
    logo: one('media', ({ used_for }) => used_for === 'space').id,
    cover_photo_url: 'https://pictures.example/garden.jpg',
    settings: { links: [{ title: 'Cellar', membership_ids: [space('Cellar').id, space('Attic').id] }] },
  })
  expect(space('Cellar')).toMatchObject({ privacy: 'private', lockscreen: { config: { message: 'Members only' } } })
  const status = (of: string, username: string) =>
    one('memberships', (row) => row.space === space(of).id && row.person === person(username).id)
  expect(status('Cellar', 'cleo').status).toBe('pending')
  expect(status('Garden', 'eve').status).toBe('banned')
  expect(status('Attic', 'ana').role).toBe('moderator')
  expect(records.topics.map(({ title, spaces }) => [title, spaces])).toEqual([
    ['Roses', null],
    ['Wine', [space('Cellar').id]],
    ['Climbing roses', null],
  ])
})

test('has posts in every state, with what is attached to them', () => {
  const first = post('They bloom')
  const [picture, attached] = ['rose.gif', 'bee.webp'].map((name) => one('media', ({ file_name }) => file_name === name))
  expect(first).toMatchObject({
    urls: ['/spaces/garden/feeds/first-roses', '/feeds/first-roses', '/?p=17'],
    message: `They bloom, @ben!\n\n![a rose](https://community.invalid/media/${picture?.key}/rose.gif)`,
    media: [attached?.id],
    meta: { note: { kept: [1, 'two'] } },
    topics: [one('topics', ({ title }) => title === 'Roses').id],
    featured_image_url: 'https://pictures.example/rose.jpg',
    is_sticky: true,
  })
  expect(post('<p>Some')).toMatchObject({
    content_type: 'html',
    comments_disabled: true,
    meta: { media_items: [{ alt: 'A ladybird', url: expect.stringContaining('https://community.invalid/media/') }, {}] },
  })
  expect(post('Look').gif).toEqual({ id: 'g1', url: 'https://gifs.example/1.gif', title: 'Waving', width: 20, height: 10 })
  expect(post('Read this').preview).toMatchObject({ url: 'https://news.example/1', title: 'News' })
  expect(post('Which?').survey).toMatchObject({ allow_multiple: true, show_results: 'after_vote', end_date: '2031-01-01 00:00:00' })
  expect(post('Soon')).toMatchObject({
    status: 'scheduled',
    scheduled_at: '2030-06-01 06:00:00',
    timezone: 'Europe/Tallinn',
    auto_publish: true,
  })
  expect(post('For followers').privacy).toBe('private')
  expect(post('Until').expired_at).toBe('2030-01-01 00:00:00')
  expect(post('Perhaps')).toMatchObject({ status: 'pending', hold: { reason: 'moderator', created_at: expect.any(String) } })
  expect(post('Kind words')).toMatchObject({ edited_by_moderator: true, edited_at: expect.any(String) })
  expect(records.posts.map(({ status }) => status).sort()).toEqual(
    expect.arrayContaining(['draft', 'pending', 'published', 'scheduled', 'spam']),
  )
  const vote = one('survey_votes', ({ post: of }) => of === post('Which?').id)
  expect(vote.options).toEqual(['sat', 'never'])
})

test('has links without the address of the community and the ids of its rows', () => {
  const top = one('comments', ({ message }) => message === 'Lovely')
  expect(post('See').message).toBe(
    `See [this](https://community.invalid/feeds/first-roses?comment_id=${top.id}) and https://community.invalid/spaces/garden, or [that](/u/ben).`,
  )
  expect(top.urls).toEqual([`/spaces/garden/feeds/first-roses?comment_id=${top.id}`])
  expect(textOf('whole').replace(/"(?:source|origins)": [^\]]*/g, '')).not.toContain(world.origin)
})

test('has comments of posts and lessons, reactions, bookmarks and follows', () => {
  const top = one('comments', ({ message }) => message === 'Lovely')
  expect(top).toMatchObject({ is_sticky: true, helpful_by: person('chief').id, helpful_at: expect.any(String) })
  expect(one('comments', ({ parent }) => parent === top.id).message).toBe('Thank you, @ben')
  expect(one('comments', ({ message }) => message === 'Mine').media).toEqual([one('media', ({ used_for }) => used_for === 'comment').id])
  expect(one('comments', ({ lesson }) => lesson !== undefined).message).toBe('Which spade?')
  expect(records.reactions.map(({ type }) => type).sort()).toEqual(['like', 'love', 'wow'])
  expect(records.bookmarks).toHaveLength(1)
  expect(records.follows.map(({ status }) => status).sort()).toEqual(['active', 'active', 'pending'])
  expect(records.reports.map(({ status }) => status).sort()).toEqual(['dismissed', 'pending', 'pending', 'pending'])
})

test('has courses with progress, certificates and results', () => {
  const basics = one('courses', ({ price }) => price === '9.5')
  const next = one('courses', ({ privacy }) => privacy === 'secret')
  expect(next).toMatchObject({ prerequisites: [basics.id], lockscreen: { type: 'prerequisite' } })
  expect(JSON.stringify(next.lockscreen)).not.toContain('required_courses')
  expect(one('enrolments', (row) => row.course === basics.id && row.person === person('ben').id)).toMatchObject({
    completed_at: expect.any(String),
    certificate_code: expect.stringMatching(/^[0-9a-f]{32}$/),
    last_lesson: expect.any(String),
  })
  expect(one('enrolments', ({ ended }) => ended === true).person).toBe(person('cleo').id)
  const attempts = records.quiz_attempts.map(({ status, attempt_number, questions }) => [status, attempt_number, questions?.length])
  expect(attempts).toEqual([
    ['graded', 1, 3],
    ['graded', 2, undefined],
    ['in_progress', 1, undefined],
  ])
  expect(one('lessons', ({ type }) => type === 'quiz').quiz).toMatchObject({
    passing_score: 60,
    max_attempts: 3,
    show_correct_answers: false,
  })
})

test('has the files as they are stored', async () => {
  const source = await openArchive(place('whole'))
  for (const record of records.media) {
    const content = await source.openMedia(record)
    const shown = await fetchFile(people.ana, `${world.origin}${record.urls?.[0]}`)
    expect(shown.status).toBe(200)
    expect((await buffer(content as NonNullable<typeof content>)).equals(shown.bytes)).toBe(true)
  }
})

test('has no secrets and no addresses of devices', () => {
  const text = textOf('whole')
  expect(text).not.toContain('127.0.0.1"')
  for (const member of [people.ana, people.admin]) expect(text).not.toContain(member.password)
  expect(text).not.toMatch(/ip_address|token_hash|application/)
  expect(statSync(place('whole')).mode & 0o077).toBe(0)
})

test('an export of an unchanged community has the same bytes', async () => {
  await archived('a.tar.gz')
  await archived('b.tar.gz')
  expect(readFileSync(place('a.tar.gz')).equals(readFileSync(place('b.tar.gz')))).toBe(true)
})

test('what is written meanwhile is not exported', async () => {
  const { services } = world.app
  const community = await communityId(services)
  const { database, storage, origin } = services
  await database.snapshot(async (db) => {
    const source = await communityAsSource({ db, storage, origin: origin(), community })
    const before = await Array.fromAsync(source.read('people'))
    const { data } = await people.ana.api.feeds.create({ message: 'Meanwhile' })
    const posts = await Array.fromAsync(source.read('posts'))
    expect([before.length, posts.length]).toEqual([records.people.length, records.posts.length])
    await people.ana.api.feeds.remove({ feed_id: data.id })
  })
})

describe('an archive of one space', () => {
  test('has the space with its people, and no more about them than their names', async () => {
    const garden = await archived('garden', 'garden')
    expect(garden.spaces.map(({ title }) => title)).toEqual(['Garden'])
    expect(garden.space_groups.map(({ title }) => title)).toEqual(['Outdoors'])
    expect(garden.people.map(({ username }) => username).sort()).toEqual(['ana', 'ben', 'chief', 'cleo', 'deleted', 'eve'])
    const fields = new Set(garden.people.flatMap((row) => Object.keys(row)))
    expect([...fields].sort()).toEqual([
      'aliases',
      'avatar',
      'created_at',
      'display_name',
      'email',
      'id',
      'status',
      'updated_at',
      'urls',
      'username',
    ])
    expect(garden.people.map(({ email }) => email)).toEqual(garden.people.map(() => null))
    expect(textOf('garden')).not.toMatch(/@example\.org|\$scrypt/)
  })

  test('has the content of the space without drafts, and nothing of other places', async () => {
    const garden = await archived('garden-2', 'garden')
    const inGarden = records.posts.filter((row) => row.space === space('Garden').id && row.status !== 'draft')
    expect(garden.posts).toEqual(inGarden)
    const comments = records.comments.filter((row) => inGarden.some(({ id }) => id === row.post))
    expect(garden.comments).toEqual(comments)
    expect(garden.reactions).toEqual(records.reactions)
    expect(garden.memberships).toEqual(records.memberships.filter((row) => row.space === space('Garden').id))
    expect(garden.media.map(({ file_name }) => file_name).sort()).toEqual(
      ['bee.webp', 'ladybird.png', 'leaf.png', 'logo.png', 'me.jpg', 'plan.pdf', 'rose.gif'].sort(),
    )
    const others = ['courses', 'enrolments', 'quiz_attempts', 'bookmarks', 'follows', 'reports'] as const
    expect(others.map((kind) => garden[kind].length)).toEqual(others.map(() => 0))
    for (const words of [DRAFT, SECRET_WORDS, 'Wine']) expect(textOf('garden-2')).not.toContain(words)
  })

  test('names only what it has, but for links to other spaces', async () => {
    const garden = await archived('garden-3', 'garden')
    expect(danglingIn(garden)).toEqual([
      ['spaces', 'settings.links.membership_ids', space('Cellar').id],
      ['spaces', 'settings.links.membership_ids', space('Attic').id],
    ])
  })

  test('cannot be made of a space that does not exist', async () => {
    const missing = exportCommunity(world.app.services, { place: place('none'), space: 'none' })
    await expect(missing).rejects.toThrow('there is no space none')
    expect(readdirSync(scratch).filter((name) => name.startsWith('none'))).toEqual([])
  })
})
