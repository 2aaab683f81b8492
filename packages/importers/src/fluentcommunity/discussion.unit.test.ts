import { describe, expect, test } from 'vitest'
import { php, type Rows, read, smallSite } from './small-site.ts'

const POSTS = [
  { id: 1, slug: 'a' },
  { id: 2, slug: 'b' },
  { id: 3, space_id: 99 },
]
const comments = (rows: Rows[string]) => read('comments', { fcom_posts: POSTS, fcom_post_comments: rows })

describe('comments', () => {
  test('are threads; a parent that is 0, missing or elsewhere is none', async () => {
    const { records, noted } = await comments([
      { id: 1, post_id: 1 },
      { id: 2, post_id: 1, parent_id: 1 },
      { id: 3, post_id: 1, parent_id: 2 },
      { id: 4, post_id: 1, parent_id: 0 },
      { id: 5, post_id: 1, parent_id: 77 },
      { id: 6, post_id: 2, parent_id: 1 },
      { id: 7, post_id: 2, parent_id: 7 },
    ])
    expect(records.map(({ post, parent }) => [post, parent])).toEqual([
      ['1', null],
      ['1', '1'],
      ['1', '2'],
      ['1', null],
      ['1', null],
      ['2', null],
      ['2', null],
    ])
    expect(noted.map((note) => note.split(':')[0])).toEqual(['5', '6', '7'])
  })

  test('of posts that are missing or left out are left out', async () => {
    const { records, skipped } = await comments([{ post_id: 50 }, { post_id: 3 }, { post_id: 1 }])
    expect(records.map(({ id }) => id)).toEqual(['3'])
    expect(skipped).toEqual([
      '1: its post does not exist in the source or was skipped',
      '2: its post does not exist in the source or was skipped',
    ])
  })

  test('every status; invitations and reports are no comments', async () => {
    const { records } = await comments([
      { post_id: 1, status: 'published' },
      { post_id: 1, status: 'pending' },
      { post_id: 1, status: 'spam' },
      { post_id: 1, status: 'unpublished' },
      { post_id: 1, type: 'invitation', message: 'guest@x.example' },
      { post_id: 1, type: 'report' },
    ])
    expect(records.map(({ status }) => status)).toEqual(['published', 'pending', 'spam', 'pending'])
  })

  test('have pictures and GIFs, and then maybe no text', async () => {
    const { records } = await read('comments', {
      fcom_posts: POSTS,
      fcom_media_archive: [{ id: 4, object_source: 'comment' }],
      fcom_post_comments: [
        { post_id: 1, message: '', meta: php({ media_items: [{ media_id: 4 }] }) },
        {
          post_id: 1,
          message: null,
          message_rendered: '<p>old</p>',
          meta: php({ media_preview: { provider: 'giphy', type: 'image', image: 'https://g.example/x.gif' } }),
        },
      ],
    })
    expect(records[0]).toMatchObject({ message: '', media: ['4'] })
    expect(records[1]).toMatchObject({ message: '<p>old</p>', format: 'html', gif: { url: 'https://g.example/x.gif' } })
  })
})

describe('reactions', () => {
  const rows = (reactions: Rows[string]): Rows => ({
    fcom_posts: POSTS,
    fcom_post_comments: [
      { id: 10, post_id: 1 },
      { id: 11, post_id: 3 },
      { id: 12, post_id: 1, type: 'report' },
    ],
    fcom_post_reactions: reactions,
  })

  test('count once, by people and on content that exist, with the kinds of add-ons', async () => {
    const { records, skipped } = await read(
      'reactions',
      rows([
        { object_id: 1 },
        { object_id: 1 },
        { object_id: 1, user_id: 2, type: 'love' },
        { object_id: 10, object_type: 'comment', type: 'haha' },
        { object_id: 1, user_id: 70 },
        { object_id: 3 },
        { object_id: 11, object_type: 'comment' },
        { object_id: 12, object_type: 'comment' },
        { object_id: 1, type: 'bookmark' },
        { object_id: 1, type: 'survey_vote', object_type: 'opt_1' },
      ]),
    )
    expect(records.map(({ id, type }) => [id, type])).toEqual([
      ['post-1-1', 'like'],
      ['post-1-2', 'love'],
      ['comment-10-1', 'laugh'],
    ])
    expect(skipped).toEqual([
      '2: it duplicates an earlier row',
      '5: its account does not exist in the source',
      '6: its post does not exist in the source or was skipped',
      '7: its comment does not exist in the source or was skipped',
      '8: its comment does not exist in the source or was skipped',
    ])
  })

  test('bookmarks', async () => {
    const { records, skipped } = await read(
      'bookmarks',
      rows([{ object_id: 1, type: 'bookmark' }, { object_id: 1, type: 'bookmark' }, { object_id: 1 }]),
    )
    expect(records).toEqual([{ id: '1-1', person: '1', post: '1', created_at: '2024-07-01 10:00:00' }])
    expect(skipped).toEqual(['2: it duplicates an earlier row'])
  })
})

describe('follows', () => {
  const follow = (follower_id: number, followed_id: number, level = 1) => ({ follower_id, followed_id, level })

  test('count once, between two people who exist; level 0 is a block', async () => {
    const { records, skipped } = await read('follows', {
      fcom_followers: [follow(1, 2), follow(1, 2), follow(2, 2), follow(1, 70), follow(2, 1, 0), follow(2, 1, 2)],
    })
    expect(records.map(({ follower, following, status }) => [follower, following, status])).toEqual([
      ['1', '2', 'active'],
      ['2', '1', 'active'],
    ])
    expect(skipped).toEqual([
      '2: it duplicates an earlier row',
      '3: the account follows itself',
      '4: one of the two accounts does not exist in the source',
    ])
  })
})

describe('reports', () => {
  const report = (more: Rows[string][number]) => ({
    type: 'report',
    message: 'harassment',
    message_rendered: '<p>Look</p>',
    status: 'unpublished',
    post_id: 1,
    user_id: 2,
    ...more,
  })

  test('of comments and posts; open unless they were dealt with', async () => {
    const { records, skipped } = await read('reports', {
      fcom_posts: [...POSTS, { id: 4, status: 'unpublished' }],
      fcom_post_comments: [
        { id: 1, post_id: 1 },
        report({ id: 2, parent_id: 1 }),
        report({ id: 3, status: 'ignored', message: 'incorrect_space', message_rendered: '' }),
        report({ id: 4, post_id: 4, message: 'against_community' }),
        report({ id: 5, parent_id: 90 }),
      ],
    })
    expect(records.map(({ comment, post, reason, description, status }) => [comment, post, reason, description, status])).toEqual([
      ['1', undefined, 'harassment', 'Look', 'pending'],
      [undefined, '1', 'other', 'incorrect_space', 'dismissed'],
      [undefined, '4', 'inappropriate', 'Look', 'resolved'],
    ])
    expect(skipped).toEqual(['5: the reported content does not exist in the source or was skipped'])
  })
})

test('what has no place is counted', async () => {
  const source = smallSite({
    fcom_spaces: [{ id: 1, type: 'sidebar_link' }],
    fcom_post_comments: [{ type: 'invitation' }],
    fcom_followers: [{ follower_id: 1, followed_id: 2, level: 0 }],
    fcom_notifications: [{ id: 1 }, { id: 2 }],
    fcom_terms: [{ id: 1, taxonomy_name: 'course_level' }],
  })
  expect(await source.leftOut()).toEqual({ blocks: 1, invitations: 1, sidebar_links: 1, other_terms: 1, notifications: 2 })
  await source.close()
})
