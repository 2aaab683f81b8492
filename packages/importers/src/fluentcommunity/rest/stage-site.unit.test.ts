import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ArchiveKind } from '@lyceum/contract/archive'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFluentCommunity } from '../open.ts'
import { readAll } from '../small-site.ts'

const V2 = '/wp-json/fluent-community/v2'
const page = (name: string, data: unknown[]) => ({ [name]: { current_page: 1, last_page: 1, data } })
const TIMES = { created_at: '2024-07-01 12:00:00', updated_at: '2024-07-01 12:00:00' }
const option = (slug: string, vote_counts?: number) => ({
  slug,
  label: slug.toUpperCase(),
  ...(vote_counts !== undefined && { vote_counts }),
})
const SPACE = {
  id: 4,
  type: 'community',
  parent_id: '1',
  title: 'Lounge',
  slug: 'lounge',
  privacy: 'private',
  status: 'published',
  settings: { emoji: 'x' },
  ...TIMES,
}
const LESSON = {
  id: 31,
  type: 'course_lesson',
  space_id: '9',
  parent_id: '30',
  title: 'L',
  slug: 'l',
  message: '<p>Hi</p>',
  status: 'published',
  meta: { video_length: 60 },
  ...TIMES,
}

const answers = (site: string): Readonly<Record<string, unknown>> => ({
  '/wp-json/': { home: site, url: site, timezone_string: 'Europe/Berlin', gmt_offset: '1' },
  [`${V2}/admin/general`]: { settings: { slug: 'hub' } },
  '/wp-json/wp/v2/users?context=edit&page=1&per_page=100': [
    {
      id: 1,
      username: 'ann',
      slug: 'ann',
      name: 'Ann',
      email: 'ann@club.example',
      roles: ['administrator'],
      registered_date: '2024-01-01T10:00:00+00:00',
      first_name: 'Ann',
    },
    {
      id: 2,
      username: 'bob',
      slug: 'bob',
      name: 'Bob',
      email: 'bob@club.example',
      roles: ['subscriber'],
      registered_date: '2024-01-02T10:00:00+00:00',
    },
  ],
  [`${V2}/members?status=active&sort_by=created_at&page=1&per_page=100`]: page('members', [
    {
      user_id: 1,
      username: 'annie',
      display_name: 'Annie',
      avatar: 'https://secure.gravatar.com/avatar/x',
      meta: { website: 'https://a.example' },
      short_description: 'Bio',
      total_points: 3,
      ...TIMES,
    },
  ]),
  [`${V2}/members?status=deactivated&sort_by=created_at&page=1&per_page=100`]: page('members', [
    { user_id: 2, username: 'bob', avatar: `${site}/wp-content/uploads/bob.png`, meta: [], ...TIMES },
  ]),
  [`${V2}/spaces/space_groups`]: {
    groups: [{ id: 1, type: 'space_group', title: 'Group', slug: 'group', status: 'active', settings: {}, ...TIMES }],
  },
  [`${V2}/admin/all_space_courses`]: { all_spaces: [SPACE, { id: 9, type: 'course' }] },
  [`${V2}/spaces/all-spaces?page=1&per_page=100`]: page('spaces', [
    { ...SPACE, topics: [{ id: 5, title: 'News', slug: 'news', admin_only: 'yes' }] },
  ]),
  [`${V2}/spaces/lounge/members?page=1&per_page=100`]: page('members', [
    { id: 7, space_id: '4', user_id: '1', status: 'active', role: 'admin', ...TIMES },
  ]),
  [`${V2}/spaces/lounge/members?status=pending&page=1&per_page=100`]: page('members', [
    { id: 8, space_id: '4', user_id: '2', status: 'pending', role: 'member', ...TIMES },
  ]),
  [`${V2}/admin/courses?page=1&per_page=100`]: page('courses', [
    {
      id: 9,
      type: 'course',
      title: 'C',
      slug: 'c',
      privacy: 'public',
      status: 'published',
      settings: { course_type: 'self_paced' },
      ...TIMES,
    },
  ]),
  [`${V2}/admin/courses/9`]: { course: { description: '<p>About</p>' } },
  [`${V2}/admin/courses/9/sections`]: {
    sections: [
      {
        id: 30,
        type: 'course_section',
        space_id: '9',
        title: 'S',
        slug: 's',
        status: 'published',
        priority: '1',
        ...TIMES,
        lessons: [LESSON],
      },
    ],
  },
  [`${V2}/admin/courses/9/students?page=1&per_page=100`]: page('students', [
    { user_id: 2, space_pivot: { id: 40, space_id: '9', user_id: '2', status: 'active', role: 'student', ...TIMES } },
  ]),
  [`${V2}/admin/courses/9/comments?page=1&per_page=100`]: page('comments', []),
  [`${V2}/feeds?order_by_type=oldest&disable_sticky=yes&page=1&per_page=100`]: {
    feeds: {
      has_more: false,
      data: [
        {
          id: 20,
          slug: 'hello',
          title: 'Hello',
          message_rendered: '<p><b>x</b></p>',
          type: 'text',
          content_type: 'survey',
          status: 'published',
          privacy: 'public',
          space_id: '4',
          user_id: '1',
          comments_count: 1,
          reactions_count: 1,
          created_at: '2024-07-01 12:00:00',
          meta: { survey_config: { type: 'single_choice', end_date: '', options: [option('a', 1), option('b')] } },
          terms: [{ title: 'News', slug: 'news', pivot: { post_id: '20', term_id: '5' } }],
        },
        {
          id: 21,
          slug: 'gone',
          message_rendered: '<p>only rendered</p>',
          status: 'published',
          type: 'text',
          user_id: '1',
          comments_count: 4,
          created_at: '2024-07-01 12:00:00',
          meta: [],
        },
      ],
    },
  },
  [`${V2}/feeds/hello/by-slug?context=edit`]: { feed: { id: 20, message: '**x**', updated_at: '2024-07-02 12:00:00' } },
  [`${V2}/feeds/20/comments`]: {
    comments: [
      {
        id: 50,
        post_id: '20',
        user_id: '2',
        parent_id: null,
        message: 'c',
        type: 'comment',
        status: 'published',
        reactions_count: '1',
        meta: [],
        ...TIMES,
      },
    ],
  },
  [`${V2}/comments/50/reactions`]: {
    reactions: [{ id: 61, object_id: '50', user_id: '1', object_type: 'comment', type: 'like', ...TIMES }],
  },
  [`${V2}/feeds/20/reactions`]: { reactions: [{ id: 60, object_id: '20', user_id: '2', object_type: 'feed', type: 'like', ...TIMES }] },
  [`${V2}/feeds/20/apps/survey-voters/a`]: {
    voters: [{ id: 62, object_id: '20', user_id: '2', object_type: 'a', type: 'survey_vote', ...TIMES }],
  },
})

