import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound } from '#test/account-deletion.ts'
import { asMember } from '#test/as-member.ts'
import { picture, statusOf } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { AT, bring, comment, community, person, post } from '../../test-support/bring.ts'

let world: World
let admin: Member

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example', LYCEUM_MEDIA_MAX_BYTES: '100000' } })
  admin = await world.member({ role: 'admin', username: 'boss' })
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})

const read = () => world.app.services.database.read
const mapped = (source: string, kind: string, id: string) =>
  read()
    .selectFrom('import_map')
    .select('local_id')
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('foreign_id', '=', id)
    .executeTakeFirst()
const rowOf = async (source: string, kind: string, id: string) => (await mapped(source, kind, id))?.local_id ?? 0
const feedOf = async (source: string, id: string) =>
  read()
    .selectFrom('feeds')
    .selectAll()
    .where('id', '=', await rowOf(source, 'posts', id))
    .executeTakeFirstOrThrow()
const userOf = async (source: string, id: string) =>
  read()
    .selectFrom('users')
    .selectAll()
    .where('id', '=', await rowOf(source, 'people', id))
    .executeTakeFirstOrThrow()

describe('people', () => {
  test('two with one address are one account, also one that exists here already', async () => {
    const zoe = await world.member({ username: 'zoe', displayName: 'Zoe of here' })
    const { counts, reasons } = await bring(
      world,
      community([], {
        people: [
          person('1', { username: 'First.Name', email: 'same@old.example' }),
          person('2', { username: 'second', email: 'Same@Old.example ' }),
          person('3', { username: 'zz', email: 'ZOE@example.org', display_name: 'Zoe of there' }),
        ],
        posts: [post('p1', { author: '2', message: 'Hi @zz and @second' }), post('p2', { author: '3' })],
        memberships: [
          { id: 'm1', space: 's', person: '1', role: 'member', status: 'active', joined_at: AT },
          { id: 'm2', space: 's', person: '2', role: 'moderator', status: 'active', joined_at: AT },
        ],
      }),
      { as: 'twins' },
    )
    expect(counts.people).toMatchObject({ imported: 3 })
    expect(reasons['people 2']).toContain('it was merged into the account')
    expect(await rowOf('twins', 'people', '1')).toBe(await rowOf('twins', 'people', '2'))
    expect(await rowOf('twins', 'people', '3')).toBe(zoe.id)
    expect((await userOf('twins', '3')).display_name).toBe('Zoe of here')
    expect((await feedOf('twins', 'p2')).user_id).toBe(zoe.id)
    expect((await feedOf('twins', 'p1')).message).toBe('Hi @zoe and @first-name')
    const members = await read()
      .selectFrom('space_members')
      .select(['user_id', 'role'])
      .where('space_id', '=', await rowOf('twins', 'spaces', 's'))
      .execute()
    expect(members).toEqual([{ user_id: await rowOf('twins', 'people', '1'), role: 'moderator' }])
  })

  test('names that are refused or taken here get the nearest free one', async () => {
    await world.member({ username: 'taken' })
    const names = ['Taken', 'taken', 'Admin', 'j.doe', 'j-doe', '李雷', 'x', 'a'.repeat(80), 'Ünïcode Name', 'me']
    await bring(world, { people: names.map((username, i) => person(`n${i}`, { username })) }, { as: 'names' })
    const users = await Promise.all(names.map((_, i) => userOf('names', `n${i}`)))
    const usernames = users.map(({ username }) => username)
    expect(usernames.slice(0, 5)).toEqual(['taken-2', 'taken-3', 'admin-2', 'j-doe', 'j-doe-2'])
    expect(usernames[8]).toBe('unicode-name')
    expect(new Set(usernames).size).toBe(names.length)
    for (const username of usernames) expect(username).toMatch(/^[a-z0-9_-]{3,30}$/)
  })

  test('a broken password never matches', async () => {
    await bring(world, { people: [person('broken', { password: 'plain text' })] }, { as: 'broken' })
    expect((await world.request('POST', '/auth/login', { login: 'broken', password: 'plain text' })).status).toBe(401)
  })

  test('someone who is missing at the source is shown as a deleted member', async () => {
    const { reasons } = await bring(
      world,
      community([], { posts: [post('p1', { author: 'unknown' }), post('p2', { author: 'unknown too' })] }),
      { as: 'missing' },
    )
    expect(reasons['posts p1']).toBe('noted: its author does not exist in the source')
    const [one, two] = [await feedOf('missing', 'p1'), await feedOf('missing', 'p2')]
    expect(one.user_id).toBe(two.user_id)
    const author = await read().selectFrom('users').selectAll().where('id', '=', one.user_id).executeTakeFirstOrThrow()
    expect([author.status, author.username]).toEqual(['deleted', `deleted-${author.id}`])
  })
})

