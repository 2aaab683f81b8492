import { describe, expect, test } from 'vitest'
import { php, type Rows, read } from './small-site.ts'

const SPACES = [{ id: 1, slug: 'lounge' }]
const posts = (rows: Rows[string], more: Rows = {}) => read('posts', { fcom_spaces: SPACES, fcom_posts: rows, ...more })
const one = async (row: Rows[string][number], more: Rows = {}) => {
  const { records, noted } = await posts([{ id: 7, ...row }], more)
  return { post: records[0], noted }
}

describe('posts', () => {
  test('have the times, addresses and marks of the original', async () => {
    const { post } = await one({
      slug: 'hello',
      title: 'Hello',
      space_id: 1,
      is_sticky: 1,
      priority: 1,
      created_at: '2024-12-01 00:30:00',
      meta: php({ comments_disabled: 'yes', last_edited: { user_id: 2, time: '2024-12-02 10:00:00' } }),
    })
    expect(post).toEqual({
      id: '7',
      urls: ['/hub/post/hello', '/hub/space/lounge/post/hello'],
      slug: 'hello',
      author: '1',
      space: '1',
      title: 'Hello',
      message: 'Text',
      format: 'markdown',
      type: 'text',
      content_type: 'text',
      status: 'published',
      privacy: 'public',
      is_sticky: true,
      priority: 1,
      comments_disabled: true,
      edited_at: '2024-12-02 09:00:00',
      edited_by_moderator: true,
      created_at: '2024-11-30 23:30:00',
      updated_at: '2024-07-01 10:00:00',
    })
  })

  test('the portal may have another address, or be the whole site', async () => {
    const urls = async (home: string, slug: string) => {
      const options = { home, fluent_community_settings: php({ slug }) }
      return (await read('posts', { fcom_posts: [{ slug: 'a' }] }, { options })).records[0]?.urls
    }
    expect(await urls('https://club.example/de', 'treff')).toEqual(['/de/treff/post/a'])
    expect(await urls('https://club.example', '%f0%9f%8c%b1')).toEqual(['/🌱/post/a'])
    expect(await urls('https://club.example', '')).toEqual(['/portal/post/a'])
  })

  test('every status; what nobody finds in the original becomes a draft', async () => {
    const statuses = ['published', 'draft', 'pending', 'spam', 'unlisted', 'archived', 'something']
    const { records, noted } = await posts(statuses.map((status) => ({ status })))
    expect(records.map(({ status }) => status)).toEqual(['published', 'draft', 'pending', 'spam', 'draft', 'draft', 'draft'])
    expect(noted).toHaveLength(3)
  })

  test('scheduled ones have their time, and are drafts without one', async () => {
    const { records } = await posts([{ status: 'scheduled', scheduled_at: '2030-07-01 09:00:00' }, { status: 'scheduled' }])
    expect(records.map(({ status, scheduled_at }) => [status, scheduled_at])).toEqual([
      ['scheduled', '2030-07-01 07:00:00'],
      ['draft', undefined],
    ])
  })

  test('of a missing space are left out, since nobody could say who may read them', async () => {
    const { records, skipped } = await posts([{ space_id: 99 }, { space_id: 1 }, { space_id: 0 }])
    expect(records.map(({ id, space }) => [id, space])).toEqual([
      ['2', '1'],
      ['3', null],
    ])
    expect(skipped[0]).toMatch(/^1: its space does not exist in the source/)
  })

  test('are not for everybody unless they are public', async () => {
    const { records } = await posts([{ privacy: 'private' }, { privacy: 'friends' }, { privacy: null }])
    expect(records.map(({ privacy }) => privacy)).toEqual(['private', 'private', 'public'])
  })

  test('sections and lessons are no posts', async () => {
    expect((await posts([{ type: 'course_section' }, { type: 'course_lesson' }])).records).toEqual([])
  })

  test('without a valid date have that of their last change, or of the post before', async () => {
    const { records } = await posts([
      { created_at: '2024-01-01 10:00:00' },
      { created_at: null, updated_at: '2024-02-01 10:00:00' },
      { created_at: '0000-00-00 00:00:00', updated_at: null },
      { created_at: '2099-01-01 10:00:00' },
    ])
    expect(records.map(({ created_at }) => created_at)).toEqual([
      '2024-01-01 09:00:00',
      '2024-02-01 09:00:00',
      '2024-01-01 09:00:00',
      '2099-01-01 09:00:00',
    ])
    const alone = await posts([{ created_at: null, updated_at: null }])
    expect(alone.records[0]?.created_at).toBe('2024-01-01 10:00:00')
  })

  test('authors that are missing keep their ids, and those without one have 0', async () => {
    const { records } = await posts([{ user_id: 0 }, { user_id: null }, { user_id: 999 }])
    expect(records.map(({ author }) => author)).toEqual(['0', '0', '999'])
  })

  test('without a slug get none; with the same slug both are kept', async () => {
    const { records } = await posts([{ slug: null }, { slug: 'same' }, { slug: 'same' }])
    expect(records.map(({ slug, urls }) => [slug, urls?.length])).toEqual([
      [undefined, undefined],
      ['same', 1],
      ['same', 1],
    ])
  })
})

