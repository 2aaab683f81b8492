import { route } from '../route.ts'
import {
  Count,
  Datetime,
  DatetimeInput,
  dataOf,
  FlagInput,
  Id,
  IdOrZero,
  Message,
  messageAnd,
  named,
  newSince,
  nullable,
  oneOf,
  Pagination,
  paging,
  pathId,
  spaceFilter,
} from '../shapes/common.ts'
import { besideMeta, FeedMeta, FeedMetaInput } from '../shapes/meta.ts'
import { ReactionCounts } from '../shapes/reactions.ts'
import { ContentRevision, EditReason } from '../shapes/revisions.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import { EmbeddedComment } from './comments.ts'
import { TOPICS_PER_POST } from './topics.ts'

export const FEED_TYPES = ['feed', 'announcement', 'course_lesson', 'question', 'text'] as const
export const CONTENT_TYPES = ['text', 'markdown', 'html', 'document', 'survey', 'video', 'audio'] as const
export const PRIVACIES = ['public', 'private'] as const
export const FEED_STATUSES = ['published', 'draft', 'scheduled', 'pending', 'spam'] as const
export const FEED_ORDERS = [
  'latest',
  'recent',
  'published',
  'oldest',
  'new_activity',
  'likes',
  'popular',
  'alphabetical',
  'unanswered',
] as const

/** Maximum length of a title in characters, and of a message in bytes of UTF-8. */
export const TITLE_LENGTH = 192
/** Default of the operator's limit, its least and its greatest value. */
export const MESSAGE_BYTES = 64_000
export const MESSAGE_BYTES_RANGE = [15_000, 200_000] as const

export const SpaceSummary = named('SpaceSummary', { id: Id, title: Type.String(), slug: Type.String(), type: Type.String() })
export const Term = named('Term', { id: Id, title: Type.String(), slug: Type.String() })
const EmbeddedReaction = named('EmbeddedReaction', {
  id: Id,
  user_id: Id,
  type: Type.String(),
  created_at: Datetime,
  xprofile: Type.Object({ user_id: Id, display_name: Type.String(), avatar: Type.String() }),
})

const base = {
  id: Id,
  user_id: Id,
  parent_id: IdOrZero,
  title: Type.String(),
  slug: Type.String(),
  message: Type.String({ description: 'The text, as submitted.' }),
  message_rendered: Type.String({ description: 'The text as sanitized HTML.' }),
  type: oneOf(FEED_TYPES),
  content_type: oneOf(CONTENT_TYPES),
  space_id: nullable(Id),
  privacy: oneOf(PRIVACIES, {
    description:
      '`private`: visible to the author, to moderators and to members of the space; outside of spaces, to followers of the author.',
  }),
  status: oneOf(FEED_STATUSES),
  featured_image: nullable(Type.String()),
  meta: FeedMeta,
  is_sticky: Type.Boolean(),
  comments_count: Count,
  reactions_count: Count,
  priority: Type.Integer(),
  expired_at: nullable(Datetime),
  scheduled_at: nullable(Datetime),
  created_at: Datetime,
  updated_at: Datetime,
  edited_at: nullable(Type.Unsafe<string>({ ...Datetime, description: 'Time of the last content change after publication.' })),
  edited_by_moderator: Type.Boolean({ description: 'Whether someone other than the author made the last change.' }),
  permalink: Type.String(),
  xprofile: Xprofile,
  space: nullable(SpaceSummary),
  terms: Type.Array(Term),
  has_user_react: nullable(Type.String()),
  bookmarked: Type.Boolean(),
}

export const Feed = named('Feed', {
  ...base,
  comments: Type.Array(EmbeddedComment, { description: 'The two newest comments.' }),
  reactions: Type.Array(EmbeddedReaction, { description: 'The three newest reactions.' }),
  reaction_types: ReactionCounts,
})

