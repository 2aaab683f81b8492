import { ACCOUNT_ROLES } from '../permissions.ts'
import { route } from '../route.ts'
import {
  Count,
  Datetime,
  FlagInput,
  Id,
  named,
  nullable,
  Order,
  oneOf,
  paginatorOf,
  paging,
  pathId,
  spaceFilter,
} from '../shapes/common.ts'
import { ActiveXprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

/** `unverified` and `pending` accounts have registered, and wait for their address to be confirmed or for approval. */
export const ACCOUNT_STATUSES = ['active', 'suspended', 'banned', 'unverified', 'pending'] as const
/** A deleted account is nobody any more: its row stands for what it left behind, and no list has it. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number] | 'deleted'
export const MEMBER_ORDERS = ['created_at', 'display_name', 'last_seen'] as const
export const CONTRIBUTION_PERIODS = ['week', 'month', 'year', 'all'] as const
export const CONTRIBUTION_METRICS = ['posts', 'comments', 'reactions'] as const
/** Top contributors are found among so many of the newest posts, and as many comments. */
export const CONTRIBUTIONS_COUNTED = 20_000
/** Most people that a mention is completed with. */
export const MENTION_SUGGESTIONS = 10
export const BADGE_LENGTH = 50
export const MOST_BADGES = 20

export const Member = named('Member', { ...ActiveXprofile.properties, role: oneOf(ACCOUNT_ROLES) })

const summary = {
  id: Id,
  username: Type.String(),
  display_name: Type.String(),
  avatar: Type.String({ description: 'URL, may be empty' }),
}
const seen = {
  ...summary,
  last_seen: nullable(Datetime),
  is_online: Type.Boolean({ description: 'Seen within the last 15 minutes, or within `minutes` where they are asked for' }),
}

const { per_page } = paging(10)
const whole = (maximum: number, fallback: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: fallback, 'x-clamp': true }))

export const members = {
  list: route({
    method: 'GET',
    path: '/members',
    access: 'member',
    summary: 'List or search the members',
    description:
      'Suspended and banned people are listed for moderators only, and who waits for admission for holders of manage_members. With `mention` it completes what somebody begins to write after an @: at most ten people, first those whose username or a word of whose name begins so, without the caller.',
    query: Type.Object({
      ...paging(20),
      role: Type.Optional(oneOf(ACCOUNT_ROLES)),
      status: Type.Optional(oneOf(ACCOUNT_STATUSES, { default: 'active' })),
      orderby: Type.Optional(oneOf(MEMBER_ORDERS, { default: 'created_at' })),
      order: Type.Optional(Order),
      ...spaceFilter('Only who is in this space'),
      search: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Parts of username and name, at least 2 characters; administrators also find by e-mail',
        }),
      ),
      mention: Type.Optional(
        Type.String({ maxLength: 100, description: 'Part of a username or name, with or without an @ before it; the @ alone: anybody' }),
      ),
    }),
    queryErrors: { role: 'invalid_filter', status: 'invalid_filter', orderby: 'invalid_filter', order: 'invalid_filter' },
    response: Type.Object({ members: paginatorOf(Member), execution_time: Type.Number({ description: 'Seconds' }) }),
    errors: ['invalid_search', 'space_not_found', 'rest_forbidden'],
  }),
  active: route({
    method: 'GET',
    path: '/members/active',
    access: 'member',
    summary: 'Who is here now, last seen first',
    query: Type.Object({ per_page, minutes: whole(1440, 15) }),
    errors: ['rest_forbidden'],
    response: Type.Object({ data: Type.Array(Type.Object(seen)), meta: Type.Object({ total_online: Count }) }),
  }),
  newest: route({
    method: 'GET',
    path: '/members/new',
    access: 'member',
    summary: 'Who has joined lately, newest first',
    query: Type.Object({ per_page, days: whole(365, 7) }),
    errors: ['rest_forbidden'],
    response: Type.Object({ data: Type.Array(Type.Object({ ...seen, created_at: Datetime })) }),
  }),
  topContributors: route({
    method: 'GET',
    path: '/members/top-contributors',
    access: 'member',
    summary: 'Who contributes most',
    description: `Counts published feeds and comments that everybody may see – public ones, outside of spaces and in public spaces – which were made in the last 7, 30 or 365 days or ever, and the reactions to them, among the newest ${CONTRIBUTIONS_COUNTED} feeds and as many comments. The same for every caller; up to a minute old.`,
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
    summary: 'Suspend, ban or restore an account; verify it; give it badges',
    description:
      'Status is for administrators and holders of ban_members, on others than themselves and than those who may do more; who waits for admission is let in by holders of manage_members instead. The rest is for administrators. A suspended or banned account is signed out and refused at once; what it wrote stays.',
    params: pathId('user_id'),
    body: Type.Object({
      status: Type.Optional(oneOf(['active', 'suspended', 'banned', 'blocked'], { description: '`blocked` means banned' })),
      is_verified: Type.Optional(FlagInput),
      badge_slugs: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: BADGE_LENGTH, pattern: '^[a-z0-9][a-z0-9_-]*$' }), { maxItems: MOST_BADGES }),
      ),
    }),
    response: Type.Object({ message: Type.String(), member: Member }),
    errors: ['missing_required_field', 'user_not_found', 'rest_forbidden', 'last_admin', 'username_taken', 'email_taken'],
  }),
} as const