describe('texts', () => {
  test('come from what was typed, or else from what it was rendered to', async () => {
    const { records } = await posts([
      { message: 'typed', message_rendered: null },
      { message: null, message_rendered: '<p>rendered</p>' },
      { message: '', message_rendered: '' },
    ])
    expect(records.map(({ message, format }) => [message, format])).toEqual([
      ['typed', 'markdown'],
      ['<p>rendered</p>', 'html'],
      ['', 'markdown'],
    ])
  })

  test('of every content type', async () => {
    const { records } = await posts([{ content_type: 'markdown' }, { content_type: 'html', message: '<b>x</b>' }, { content_type: null }])
    expect(records.map(({ content_type, format }) => [content_type, format])).toEqual([
      ['markdown', 'markdown'],
      ['text', 'html'],
      ['text', 'markdown'],
    ])
  })

  test('keep every character but NUL', async () => {
    const text = 'Ã¤ \u00a0\r\n\tb😀'
    const { post } = await one({ message: `${text}\0`, title: `${'😀'.repeat(192)}` })
    expect(post?.message).toBe(text)
    expect(post?.title).toBe('😀'.repeat(192))
    const long = 'word '.repeat(50_000)
    expect((await one({ message: long })).post?.message).toBe(long)
  })
})

describe('structured data', () => {
  test('that is absent, empty, JSON, serialized twice or an object', async () => {
    for (const meta of [
      null,
      '',
      '{"comments_disabled":"yes"}',
      php(php({ comments_disabled: 'yes' })),
      'O:8:"Evil":1:{s:17:"comments_disabled";s:3:"yes";}',
    ]) {
      const { post, noted } = await one({ meta })
      expect(post?.message).toBe('Text')
      expect(post?.comments_disabled).toBe(meta ? true : undefined)
      expect(noted).toEqual([])
    }
  })

  test('that is cut off is noted, and wrong lengths are repaired', async () => {
    const cut = await one({ meta: php({ comments_disabled: 'yes' }).slice(0, 30) })
    expect(cut.post?.message).toBe('Text')
    expect(cut.noted).toEqual(['7: its attachments were dropped, because they cannot be read: it is truncated'])
    const moved = await one({
      meta: php({ media_preview: { type: 'meta_data', url: 'https://a.example/x' } }).replace('a.example', 'another.example'),
    })
    expect(moved.post?.preview).toEqual({ url: 'https://another.example/x' })
    expect(moved.noted).toEqual([])
  })
})

describe('topics of posts', () => {
  test('in order, without those that are missing or of another kind', async () => {
    const { records } = await posts([{ id: 1 }, { id: 2 }], {
      fcom_terms: [
        { id: 1, slug: 'a', title: 'A' },
        { id: 2, slug: 'b', title: 'B' },
        { id: 3, slug: 'c', title: 'C', taxonomy_name: 'course_level' },
      ],
      fcom_term_feed: [
        { term_id: 2, post_id: 1 },
        { term_id: 1, post_id: 1 },
        { term_id: 2, post_id: 1 },
        { term_id: 3, post_id: 1 },
        { term_id: 9, post_id: 1 },
        { term_id: 1, post_id: 99 },
      ],
    })
    expect(records.map(({ topics }) => topics)).toEqual([['2', '1'], undefined])
  })
})