describe('references', () => {
  test('what names something unknown is left out with a reason', async () => {
    const { counts, reasons } = await bring(
      world,
      community(['Hello'], {
        memberships: [
          { id: 'm1', space: 'nowhere', person: 'ana', role: 'member', status: 'active', joined_at: AT },
          { id: 'm2', space: 's', person: 'nobody', role: 'member', status: 'active', joined_at: AT },
        ],
        comments: [
          comment('c1', { post: 'nothing' }),
          comment('c2', { parent: 'nothing' }),
          comment('c3', { post: undefined, lesson: 'none' }),
        ],
        reactions: [
          { id: 'r1', person: 'ana', post: 'p1', type: 'like', created_at: AT },
          { id: 'r2', person: 'ana', post: 'p1', type: 'love', created_at: AT },
          { id: 'r3', person: 'nobody', post: 'p1', type: 'like', created_at: AT },
          { id: 'r4', person: 'ana', comment: 'c1', type: 'like', created_at: AT },
        ],
        follows: [
          { id: 'f1', follower: 'ana', following: 'ana', status: 'active', created_at: AT },
          { id: 'f2', follower: 'ana', following: 'nobody', status: 'active', created_at: AT },
        ],
        bookmarks: [{ id: 'b1', person: 'ana', post: 'nothing', created_at: AT }],
        reports: [{ id: 'o1', reporter: 'ana', post: 'nothing', reason: 'spam', status: 'pending', created_at: AT }],
      }),
      { as: 'references' },
    )
    expect(reasons).toMatchObject({
      'memberships m1': 'skipped: its space was not imported',
      'memberships m2': 'skipped: its member was not imported',
      'comments c1': 'skipped: its post was not imported',
      'comments c2': expect.stringContaining('noted: it was imported as a top-level comment'),
      'comments c3': 'skipped: its lesson was not imported',
      'reactions r2': 'skipped: it is a duplicate',
      'reactions r3': 'skipped: its member was not imported',
      'reactions r4': 'skipped: its comment was not imported',
      'bookmarks b1': 'skipped: its post was not imported',
      'reports o1': 'skipped: the reported content was not imported',
    })
    expect([counts.comments?.imported, counts.reactions?.imported, counts.follows?.skipped]).toEqual([1, 1, 2])
  })

  test('a chain of replies is flattened, and each names whom it answers', async () => {
    const chain = Array.from({ length: 6 }, (_, i) =>
      comment(`c${i}`, { parent: i === 0 ? null : `c${i - 1}`, author: i % 2 ? 'ana' : 'bob', message: `Answer ${i}` }),
    )
    await bring(world, community(['Hello'], { comments: chain }), { as: 'chain', firstSize: 2 })
    const feed = await feedOf('chain', 'p1')
    const rows = await read()
      .selectFrom('comments')
      .select(['id', 'message', 'parent_id'])
      .where('post_id', '=', feed.id)
      .orderBy('id')
      .execute()
    const [ana, bob] = [(await userOf('chain', 'ana')).username, (await userOf('chain', 'bob')).username]
    expect(rows.map(({ message, parent_id }) => [message, parent_id])).toEqual([
      ['Answer 0', null],
      ['Answer 1', rows[0]?.id],
      [`@${ana} Answer 2`, rows[0]?.id],
      [`@${bob} Answer 3`, rows[0]?.id],
      [`@${ana} Answer 4`, rows[0]?.id],
      [`@${bob} Answer 5`, rows[0]?.id],
    ])
    expect(feed.comments_count).toBe(6)
  })

  test('rows that the source cannot read, and records that break the format, are reported and stop nothing', async () => {
    const { counts, reasons } = await bring(
      world,
      community([], {
        posts: [
          { unreadable: { id: 'x', reason: 'the row is broken' } },
          post('p1', { status: 'glorious' }),
          post('p2', { created_at: 'yesterday' }),
          post('p3'),
        ],
      }),
      { as: 'broken' },
    )
    expect(counts.posts).toMatchObject({ total: 4, imported: 1, failed: 3 })
    expect(reasons['posts x']).toBe('failed: the row is broken')
    expect(reasons['posts p1']).toContain('failed: ')
    expect(reasons['posts p1']).toContain('status')
  })

  test('slugs are unique, and those of hidden posts cannot be guessed', async () => {
    await bring(
      world,
      community([], {
        spaces: [
          { id: 's', title: 'Garden', slug: 'plot', privacy: 'public', status: 'published', created_at: AT },
          { id: 's2', title: 'Garden', slug: 'Plot', privacy: 'private', status: 'published', created_at: AT },
          { id: 's3', title: 'Hidden', slug: 'hidden-plot', privacy: 'secret', status: 'published', created_at: AT },
          { id: 's4', title: 'Discover', slug: 'discover', privacy: 'public', status: 'published', created_at: AT },
        ],
        posts: [post('p1', { slug: 'hello-slug' }), post('p2', { slug: 'hello-slug' }), post('p3', { slug: 'inside', space: 's3' })],
      }),
      { as: 'slugs' },
    )
    const slugs = await read().selectFrom('spaces').select('slug').where('slug', 'like', '%plot%').orderBy('id').execute()
    expect(slugs.map(({ slug }) => slug)).toEqual(['plot', expect.stringMatching(/^plot-[a-z2-7]{6}$/), 'hidden-plot'])
    expect((await feedOf('slugs', 'p1')).slug).toBe('hello-slug')
    expect((await feedOf('slugs', 'p2')).slug).toMatch(/^hello-slug-[a-z2-7]{6}$/)
    expect((await feedOf('slugs', 'p3')).slug).toMatch(/^inside-[a-z2-7]{6}$/)
  })
})

