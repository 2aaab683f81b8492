import { describe, expect, test } from 'vitest'
import { php, type Rows, read } from './small-site.ts'

describe('spaces', () => {
  test('groups, spaces and their settings; links in the sidebar are no spaces', async () => {
    const rows: Rows = {
      fcom_spaces: [
        { id: 1, type: 'space_group', title: 'Group', slug: 'group', status: 'active', settings: php({ always_show_spaces: 'yes' }) },
        {
          id: 2,
          parent_id: 1,
          title: 'Lounge 🐝',
          slug: '%f0%9f%90%9d',
          privacy: 'secret',
          settings: php({ emoji: '🐝', links: [] }),
          serial: 3,
          created_by: 2,
        },
        { id: 3, type: 'sidebar_link' },
        { id: 4, type: 'course' },
      ],
    }
    expect((await read('space_groups', rows)).records).toMatchObject([
      { id: '1', title: 'Group', slug: 'group', settings: { always_show_spaces: 'yes' } },
    ])
    expect((await read('spaces', rows)).records).toEqual([
      {
        id: '2',
        urls: ['/hub/space/🐝/home', '/hub/space/🐝'],
        group: '1',
        title: 'Lounge 🐝',
        slug: '🐝',
        description: '',
        privacy: 'secret',
        status: 'published',
        settings: { emoji: '🐝', links: [] },
        position: 3,
        created_by: '2',
        created_at: '2024-07-01 10:00:00',
        updated_at: '2024-07-01 10:00:00',
      },
    ])
  })

  test('a draft without group, creator and settings stays hidden, and so does what has an unknown privacy', async () => {
    const { records } = await read('spaces', {
      fcom_spaces: [
        { status: 'draft', privacy: 'private', parent_id: 66, created_by: 999, settings: null },
        { status: 'closed', privacy: 'odd', title: '', slug: 'x' },
      ],
    })
    expect(records).toMatchObject([
      { status: 'draft', privacy: 'private', group: null, created_by: '999' },
      { status: 'archived', privacy: 'private', title: 'x' },
    ])
    expect(records[0]?.settings).toBe(undefined)
  })

  test('topics belong to spaces by their relations', async () => {
    const { records } = await read('topics', {
      fcom_spaces: [{ id: 1 }, { id: 2 }, { id: 3, type: 'course' }],
      fcom_terms: [
        { id: 1, slug: 'harvest', title: 'Harvest', settings: php({ admin_only: 'yes' }) },
        { id: 2, slug: 'unused', title: 'Unused' },
        { id: 3, slug: 'beginner', title: 'Beginner', taxonomy_name: 'course_level' },
      ],
      fcom_meta: ['2', '1', '3', '9'].map((meta_key) => ({ object_type: 'term_space_relation', object_id: 1, meta_key })),
    })
    expect(records.map(({ slug, admin_only, spaces }) => [slug, admin_only, spaces])).toEqual([
      ['harvest', true, ['1', '2']],
      ['unused', false, []],
    ])
  })
})

describe('memberships', () => {
  test('roles and requests; of two rows the stronger wins; orphans are left out', async () => {
    const { records, skipped } = await read('memberships', {
      fcom_spaces: [{ id: 1 }, { id: 2 }, { id: 3, type: 'course' }],
      fcom_space_user: [
        { space_id: 1, user_id: 1, status: 'pending', role: 'admin' },
        { space_id: 1, user_id: 1, role: 'member' },
        { space_id: 1, user_id: '1', role: 'moderator' },
        { space_id: 2, user_id: 1, status: 'pending' },
        { space_id: 2, user_id: 2, role: 'admin' },
        { space_id: 1, user_id: 70 },
        { space_id: 90, user_id: 1 },
        { space_id: 3, user_id: 1, role: 'student' },
      ],
    })
    expect(records.map(({ id, role, status }) => [id, role, status])).toEqual([
      ['1-1', 'moderator', 'active'],
      ['2-1', 'member', 'pending'],
      ['2-2', 'admin', 'active'],
    ])
    expect(skipped).toHaveLength(4)
  })
})
