import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readAll } from '../../../test-support/read-source.ts'
import type { Source } from '../../source.ts'
import { openStaging } from '../../staging/staging.ts'
import { openDiscourse, openSite } from '../open.ts'
import { createSiteApi } from './site-api.ts'

type Answers = Readonly<Record<string, unknown>>

/** A site that answers these paths, and others with 404. Requests are recorded. */
const siteWith = async (answers: Answers, hook: (request: IncomingMessage) => number | null = () => null) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const status = hook(request)
    if (status !== null) {
      response.writeHead(status, { 'retry-after': '0' }).end()
      return
    }
    const answer = answers[decodeURIComponent(request.url ?? '')]
    if (answer instanceof Buffer) response.writeHead(200).end(answer)
    else response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const post = (id: number, post_number: number, more: object = {}) => ({
  id,
  post_number,
  user_id: 5,
  username: 'ana',
  name: 'Ana',
  avatar_template: '/user_avatar/forum.example/ana/{size}/1_2.png',
  created_at: '2024-05-01T10:00:00.123Z',
  updated_at: '2024-05-02T10:00:00.123Z',
  raw: `Text ${id}`,
  cooked: `<p>Text ${id}</p>`,
  post_type: 1,
  version: 1,
  ...more,
})

const list = (ids: number[], more?: string) => ({ topic_list: { topics: ids.map((id) => ({ id })), more_topics_url: more } })
const page = (n: number) => `?order=created&ascending=true&page=${n}`

const SITE: Answers = {
  '/site.json': {
    categories: [
      {
        id: 1,
        name: 'Bread',
        slug: 'bread',
        position: 1,
        read_restricted: false,
        topic_url: '/t/about-bread/90',
        uploaded_logo: { url: '/uploads/default/original/1X/logo.png' },
      },
      { id: 2, name: 'Staff', slug: 'staff', position: 2, read_restricted: true },
    ],
  },
  '/c/2/show.json': { category: { group_permissions: [{ permission_type: 1, group_name: 'staff', group_id: 3 }] } },
  [`/c/bread/1/l/latest.json${page(0)}`]: list([7], '/c/bread/1?page=1'),
  [`/c/bread/1/l/latest.json${page(1)}`]: list([7, 8, 90]),
  [`/latest.json${page(0)}`]: list([8, 9]),
  '/t/7.json?include_raw=true': {
    id: 7,
    title: 'Rye',
    slug: 'rye',
    created_at: '2024-05-01T10:00:00.123Z',
    category_id: 1,
    archetype: 'regular',
    visible: true,
    closed: true,
    tags: ['oven', { name: 'flour' }],
    post_stream: {
      stream: [70, ...Array.from({ length: 22 }, (_, at) => 71 + at)],
      posts: [
        post(70, 1, {
          raw: '![a|1x1](upload://1c.png)',
          actions_summary: [{ id: 2, count: 1 }],
          polls: [
            {
              id: 1,
              type: 'regular',
              results: 'always',
              status: 'open',
              options: [
                { id: 'a', html: 'Yes' },
                { id: 'b', html: 'No' },
              ],
            },
          ],
        }),
      ],
    },
  },
  [`/t/7/posts.json?${Array.from({ length: 20 }, (_, at) => `post_ids[]=${71 + at}`).join('&')}&include_raw=true`]: {
    post_stream: {
      posts: Array.from({ length: 20 }, (_, at) =>
        post(71 + at, 2 + at, { user_id: 6, username: 'Ben B', avatar_template: '/letter_avatar_proxy/v4/letter/b/{size}.png' }),
      ),
    },
  },
  '/t/7/posts.json?post_ids[]=91&post_ids[]=92&include_raw=true': {
    post_stream: { posts: [post(91, 22, { accepted_answer: true, reply_to_post_number: 3 }), { id: 'broken' }] },
  },
  '/t/8.json?include_raw=true': {
    id: 8,
    title: 'Spelt',
    slug: 'spelt',
    category_id: 1,
    created_at: '2024-05-03T10:00:00Z',
    post_stream: { stream: [180], posts: [post(180, 1)] },
  },
  '/t/9.json?include_raw=true': {
    id: 9,
    title: 'Mail',
    archetype: 'private_message',
    post_stream: { stream: [90], posts: [post(90, 1, { raw: 'psst' })] },
  },
  '/post_action_users.json?id=70&post_action_type_id=2&limit=200': { post_action_users: [{ id: 6, username: 'Ben B' }] },
  '/u/ana.json': { user: { created_at: '2024-04-01T10:00:00Z', bio_raw: 'I bake', location: 'Graz', profile_hidden: true } },
  '/uploads/short-url/1c.png': Buffer.from('picture'),
  '/user_avatar/forum.example/ana/240/1_2.png': Buffer.from('avatar'),
}

const open = (address: string, account: { user?: string; password?: string } = {}): Promise<Source> =>
  openSite(openStaging(), createSiteApi(address, account, 0))