const Page = named('FeedPage', {
  data: Type.Array(Feed),
  current_page: Count,
  per_page: Count,
  from: nullable(Count),
  to: nullable(Count),
  has_more: Type.Boolean(),
  total: Count,
  next_cursor: nullable(Type.String({ description: 'The value of `cursor` for the next page; null on the last page.' })),
})

/** Fields that the author of a feed can set. */
const writable = {
  title: Type.Optional(nullable(Type.String())),
  message: Type.Optional(Type.String({ description: `The text, at most ${MESSAGE_BYTES} bytes unless the operator sets another limit.` })),
  content_type: Type.Optional(oneOf(CONTENT_TYPES)),
  type: Type.Optional(oneOf(FEED_TYPES)),
  space_id: Type.Optional(nullable(Type.Integer({ ...Id, description: 'The space to publish in; null for none.' }))),
  space: Type.Optional(
    nullable(
      Type.String({
        maxLength: 200,
        pattern: '.',
        description: 'Slug of the space, an alternative to `space_id`; both must name the same space.',
      }),
    ),
  ),
  privacy: Type.Optional(oneOf(PRIVACIES)),
  status: Type.Optional(oneOf(FEED_STATUSES)),
  featured_image: Type.Optional(nullable(Type.String())),
  scheduled_at: Type.Optional(
    nullable(Type.Unsafe<string>({ ...DatetimeInput, description: 'Time of publication, in UTC unless `timezone` is sent.' })),
  ),
  timezone: Type.Optional(
    nullable(Type.String({ maxLength: 100, description: 'Time zone of `scheduled_at`, such as Europe/Berlin; default: UTC.' })),
  ),
  auto_publish: Type.Optional(FlagInput),
  expired_at: Type.Optional(nullable(DatetimeInput)),
  meta: Type.Optional(FeedMetaInput),
  ...besideMeta,
  topics: Type.Optional(
    Type.Array(Id, { maxItems: TOPICS_PER_POST, description: 'Ids of the topics; topics that are not available there are ignored.' }),
  ),
  topic_ids: Type.Optional(Type.Array(Id, { maxItems: TOPICS_PER_POST, description: 'An alias of `topics`.' })),
  is_sticky: Type.Optional(FlagInput),
  priority: Type.Optional(Type.Integer({ minimum: -1000, maximum: 1000 })),
}

const feedId = pathId('feed_id')