let server: Server
let site: string
let isPlain = false
beforeEach(async () => {
  isPlain = false
  server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const url = new URL(request.url as string, site)
    if (url.pathname.startsWith('/wp-content/')) return response.end('a file')
    const route = url.searchParams.get('rest_route')
    if (isPlain && route === null) return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
    url.searchParams.delete('rest_route')
    const path = route === null ? (request.url as string) : `/wp-json${route}${url.search}`
    if (request.headers.authorization !== `Basic ${btoa('ann:abcd efgh')}`)
      return send(401, { code: 'rest_not_logged_in', message: 'You are not logged in.' })
    const answer = answers(site)[path]
    return answer === undefined ? send(404, { code: 'rest_no_route' }) : send(200, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const open = () => openFluentCommunity(site, { user: 'ann', password: 'abcd efgh' })

describe('a site', () => {
  test('gives what an administrator sees', async () => {
    const source = await open()
    const records = async <K extends ArchiveKind>(kind: K) => (await readAll(source, kind)).records
    expect(source.origins).toContain(site)
    expect(await records('people')).toMatchObject([
      {
        id: '1',
        username: 'annie',
        email: 'ann@club.example',
        role: 'admin',
        status: 'active',
        website: 'https://a.example',
        short_description: 'Bio',
        points: 3,
        created_at: '2024-01-01 10:00:00',
      },
      { id: '2', username: 'bob', status: 'suspended', avatar: 'file:bob.png' },
    ])
    expect((await records('people'))[0]).not.toHaveProperty('avatar_url')
    expect(await records('space_groups')).toMatchObject([{ slug: 'group' }])
    expect(await records('spaces')).toMatchObject([{ slug: 'lounge', group: '1', privacy: 'private', settings: { emoji: 'x' } }])
    expect(await records('memberships')).toMatchObject([
      { id: '4-1', role: 'admin', status: 'active' },
      { id: '4-2', role: 'member', status: 'pending' },
    ])
    expect(await records('topics')).toMatchObject([{ slug: 'news', admin_only: true, spaces: ['4'] }])
    expect(await records('posts')).toMatchObject([
      {
        id: '20',
        message: '**x**',
        format: 'markdown',
        topics: ['5'],
        created_at: '2024-07-01 10:00:00',
        updated_at: '2024-07-02 10:00:00',
        urls: ['/hub/post/hello', '/hub/space/lounge/post/hello'],
      },
      { id: '21', message: '<p>only rendered</p>', format: 'html' },
    ])
    expect(await records('survey_votes')).toMatchObject([{ post: '20', person: '2', options: ['a'] }])
    expect(await records('courses')).toMatchObject([{ slug: 'c', description: 'About', content: '<p>About</p>' }])
    expect(await records('course_sections')).toMatchObject([{ id: '30', course: '9' }])
    expect(await records('lessons')).toMatchObject([{ id: '31', section: '30', content: '<p>Hi</p>', duration: '1:00' }])
    expect(await records('enrolments')).toMatchObject([{ course: '9', person: '2' }])
    expect(await records('comments')).toMatchObject([{ id: '50', post: '20', author: '2' }])
    expect((await records('reactions')).map(({ id }) => id)).toEqual(['post-20-2', 'comment-50-1'])
    await source.close()
  })

  test('says what it does not give', async () => {
    const source = await open()
    expect((await readAll(source, 'bookmarks')).noted).toEqual(['*: the API of the site does not provide bookmarks'])
    expect((await readAll(source, 'comments')).failed).toEqual(['fcom_post_comments, /feeds/21/comments: the site returned no data'])
    await source.close()
  })

  test('has its files itself', async () => {
    const source = await open()
    const [file] = (await readAll(source, 'media')).records
    const stream = await source.openMedia(file as never)
    expect(Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString()).toBe('a file')
    await source.close()
  })

  test('may have its API behind a parameter', async () => {
    isPlain = true
    const source = await open()
    expect((await readAll(source, 'posts')).records).toHaveLength(2)
    await source.close()
  })

  test('is refused without an account, with a wrong one, and without a community', async () => {
    await expect(openFluentCommunity(site, {})).rejects.toThrow(/use the username of an administrator/)
    await expect(openFluentCommunity(site, { user: 'ann', password: 'wrong' })).rejects.toThrow(/denies .* You are not logged in/)
    await expect(openFluentCommunity(`${site}/elsewhere`, { user: 'ann', password: 'abcd efgh' })).rejects.toThrow(/has no community/)
  })
})