describe('files', () => {
  const file = (id: string, more: object = {}) => ({
    ...{ id, file: `${id}.png`, file_name: `${id}.png`, owner: 'ana', used_for: 'feed' as const, created_at: AT },
    urls: [`/files/${id}.png`],
    ...more,
  })

  test('missing, refused and large ones are left out', async () => {
    const { counts, reasons } = await bring(
      world,
      community(['![x](/files/gone.png)'], { media: [file('gone'), file('program', { file_name: 'a.exe' }), file('fake'), file('huge')] }),
      {
        as: 'files',
        source: {
          files: { 'program.png': Buffer.from('MZ\0\0'), 'fake.png': Buffer.from('<script>'), 'huge.png': Buffer.alloc(200_000, 1) },
        },
      },
    )
    expect(counts.media).toMatchObject({ total: 4, imported: 0, skipped: 4 })
    expect(reasons['media gone']).toBe('skipped: the file is missing')
    expect(reasons['media fake']).toContain('the file was rejected')
    expect(reasons['media huge']).toContain('LYCEUM_MEDIA_MAX_BYTES')
    expect((await feedOf('files', 'p1')).message).toBe('![x](/files/gone.png)')
  })

  test('two files of an archive with the same key are two files', async () => {
    const key = 'ab'.repeat(16)
    const { counts } = await bring(world, community([], { media: [file('one', { key }), file('two', { key })] }), {
      as: 'same-key',
      source: { files: { 'one.png': await picture('png', 7, 7), 'two.png': await picture('png', 5, 5) } },
    })
    expect(counts.media).toMatchObject({ imported: 2 })
    const rows = await read().selectFrom('media').select(['key', 'width']).where('file_name', 'in', ['one.png', 'two.png']).execute()
    expect(new Set(rows.map(({ width }) => width))).toEqual(new Set([5, 7]))
    expect(new Set(rows.map((row) => row.key))).toEqual(new Set([key, expect.stringMatching(/^[0-9a-f]{32}$/)]))
  })

  test('the files of a post are visible to its readers only', async () => {
    await bring(
      world,
      community([], {
        media: [file('shared'), file('unused')],
        spaces: [
          { id: 's', title: 'Open', slug: 'open', privacy: 'public', status: 'published', created_at: AT },
          { id: 'h', title: 'Closed', slug: 'closed', privacy: 'private', status: 'published', created_at: AT },
        ],
        memberships: [{ id: 'm1', space: 'h', person: 'ana', role: 'member', status: 'active', joined_at: AT }],
        posts: [
          post('p1', { space: 'h', message: '![x](/files/shared.png)' }),
          post('p2', { message: '![x](https://old.example/files/shared.png?w=100)' }),
        ],
      }),
      { as: 'visible', source: { files: { 'shared.png': await picture(), 'unused.png': await picture('png', 9, 9) } } },
    )
    const pathOf = async (id: string) => /\/media\/\S+?\.png/.exec((await feedOf('visible', id)).message)?.[0] ?? ''
    const [closed, open] = [await pathOf('p1'), await pathOf('p2')]
    expect(closed).not.toBe(open)
    const stranger = await world.member()
    expect(await statusOf(stranger, world.origin + open)).toBe(200)
    expect(await statusOf(stranger, world.origin + closed)).toBe(404)
    const unused = await read()
      .selectFrom('media')
      .select(['key', 'file_name'])
      .where('file_name', '=', 'unused.png')
      .executeTakeFirstOrThrow()
    expect(await statusOf(stranger, `${world.origin}/media/${unused.key}/${unused.file_name}`)).toBe(404)
    const inside = await userOf('visible', 'ana')
    const ana = await asMember(world, inside.username)
    expect((await ana.feeds.bySlug({ feed_slug: (await feedOf('visible', 'p1')).slug })).data.message).toContain(closed)
  })
})