export const feeds = {
  list: route({
    method: 'GET',
    path: '/feeds',
    access: 'member',
    summary: 'List feeds',
    description: 'Returns published feeds that the caller can see, newest first unless `order_by_type` is sent.',
    query: Type.Object({
      ...paging(10),
      ...spaceFilter('Only feeds in this space.'),
      user_id: Type.Optional(Id),
      ...newSince(
        'Only feeds published at this time or later, in an order by publication. `total` counts up to 10,000.',
        'Only feeds published, edited or commented on at this time or later, ordered by `new_activity`. `total` counts up to 10,000.',
      ),
      search: Type.Optional(
        Type.String({ description: 'Only feeds that contain all of these words; the last word also matches as a prefix.' }),
      ),
      topic_slug: Type.Optional(
        Type.String({ maxLength: 200, description: 'Only feeds with this topic; returns none if no active topic has this slug.' }),
      ),
      topics: Type.Optional(Type.String({ maxLength: 500, description: 'Only feeds with any of these topics, as comma-separated ids.' })),
      order_by_type: Type.Optional(oneOf(FEED_ORDERS)),
      disable_sticky: Type.Optional(Type.String({ maxLength: 10 })),
      status: Type.Optional(oneOf(FEED_STATUSES)),
      type: Type.Optional(oneOf(FEED_TYPES)),
      cursor: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    response: Type.Object({
      feeds: Page,
      sticky: nullable(Feed),
      execution_time: Type.Number({ description: 'Processing time in seconds.' }),
    }),
    errors: ['space_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/feeds/{feed_id}/by-id',
    access: 'member',
    summary: 'Get a feed',
    params: feedId,
    response: dataOf(Feed),
    errors: ['feed_not_found'],
  }),
  bySlug: route({
    method: 'GET',
    path: '/feeds/{feed_slug}/by-slug',
    access: 'member',
    summary: 'Get a feed by slug',
    params: Type.Object({ feed_slug: Type.String({ maxLength: 300 }) }),
    response: dataOf(Feed),
    errors: ['feed_not_found'],
  }),
  revisions: route({
    method: 'GET',
    path: '/feeds/{feed_id}/revisions',
    access: 'member',
    summary: 'List revisions of a feed',
    description:
      'Returns the content before each edit by a moderator, newest first. Available to the author and to moderators of feeds in this place; for an author without this right, `editor` is null.',
    params: feedId,
    query: Type.Object(paging(20)),
    response: Type.Object({ data: Type.Array(ContentRevision), pagination: Pagination }),
    errors: ['feed_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/feeds',
    access: 'member',
    writeLimit: 'posts',
    summary: 'Create a feed',
    body: Type.Object({
      ...writable,
      message: Type.String({ description: `The text, at most ${MESSAGE_BYTES} bytes unless the operator sets another limit.` }),
    }),
    response: messageAnd(
      Type.Object({
        id: Id,
        title: Type.String(),
        slug: Type.String(),
        message: Type.String(),
        status: oneOf(FEED_STATUSES),
        created_at: Datetime,
      }),
    ),
    status: 201,
    errors: [
      'rest_forbidden',
      'invalid_content',
      'invalid_scheduled_time',
      'pro_feature_required',
      'invalid_url',
      'space_not_found',
      'topic_required',
    ],
    fieldErrors: { message: 'invalid_content', title: 'invalid_content', scheduled_at: 'invalid_scheduled_time' },
  }),
  update: route({
    method: 'POST',
    path: '/feeds/{feed_id}',
    access: 'member',
    summary: 'Update a feed',
    description:
      'Only the fields that are sent change. `meta` is merged by key; null removes a key. Editing another member’s feed marks it as edited by a moderator; the author is notified with the `reason`, and the previous content stays available at `/feeds/{feed_id}/revisions`.',
    params: feedId,
    body: Type.Object({ ...writable, reason: EditReason }),
    response: messageAnd(Type.Object({ id: Id, title: Type.String(), updated_at: Datetime })),
    errors: [
      'rest_forbidden',
      'feed_not_found',
      'invalid_content',
      'invalid_scheduled_time',
      'pro_feature_required',
      'invalid_url',
      'space_not_found',
      'topic_required',
    ],
    fieldErrors: { message: 'invalid_content', title: 'invalid_content', scheduled_at: 'invalid_scheduled_time' },
  }),
  patch: route({
    method: 'PATCH',
    path: '/feeds/{feed_id}',
    access: 'member',
    summary: 'Pin, prioritize or lock a feed',
    description:
      'Only the fields that are sent change. `is_sticky` and `priority` require the same rights as when updating the feed; the author and moderators can close the comments.',
    params: feedId,
    body: Type.Object({
      is_sticky: writable.is_sticky,
      priority: writable.priority,
      comments_disabled: Type.Optional({ ...FlagInput, description: 'Whether to close comments.' } as typeof FlagInput),
    }),
    response: messageAnd(
      Type.Object({
        id: Id,
        is_sticky: Type.Boolean(),
        priority: Type.Integer(),
        comments_disabled: Type.Boolean({ description: 'Whether comments are closed.' }),
        updated_at: Datetime,
      }),
    ),
    errors: ['rest_forbidden', 'feed_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}',
    access: 'member',
    summary: 'Delete a feed',
    params: feedId,
    response: Message,
    errors: ['rest_forbidden', 'feed_not_found'],
  }),
  preview: route({
    method: 'POST',
    path: '/feeds/markdown-preview',
    access: 'member',
    summary: 'Render Markdown',
    body: Type.Object({ content: Type.String() }),
    response: Type.Object({ html: Type.String() }),
    errors: ['invalid_content'],
    write: false,
  }),
} as const
