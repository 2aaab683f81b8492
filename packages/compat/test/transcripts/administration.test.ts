import { describe, expect, test } from 'vitest'
import { pageOf } from '../shapes.ts'
import { codeOf, ROOT, useStage } from '../stage.ts'

const { as, here } = useStage()
const DONE = { message: 'str' } as const

describe('running a community', () => {
  test('metrics', async () => {
    const days = 'start_date=2026-03-01%2000:00:00&end_date=2026-03-10'
    for (const path of ['overview/widget', 'overview/popular-day-time', 'members/widget', 'spaces/widget'])
      await as('admin', 'GET', `/analytics/${path}?${days}`, { data: 'obj' })
    for (const path of ['overview/activity', 'members/activity', 'spaces/activity'])
      await as('admin', 'GET', `/analytics/${path}?${days}&activity=posts`, { data: [{ date: 'str' }] })
    for (const path of ['members/top-members', 'members/top-post-starters', 'members/top-commenters', 'spaces/popular'])
      await as('admin', 'GET', `/analytics/${path}?${days}`, { data: 'list' })
    await as('admin', 'GET', '/analytics/spaces/search?search=space', { data: 'list' })
    await as('ana', 'GET', '/leaderboard', { leaderboard: [{ title: 'str', key: 'str', items: 'list' }] })
    const { levels } = await as(
      'admin',
      'POST',
      '/admin/leaderboards/levels',
      { message: 'str', levels: 'obj' },
      {
        levels: {
          level_1: { title: 'Seed', tagline: 'New here', min_points: 0, max_points: 99 },
          level_2: { title: 'Sprout', min_points: 100, max_points: 200 },
        },
      },
    )
    expect(levels.level_1).toMatchObject({ title: 'Seed', tagline: 'New here' })
    await as('admin', 'GET', '/admin/leaderboards/levels', { levels: 'obj', data: ['obj'] })
  })

  test('reports and managers', async () => {
    const { report } = await as(
      'ana',
      'POST',
      '/moderation/report',
      { message: 'str', report: { id: 'int', status: 'str', reason: 'str' }, content: 'str' },
      {
        content_type: 'comment',
        post_id: here().feed,
        parent_id: here().comment,
        user_id: here().ben.id,
        reason: 'offensive',
        explanation: 'Rude',
      },
    )
    expect(report).toMatchObject({ object_type: 'comment', object_id: here().comment, reason: 'inappropriate', description: 'Rude' })
    await as(
      'ben',
      'POST',
      '/moderation/report',
      { report: { id: 'int' } },
      { content_type: 'post', post_id: here().feed, reason: 'incorrect_space' },
    )
    await as('admin', 'GET', '/moderation/reports?status=pending&content_type=comment', {
      reports: pageOf({ id: 'int', reason: 'str', status: 'str', content_type: 'str' }),
    })
    await as(
      'admin',
      'PUT',
      `/moderation/reports/${report.id}`,
      { message: 'str', report: { id: 'int', status: 'str' } },
      { status: 'ignored' },
    )
    await as('admin', 'DELETE', `/moderation/reports/${report.id}`, DONE)
    await as('admin', 'GET', '/settings/moderation-config', { auto_moderation: 'obj' })
    await as('admin', 'POST', '/settings/moderation-config', { message: 'str', config: 'obj' }, { config: { blocked_words: ['casino'] } })
    await as(
      'admin',
      'POST',
      '/admin/managers',
      { message: 'str', manager: { id: 'int', role: 'str', roles: ['str'] } },
      { user_id: here().ben.id, roles: ['moderator', 'course_admin'] },
    )
    await as('admin', 'GET', '/admin/managers?search=', {
      managers: pageOf({ user_id: 'int', display_name: 'str', roles: ['str'] }),
      total: 'int',
    })
    await as('admin', 'DELETE', `/admin/managers/${here().ben.id}`, DONE)
    await as('admin', 'GET', '/admin/webhooks', { webhooks: { data: 'list', total: 'int' }, spaces: 'list', courses: 'list' })
  })

  test('settings pages, in the wrapped form', async () => {
    await as('admin', 'GET', '/settings/features', { features: 'obj', addOns: 'obj' })
    for (const [path, key] of [
      ['/admin/general', 'settings'],
      ['/admin/welcome-banner', 'settings'],
      ['/admin/auth-settings', 'settings'],
      ['/settings/menu-settings', 'menuSettings'],
      ['/settings/customization-settings', 'settings'],
      ['/settings/privacy-settings', 'settings'],
      ['/settings/snippets-settings', 'snippets'],
      ['/settings/followers/config', 'settings'],
      ['/admin/profile-link-providers', 'providers'],
      ['/admin/storage-settings', 'config'],
      ['/admin/email-settings', 'email_settings'],
    ] as const)
      await as('admin', 'GET', path, { [key]: 'obj' })
    await as('admin', 'POST', '/settings/customization-settings', DONE, { settings: { dark_mode: 'yes' } })
    await as('admin', 'POST', '/admin/general', DONE, { settings: { site_title: 'Garden' } })
  })
})

test('what Lyceum does not have is 404', async () => {
  for (const path of [
    '/chat/threads',
    '/documents',
    '/cart/products/search',
    '/admin/license',
    '/admin/on-boardings',
    '/invitations',
    '/fluent-player/video-content/1',
    '/media-gallery/x',
    '/options/app-vars',
    '/profile/ana/blocked-users',
    '/admin/user-badges',
    '/admin/custom-profile-fields',
    '/auth/session',
    '/stream',
  ])
    expect([path, ...codeOf(await here().admin.raw('GET', `${ROOT}${path}`))]).toEqual([path, 404, 'rest_no_route'])
  for (const path of ['/settings/install_plugin', '/auth/login', '/chat/messages/1', '/cart/products/create', '/admin/license'])
    expect([path, ...codeOf(await here().admin.raw('POST', `${ROOT}${path}`, {}))]).toEqual([path, 404, 'rest_no_route'])
})