test('visitors: topics with all posts, likes, people and files, without what is not public', async () => {
  let refusals = 2
  const { address, asked } = await siteWith(SITE, ({ url }) => (url === '/t/7.json?include_raw=true' && refusals-- > 0 ? 429 : null))
  const source = await open(address)
  expect([source.origins, source.basePath]).toEqual([[address], ''])
  const media: unknown[] = []
  for await (const entry of source.read('media'))
    if (!('unreadable' in entry)) {
      const content = await source.openMedia(entry)
      media.push([entry.urls, entry.used_for, content && Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString()])
    }
  expect(media).toEqual([
    [['/uploads/default/original/1X/logo.png'], 'space', null],
    [['/uploads/short-url/1c.png'], 'feed', 'picture'],
    [['/user_avatar/forum.example/ana/240/1_2.png'], 'profile', 'avatar'],
  ])
  const { records, unreadable } = await readAll(source)
  expect(records.people).toMatchObject([
    {
      id: '5',
      username: 'ana',
      email: null,
      password: null,
      short_description: 'I bake',
      location: 'Graz',
      is_private: true,
      created_at: '2024-04-01 10:00:00',
    },
    { id: '6', username: 'Ben B' },
  ])
  expect(records.people[1]).not.toHaveProperty('avatar')
  expect(records.spaces.map(({ id, privacy }) => [id, privacy])).toEqual([
    ['category:1', 'public'],
    ['category:2', 'secret'],
  ])
  expect(records.posts).toMatchObject([
    {
      id: '7',
      title: 'Rye',
      message: '![a](/uploads/short-url/1c.png)',
      comments_disabled: true,
      content_type: 'survey',
      topics: [expect.any(String), expect.any(String)],
    },
    { id: '8', title: 'Spelt' },
  ])
  expect(records.topics.map(({ title }) => title)).toEqual(['flour', 'oven'])
  expect(records.comments).toHaveLength(21)
  expect(records.comments.at(-1)).toMatchObject({ id: '91', parent: '72', helpful_at: '2024-05-01 10:00:00' })
  expect(records.reactions).toMatchObject([{ person: '6', post: '7', type: 'like' }])
  expect(records.memberships.filter(({ space }) => space === 'category:2')).toEqual([])
  expect(unreadable).toEqual([])
  expect(JSON.stringify(records)).not.toContain('psst')
  expect(asked.filter((url) => url.includes('/admin/') || url.includes('/groups'))).toEqual([])
})

test('administrators: addresses, groups and who can read closed categories', async () => {
  const { address } = await siteWith(
    {
      ...SITE,
      '/admin/users/list/all.json?order=created&asc=true&show_emails=true&page=1': [
        { id: 5, username: 'ana', email: 'ana@example.org', admin: true, active: true, approved: true, created_at: '2024-04-01T10:00:00Z' },
        {
          id: 8,
          username: 'cleo',
          email: 'cleo@example.org',
          active: true,
          approved: true,
          created_at: '2024-04-02T10:00:00Z',
          suspended_till: '3024-01-01T00:00:00Z',
        },
        { id: 9, username: 'dora', email: 'dora@example.org', active: true, approved: false, created_at: '2024-04-02T10:00:00Z' },
      ],
      '/admin/users/list/all.json?order=created&asc=true&show_emails=true&page=2': [],
      '/site.json': {
        categories: [
          { id: 1, name: 'Bread', slug: 'bread', position: 1, read_restricted: false },
          { id: 2, name: 'Staff', slug: 'staff', position: 2, read_restricted: true },
          { id: 3, name: 'Unclear', slug: 'unclear', position: 3 },
        ],
      },
      '/c/2/show.json': { category: { group_permissions: [{ permission_type: 1, group_name: 'staff' }] } },
      '/site/settings.json': { must_approve_users: true },
      '/groups.json?page=0': { groups: [{ id: 3, name: 'staff', automatic: true, visibility_level: 0 }] },
      '/groups.json?page=1': { groups: [{ id: 3, name: 'staff', automatic: true, visibility_level: 0 }] },
      '/groups/staff/members.json?limit=100&offset=0': { members: [{ id: 5, added_at: '2024-04-03T10:00:00Z' }], owners: [] },
    },
    ({ headers }) => (headers['api-key'] === 'secret' && headers['api-username'] === 'ana' ? null : 403),
  )
  const { records } = await readAll(await open(address, { user: 'ana', password: 'secret' }))
  expect(records.people.map(({ username, email, role, status }) => [username, email, role ?? 'member', status])).toEqual([
    ['ana', 'ana@example.org', 'admin', 'active'],
    ['Ben B', null, 'member', 'active'],
    ['cleo', 'cleo@example.org', 'member', 'banned'],
    ['dora', 'dora@example.org', 'member', 'pending'],
  ])
  expect(records.spaces.map(({ id, privacy }) => [id, privacy])).toEqual([
    ['category:1', 'public'],
    ['category:2', 'secret'],
    ['category:3', 'secret'],
  ])
  expect(records.memberships.filter(({ space }) => space === 'category:2')).toMatchObject([
    { person: '5', joined_at: '2024-04-03 10:00:00' },
  ])
})

test('a site that shows nothing is refused', async () => {
  const { address } = await siteWith({})
  await expect(openDiscourse(address, {})).rejects.toThrow(/shows nothing to visitors, or is not a Discourse community/)
})
