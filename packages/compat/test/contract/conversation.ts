import { COMMENT, FEED, NOTIFICATION, PERSON, pageOf, REACTION, SPACE } from '../shapes.ts'
import type { Request } from './table.ts'

const FEEDS = {
  feeds: { ...pageOf(FEED), has_more: 'bool' },
  sticky: 'obj?',
  last_fetched_timestamp: 'int',
  execution_time: 'num',
} as const
const REACTIONS = { reactions: [{ ...REACTION, xprofile: PERSON }], current_user_follows: 'obj' } as const
const TOPIC = { id: 'int', title: 'str', slug: 'str', description: 'str' } as const
const ACTIVITY = {
  id: 'int',
  user_id: 'int',
  message: 'str',
  route: { name: 'str', params: 'obj' },
  xprofile: PERSON,
  created_at: 'time',
  updated_at: 'time',
} as const

export const CONVERSATION: readonly Request[] = [
  ['ben', '/feeds?page=1&per_page=50&order_by_type=oldest&disable_sticky=yes', FEEDS],
  ['ben', '/feeds?space={space}&page=1&per_page=10', { ...FEEDS, sticky: FEED }],
  ['ben', '/feeds?space_id={space_id}', FEEDS],
  ['ben', '/feeds?search=seeds&search_in[]=post_content', FEEDS],
  ['ben', '/feeds?topic_slug=harvest', FEEDS],
  ['ben', '/feeds/{feed}/by-id', { feed: FEED, data: FEED, execution_time: 'num' }],
  [
    'ben',
    '/feeds/{feedSlug}/by-slug',
    {
      feed: {
        ...FEED,
        space: SPACE,
        terms: [{ ...TOPIC, parent_id: 'int?', settings: { admin_only: 'yesno' }, created_at: 'time', updated_at: 'time' }],
      },
    },
  ],
  ['ana', '/feeds/{feedSlug}/by-slug?context=edit', { feed: { topic_ids: 'int', media_images: ['obj'], survey: 'obj' } }],
  ['ben', '/feeds/{feed}/comments', { comments: [COMMENT], sticky_comment: 'obj?' }],
  ['ben', '/comments/{comment}', { comment: COMMENT, data: COMMENT }],
  ['ben', '/comments', { comments: [COMMENT] }],
  ['ben', '/feeds/{feed}/reactions', REACTIONS],
  ['ben', '/comments/{comment}/reactions', REACTIONS],
  ['ben', '/feeds/{feed}/apps/survey-voters/sat', { voters: [{ ...REACTION, xprofile: PERSON }] }],
  ['ben', '/feeds/bookmarks', { feeds: { ...pageOf(FEED), has_more: 'bool' }, last_id: 'int' }],
  ['admin', '/feeds/links?scope=view', { links: 'list' }],
  ['ben', '/feeds/welcome-banner', { welcome_banner: 'obj?' }],
  [
    'ben',
    '/feeds/ticker?since=1',
    {
      has_changes: 'bool',
      timestamp: 'time',
      last_fetched_timestamp: 'int',
      new_items_count: 'int',
      notifications: { unread_count: 'int' },
    },
  ],
  ['ben', '/feeds/ticker-updates?since=1', { updates: 'list', timestamp: 'time', has_changes: 'bool' }],
  ['ana', '/scheduled-posts', { feeds: pageOf(FEED) }],
  [
    'ben',
    '/activities',
    { activities: { data: [ACTIVITY], has_more: 'bool', per_page: 'int', current_page: 'int' }, pinned_posts: 'list' },
  ],
  ['ben', '/topics', { topics: [{ ...TOPIC, admin_only: 'yesno', space_ids: 'list' }] }],
  ['ana', '/notifications', { notifications: pageOf(NOTIFICATION), unread_count: 'int' }],
  ['ana', '/notifications/unread', { notifications: [NOTIFICATION], unread_count: 'int', unread_feed_ids: 'list' }],
]