describe('texts', () => {
  test('characters that databases refuse, future dates and long texts do no harm', async () => {
    const { reasons } = await bring(
      world,
      community([], {
        posts: [
          post('p1', { message: 'nul\0 and half \ud800 pair', created_at: '2099-01-01 00:00:00' }),
          post('p2', { message: `long ${'word '.repeat(20_000)}` }),
          post('p3', { message: '', title: 'Only a title' }),
        ],
        comments: [comment('c1', { message: `long ${'word '.repeat(10_000)}` }), comment('c2', { message: '  ' })],
      }),
      { as: 'texts' },
    )
    const first = await feedOf('texts', 'p1')
    expect([first.message, first.created_at]).toEqual(['nul and half \ufffd pair', '2026-03-10 12:00:00'])
    const second = await feedOf('texts', 'p2')
    expect(Buffer.byteLength(second.message)).toBeLessThanOrEqual(64_000)
    expect(second.message.endsWith(' …')).toBe(true)
    expect(reasons).toMatchObject({
      'posts p2': 'noted: its text was truncated to 64000 bytes',
      'comments c1': 'noted: its text was truncated to 20000 bytes',
      'comments c2': 'skipped: it is empty',
    })
    expect((await feedOf('texts', 'p3')).message).toBe('Only a title')
  })

  test('HTML becomes Markdown without anything that runs, however deep it is nested', async () => {
    const deep = `${'<div><b><blockquote>'.repeat(20_000)}deep${'</blockquote></b></div>'.repeat(20_000)}`
    const { counts } = await bring(
      world,
      community([], {
        posts: [
          post('p1', {
            format: 'html',
            message:
              '<h2>Title</h2><p>One <em>two</em><script>alert(1)</script></p><ul><li>a</li><li>b</li></ul><p onclick="x()"><a href="javascript:x()">bad</a> 2 * 3 _x_</p>',
          }),
          post('p2', { format: 'html', message: deep }),
          post('p3', { format: 'html', message: '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>x|y</td></tr></table>' }),
        ],
      }),
      { as: 'html' },
    )
    expect(counts.posts).toMatchObject({ imported: 3 })
    const { message, message_rendered } = await feedOf('html', 'p1')
    expect(message).toBe('## Title\n\nOne *two*\n\n-   a\n-   b\n\nbad 2 \\* 3 \\_x\\_')
    expect(message_rendered).not.toMatch(/script|javascript|onclick/)
    expect((await feedOf('html', 'p2')).message).toContain('deep')
    expect((await feedOf('html', 'p3')).message_rendered).toContain('<td>x|y</td>')
  })
})

test('nothing of all this was told to anybody', async () => {
  const rows = await read().selectFrom('notifications').select('id').execute()
  expect(rows).toEqual([])
  expect((await admin.api.notifications.unread()).unread_count).toBe(0)
})
