import { COMMENT, COURSE, PERSON, PROFILE, pageOf, SPACE, USER } from '../shapes.ts'
import type { Request } from './table.ts'

const PIVOT = { space_id: 'digits', user_id: 'digits', role: 'str', status: 'str', created_at: 'time' } as const
const OWN = {
  ...USER,
  user_nicename: 'str',
  user_email: 'str',
  user_url: 'str',
  user_registered: 'time',
  user_status: 'digits',
  pivot: PIVOT,
} as const
const TOPIC = { id: 'int', title: 'str', slug: 'str', description: 'str', admin_only: 'yesno', space_ids: ['digits'] } as const
const LINK = { title: 'str', route: { name: 'str' } } as const
const WHOLE = { ...SPACE, membership: OWN, topics: [TOPIC], header_links: [LINK] } as const
const GROUP = {
  id: 'int',
  created_by: 'digits',
  parent_id: 'int?',
  title: 'str',
  slug: 'str',
  logo: 'str?',
  cover_photo: 'str?',
  description: 'str',
  type: 'str',
  privacy: 'str',
  status: 'str',
  serial: 'digits',
  settings: 'obj',
  created_at: 'time',
  updated_at: 'time',
  spaces: [{ ...WHOLE, permalink: 'url' }],
} as const
const MEMBER = { id: 'int', ...PIVOT, meta: 'obj', updated_at: 'time', xprofile: PERSON } as const

export const PEOPLE_AND_SPACES: readonly Request[] = [
  [
    'ben',
    '/members?page=1&per_page=10&sort_by=last_activity',
    { members: pageOf(PERSON), current_user_follows: 'obj', execution_time: 'num' },
  ],
  ['ben', '/members?mention=a', { members: { data: [PERSON] } }],
  ['admin', '/admin/users?search=an', { users: pageOf(USER) }],
  ['ben', '/profile/ana', { profile: { ...PROFILE, profile_navs: [{ slug: 'str', title: 'str', url: 'url', wrapper_class: 'str' }] } }],
  ['ben', '/profile/me', { profile: PROFILE }],
  ['ben', '/profile/ana/spaces', { spaces: [{ ...SPACE, pivot: PIVOT }] }],
  ['ana', '/profile/me/spaces', { spaces: [{ ...SPACE, pivot: PIVOT }] }],
  ['ana', '/profile/me/memberships', { memberships: ['int'] }],
  ['ana', '/profile/me/courses', { courses: [{ ...COURSE, progress: 'int', isEnrolled: 'bool' }] }],
  ['ana', '/profile/ben/comments', { comments: pageOf({ ...COMMENT, post: { id: 'int', title: 'str' } }), xprofile: { user_id: 'int' } }],
  [
    'ana',
    '/profile/ana/followers',
    { followers: pageOf({ follower: PERSON, xprofile: PERSON, level: 'int' }), current_user_follows: 'obj' },
  ],
  ['ben', '/profile/ben/followings', { followings: pageOf({ followed: PERSON, level: 'int' }), current_user_follows: 'obj' }],
  ['ana', '/profile/me/notification-preferences', { user_globals: { mention_mail: 'yesno', digest_mail: 'yesno' }, space_prefs: 'obj' }],
  ['ben', '/leaderboard', { leaderboard: [{ title: 'str', key: 'str', items: 'list' }] }],
  ['ana', '/spaces', { spaces: [SPACE] }],
  ['ana', '/spaces/discover', { spaces: pageOf(SPACE), execution_time: 'num' }],
  ['ana', '/spaces/all-spaces', { spaces: pageOf(WHOLE) }],
  ['ana', '/spaces/{space}/by-slug', { space: WHOLE, data: WHOLE }],
  ['ana', '/spaces/{space_id}/by-id', { space: WHOLE, data: WHOLE }],
  ['ana', '/spaces/{space}/members?page=1&per_page=2', { members: pageOf(MEMBER), pending_count: 'int', current_user_follows: 'obj' }],
  ['ana', '/spaces/{space}/lockscreens', { lockscreen: 'list' }],
  ['admin', '/spaces/{space}/meta-settings', { meta_settings: 'obj?' }],
  ['admin', '/spaces/users/search?search=an', { users: pageOf({ ...USER, user_email: 'str' }) }],
  ['ana', '/spaces/space_groups', { groups: [GROUP], orphaned_spaces: 'list' }],
  ['admin', '/admin/all_space_courses', { all_spaces: [{ id: 'int', created_by: 'digits?', title: 'str', slug: 'str', type: 'str' }] }],
  ['admin', '/admin/topics', { topics: [{ id: 'int', title: 'str', slug: 'str', admin_only: 'yesno' }], all_spaces: [SPACE] }],
  ['admin', '/admin/topics/config', { config: { max_topics_per_post: 'int' } }],
]
