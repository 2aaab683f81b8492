import { pageOf } from '../shapes.ts'
import type { Request } from './table.ts'

const DAYS = 'start_date=2026-03-01%2000:00:00&end_date=2026-03-10'

export const RUNNING: readonly Request[] = [
  ...['overview/widget', 'overview/popular-day-time', 'members/widget', 'spaces/widget'].map(
    (path): Request => ['admin', `/analytics/${path}?${DAYS}`, { data: 'obj' }],
  ),
  ...['overview/activity', 'members/activity', 'spaces/activity'].map(
    (path): Request => ['admin', `/analytics/${path}?${DAYS}`, { data: [{ date: 'str' }] }],
  ),
  ...['members/top-members', 'members/top-post-starters', 'members/top-commenters', 'spaces/popular'].map(
    (path): Request => ['admin', `/analytics/${path}?${DAYS}`, { data: 'list' }],
  ),
  ['admin', '/analytics/spaces/search?search=space', { data: 'list' }],
  ['admin', '/admin/managers', { managers: pageOf({ user_id: 'int', display_name: 'str', roles: ['str'] }), total: 'int' }],
  ['admin', '/moderation/reports', { reports: 'obj' }],
  ['admin', '/admin/webhooks', { webhooks: { data: 'list', total: 'int' }, spaces: 'list', courses: 'list' }],
  ['admin', '/admin/leaderboards/levels', { levels: 'obj', data: 'list' }],
  ['admin', '/settings/features', { features: 'obj', addOns: 'obj' }],
  ['admin', '/admin/general', { settings: 'obj' }],
  ['admin', '/admin/auth-settings', { settings: 'obj' }],
  ['admin', '/admin/email-settings', { email_settings: 'obj' }],
  ['admin', '/admin/storage-settings', { config: 'obj' }],
  ['admin', '/admin/profile-link-providers', { providers: 'obj' }],
  ['admin', '/settings/customization-settings', { settings: 'obj' }],
  ['admin', '/settings/privacy-settings', { settings: 'obj' }],
  ['admin', '/settings/moderation-config', { auto_moderation: 'obj' }],
]
