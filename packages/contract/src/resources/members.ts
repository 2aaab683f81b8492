import { ACCOUNT_ROLES } from '../permissions.ts'
import { route } from '../route.ts'
import {
  Count,
  Datetime,
  FlagInput,
  Id,
  named,
  newSince,
  nullable,
  Order,
  oneOf,
  paginatorOf,
  paging,
  pathId,
  spaceFilter,
} from '../shapes/common.ts'
import { ActiveXprofile, CurrentUserFollows } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

/** `unverified` accounts wait for email confirmation, `pending` ones for approval. */
export const ACCOUNT_STATUSES = ['active', 'suspended', 'banned', 'unverified', 'pending'] as const
/** The row of a deleted account remains as the author of its content and appears in no list. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number] | 'deleted'
export const MEMBER_ORDERS = ['created_at', 'display_name', 'last_seen', 'updated_at'] as const
export const CONTRIBUTION_PERIODS = ['week', 'month', 'year', 'all'] as const
export const CONTRIBUTION_METRICS = ['posts', 'comments', 'reactions'] as const
/** Number of the newest posts, and of the newest comments, that top contributors are calculated from. */
export const MAX_CONTRIBUTIONS_COUNTED = 20_000
/** Maximum number of suggestions for a mention. */
export const MENTION_SUGGESTIONS = 10
export const BADGE_LENGTH = 50
export const MAX_BADGES = 20

export const Member = named('Member', { ...ActiveXprofile.properties, role: oneOf(ACCOUNT_ROLES) })

const summary = {
  id: Id,
  username: Type.String(),
  display_name: Type.String(),
  avatar: Type.String({ description: 'URL of the avatar; may be empty.' }),
}
const seen = {
  ...summary,
  last_seen: nullable(Datetime),
  is_online: Type.Boolean({ description: 'Whether the member was seen within the last 15 minutes, or within `minutes` if sent.' }),
}

const { per_page } = paging(10)
const whole = (maximum: number, fallback: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: fallback, 'x-clamp': true }))

export const members = {
  list: route({
    method: 'GET',
    path: '/members',
    access: 'member',
    summary: 'List or search members',
    description:
      'Suspended and banned members are listed only for moderators, and pending registrations only for holders of `manage_members`. With `mention`, the request completes an @ mention: it returns at most ten members other than the caller; those whose username or a word of their name starts with the text come first.',
    query: Type.Object({
      ...paging(20),
      role: Type.Optional(oneOf(ACCOUNT_ROLES)),
      status: Type.Optional(oneOf(ACCOUNT_STATUSES, { default: 'active' })),
      orderby: Type.Optional(
        oneOf(MEMBER_ORDERS, { description: 'Sort order; default: `created_at`, or `updated_at` with `updated_since`.' }),
      ),
      order: Type.Optional(Order),
      ...spaceFilter('Only members of this space.'),
      ...newSince(
        'Only members who registered at this time or later.',
        'Only members who registered or whose profile changed at this time or later.',
      ),
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'Only members whose username or name contains this text of at least 2 characters; administrators also search email addresses.',
        }),
      ),
      mention: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Part of a username or name to complete, with or without a leading @; @ alone matches every member.',
        }),
      ),
    }),
    queryErrors: { role: 'invalid_filter', status: 'invalid_filter', orderby: 'invalid_filter', order: 'invalid_filter' },
    response: Type.Object({
      members: paginatorOf(Member),
      current_user_follows: CurrentUserFollows,
      execution_time: Type.Number({ description: 'Processing time in seconds.' }),
    }),
    errors: ['invalid_search', 'space_not_found', 'rest_forbidden'],
  }),
  active: route({
    method: 'GET',
    path: '/members/active',
    access: 'member',
    summary: 'List active members',
    query: Type.Object({ per_page, minutes: whole(1440, 15) }),
    errors: ['rest_forbidden'],
    response: Type.Object({ data: Type.Array(Type.Object(seen)), meta: Type.Object({ total_online: Count }) }),
  }),
  newest: route({
    method: 'GET',
    path: '/members/new',
    access: 'member',
    summary: 'List new members',
    query: Type.Object({ per_page, days: whole(365, 7) }),
    errors: ['rest_forbidden'],
    response: Type.Object({ data: Type.Array(Type.Object({ ...seen, created_at: Datetime })) }),
  }),
  topContributors: route({
    method: 'GET',
    path: '/members/top-contributors',
    access: 'member',
    summary: 'Get top contributors',
    description: `Counts published feeds and comments that everyone can see (public, outside of spaces or in public spaces) of the last 7, 30 or 365 days or of all time, and the reactions to them, among the newest ${MAX_CONTRIBUTIONS_COUNTED} feeds and as many comments. The result is the same for every caller and up to one minute old.`,
    query: Type.Object({
      per_page,
      period: Type.Optional(oneOf(CONTRIBUTION_PERIODS, { default: 'month' })),
      metric: Type.Optional(oneOf(CONTRIBUTION_METRICS, { default: 'posts' })),
    }),
    queryErrors: { period: 'invalid_filter', metric: 'invalid_filter' },
    errors: ['rest_forbidden'],
    response: Type.Object({
      data: Type.Array(
        Type.Object({
          ...summary,
          stats: Type.Object({ posts_count: Count, comments_count: Count, reactions_received: Count }),
          rank: Type.Integer({ minimum: 1 }),
        }),
      ),
    }),
  }),
  update: route({
    method: 'PATCH',
    path: '/members/{user_id}',
    access: 'member',
    summary: 'Update a member',
    description:
      'Suspends, bans or restores an account, verifies it or assigns badges. `status` requires administrator rights or `ban_members` and does not apply to the caller or to members with higher rights; pending registrations require `manage_members` instead. The other fields require administrator rights. A suspended or banned account is signed out immediately; its content stays.',
    params: pathId('user_id'),
    body: Type.Object({
      status: Type.Optional(
        oneOf(['active', 'suspended', 'banned', 'blocked'], { description: 'The new status; `blocked` is an alias of `banned`.' }),
      ),
      is_verified: Type.Optional(FlagInput),
      badge_slugs: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: BADGE_LENGTH, pattern: '^[a-z0-9][a-z0-9_-]*$' }), { maxItems: MAX_BADGES }),
      ),
    }),
    response: Type.Object({ message: Type.String(), member: Member }),
    errors: ['missing_required_field', 'user_not_found', 'rest_forbidden', 'last_admin', 'username_taken', 'email_taken'],
  }),
} as const
