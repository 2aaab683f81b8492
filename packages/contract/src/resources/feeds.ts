import { route } from '../route.ts'
import {
  Anything,
  Count,
  Datetime,
  DatetimeInput,
  dataOf,
  FlagInput,
  Id,
  Message,
  messageAnd,
  named,
  nullable,
  oneOf,
  Pagination,
  paging,
  pathId,
  spaceFilter,
} from '../shapes/common.ts'
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

/** Longest title, in characters, and longest message, in bytes of UTF-8. */
export const TITLE_LENGTH = 192
export const MESSAGE_BYTES = 15_000

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
  parent_id: nullable(Id),
  title: Type.String(),
  slug: Type.String(),
  message: Type.String({ description: 'As it was sent' }),
  message_rendered: Type.String({ description: 'Safe HTML' }),
  type: oneOf(FEED_TYPES),
  content_type: oneOf(CONTENT_TYPES),
  space_id: nullable(Id),
  privacy: oneOf(PRIVACIES, {
    description: 'private: for its author, moderators and the members of its space, outside of spaces for those who follow the author',
  }),
  status: oneOf(FEED_STATUSES),
  featured_image: nullable(Type.String()),
  meta: Anything,
  is_sticky: Type.Boolean(),
  comments_count: Count,
  reactions_count: Count,
  priority: Type.Integer(),
  expired_at: nullable(Datetime),
  scheduled_at: nullable(Datetime),
  created_at: Datetime,
  updated_at: Datetime,
  edited_at: nullable(Type.Unsafe<string>({ ...Datetime, description: 'The last change of the content after it was published' })),
  edited_by_moderator: Type.Boolean({ description: 'That change was made by somebody other than the author' }),
  permalink: Type.String(),
  xprofile: Xprofile,
  space: nullable(SpaceSummary),
  terms: Type.Array(Term),
  has_user_react: nullable(Type.String()),
  bookmarked: Type.Boolean(),
}

export const Feed = named('Feed', {
  ...base,
  comments: Type.Array(EmbeddedComment, { description: 'The newest two' }),
  reactions: Type.Array(EmbeddedReaction, { description: 'The newest three' }),
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
  next_cursor: nullable(Type.String({ description: 'Hand it back as `cursor` to go on where this page ended' })),
})

/** What can be said about a feed by whoever writes it. */
const writable = {
  title: Type.Optional(nullable(Type.String())),
  message: Type.Optional(Type.String({ description: `At most ${MESSAGE_BYTES} bytes` })),
  content_type: Type.Optional(oneOf(CONTENT_TYPES)),
  type: Type.Optional(oneOf(FEED_TYPES)),
  space_id: Type.Optional(nullable(Type.Integer({ ...Id, description: 'The space it stands in; null: none' }))),
  space: Type.Optional(
    nullable(
      Type.String({
        maxLength: 200,
        pattern: '.',
        description: 'The same by the slug of the space; a different one than in `space_id` is refused',
      }),
    ),
  ),
  privacy: Type.Optional(oneOf(PRIVACIES)),
  status: Type.Optional(oneOf(FEED_STATUSES)),
  featured_image: Type.Optional(nullable(Type.String())),
  scheduled_at: Type.Optional(nullable(Type.Unsafe<string>({ ...DatetimeInput, description: 'UTC unless `timezone` is sent' }))),
  timezone: Type.Optional(nullable(Type.String({ maxLength: 100, description: 'scheduled_at is what clocks show there' }))),
  auto_publish: Type.Optional(FlagInput),
  expired_at: Type.Optional(nullable(DatetimeInput)),
  meta: Type.Optional(Anything),
  topics: Type.Optional(Type.Array(Id, { maxItems: TOPICS_PER_POST, description: 'What is not offered there is left out' })),
  topic_ids: Type.Optional(Type.Array(Id, { maxItems: TOPICS_PER_POST, description: 'The same as topics' })),
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
    description: 'Published feeds that the caller may see, newest first unless `order_by_type` says otherwise.',
    query: Type.Object({
      ...paging(10),
      ...spaceFilter('Feeds of this space'),
      user_id: Type.Optional(Id),
      search: Type.Optional(Type.String({ description: 'All words; the last one also as the beginning of a word' })),
      topic_slug: Type.Optional(
        Type.String({ maxLength: 200, description: 'Feeds of that topic; none where there is no such active topic' }),
      ),
      topics: Type.Optional(Type.String({ maxLength: 500, description: 'Ids of topics, divided by commas: feeds of any of them' })),
      order_by_type: Type.Optional(oneOf(FEED_ORDERS)),
      disable_sticky: Type.Optional(Type.String({ maxLength: 10 })),
      status: Type.Optional(oneOf(FEED_STATUSES)),
      type: Type.Optional(oneOf(FEED_TYPES)),
      cursor: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    response: Type.Object({ feeds: Page, sticky: nullable(Feed), execution_time: Type.Number({ description: 'Seconds' }) }),
    errors: ['space_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/feeds/{feed_id}/by-id',
    access: 'member',
    summary: 'Read a feed by its id',
    params: feedId,
    response: dataOf(Feed),
    errors: ['feed_not_found'],
  }),
  bySlug: route({
    method: 'GET',
    path: '/feeds/{feed_slug}/by-slug',
    access: 'member',
    summary: 'Read a feed by its slug',
    params: Type.Object({ feed_slug: Type.String({ maxLength: 300 }) }),
    response: dataOf(Feed),
    errors: ['feed_not_found'],
  }),
  revisions: route({
    method: 'GET',
    path: '/feeds/{feed_id}/revisions',
    access: 'member',
    summary: 'What a feed said before moderators edited it, newest first',
    description: 'For its author and for those who moderate feeds where it stands; `editor` is null for an author who does not.',
    params: feedId,
    query: Type.Object(paging(20)),
    response: Type.Object({ data: Type.Array(ContentRevision), pagination: Pagination }),
    errors: ['feed_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/feeds',
    access: 'member',
    pace: 'posts',
    summary: 'Publish a feed, or keep it as a draft or for a later time',
    body: Type.Object({ ...writable, message: Type.String({ description: `At most ${MESSAGE_BYTES} bytes` }) }),
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
    summary: 'Change a feed',
    description:
      'Only what is sent changes. `meta` is merged by key; null removes a key. Editing another member’s content marks it as edited by a ' +
      'moderator; the author is notified with the `reason`, and the previous content stays readable under `/feeds/{feed_id}/revisions`.',
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
  remove: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}',
    access: 'member',
    summary: 'Delete a feed with its comments, reactions and bookmarks',
    params: feedId,
    response: Message,
    errors: ['rest_forbidden', 'feed_not_found'],
  }),
  preview: route({
    method: 'POST',
    path: '/feeds/markdown-preview',
    access: 'member',
    summary: 'Render markdown as a feed would show it',
    body: Type.Object({ content: Type.String() }),
    response: Type.Object({ html: Type.String() }),
    errors: ['invalid_content'],
    write: false,
  }),
} as const
