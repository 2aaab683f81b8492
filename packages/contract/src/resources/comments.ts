import { route } from '../route.ts'
import {
  Count,
  Datetime,
  dataOf,
  FlagInput,
  Id,
  MAX_ID,
  Message,
  messageAnd,
  named,
  newSince,
  nullable,
  Order,
  oneOf,
  Pagination,
  paging,
  pathId,
  spaceFilter,
} from '../shapes/common.ts'
import { CommentMeta, CommentMetaInput } from '../shapes/meta.ts'
import { ReactionCounts } from '../shapes/reactions.ts'
import { ContentRevision, EditReason } from '../shapes/revisions.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const COMMENT_STATUSES = ['published', 'pending', 'spam'] as const
/** Sort orders of comments. `order` sets the direction of the first two; the others have a fixed direction. */
export const COMMENT_ORDERS = ['created_at', 'reactions_count', 'oldest', 'latest', 'newest', 'likes'] as const
/** Maximum size of a comment, in bytes of UTF-8. */
export const COMMENT_BYTES = 20_000
/** Maximum number of images of a comment. */
export const COMMENT_IMAGES = 20

const ContentType = oneOf(['text', 'markdown', 'html', 'document', 'survey', 'video', 'audio'])

const common = {
  id: Id,
  user_id: Id,
  post_id: Id,
  parent_id: nullable(Id),
  message: Type.String(),
  message_rendered: Type.String(),
  type: Type.String(),
  content_type: ContentType,
  status: oneOf(COMMENT_STATUSES),
  reactions_count: Count,
  is_sticky: Type.Boolean(),
  is_helpful: Type.Boolean(),
  meta: CommentMeta,
  created_at: Datetime,
  updated_at: Datetime,
  edited_at: nullable(Type.Unsafe<string>({ ...Datetime, description: 'Time of the last content change.' })),
  edited_by_moderator: Type.Boolean({ description: 'Whether someone other than the author made the last change.' }),
  xprofile: Xprofile,
}

/** A comment that is embedded in a feed. */
export const EmbeddedComment = named('EmbeddedComment', common)

export const Comment = named('Comment', { ...common, reaction_types: ReactionCounts, has_user_react: nullable(Type.String()) })

/** A comment in a list that spans feeds. */
export const CommentInFeed = named('CommentInFeed', {
  ...Comment.properties,
  post: Type.Object({ id: Id, title: Type.String(), slug: Type.String(), permalink: Type.String() }),
})

/** Fields that the author of a comment can set. */
const writable = {
  comment: Type.Optional(
    Type.String({ description: `The text of the comment, at most ${COMMENT_BYTES} bytes; may be empty if there are images or a GIF.` }),
  ),
  message: Type.Optional(Type.String({ description: 'An alias of `comment`.' })),
  content_type: Type.Optional(ContentType),
  media_images: Type.Optional(
    nullable(Type.Array(Type.String(), { maxItems: COMMENT_IMAGES, description: 'URLs of images (http or https).' })),
  ),
  meta: Type.Optional(nullable(CommentMetaInput)),
}

const Helpful = Type.Object({ id: Id, is_helpful: Type.Boolean() })

const feedId = pathId('feed_id')
const commentId = pathId('comment_id')
const both = Type.Object({ feed_id: Id, comment_id: Id })
const fieldErrors = { comment: 'invalid_content', message: 'invalid_content' } as const

export const comments = {
  list: route({
    method: 'GET',
    path: '/feeds/{feed_id}/comments',
    access: 'member',
    summary: 'List comments on a feed',
    description: 'Returns top-level comments and replies together, oldest first. A pinned comment comes first.',
    params: feedId,
    query: Type.Object({
      ...paging(50),
      parent_id: Type.Optional(
        Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'Only replies to this comment; 0 returns only top-level comments.' }),
      ),
      orderby: Type.Optional(oneOf(COMMENT_ORDERS)),
      order: Type.Optional(Order),
    }),
    response: Type.Object({ comments: Type.Array(Comment), pagination: Pagination }),
    errors: ['feed_not_found'],
  }),
  all: route({
    method: 'GET',
    path: '/comments',
    access: 'member',
    summary: 'List the newest comments',
    description:
      'Returns published comments on the feeds that the caller can see in lists, the last created or edited first. Comments on lessons are not included. A page may contain fewer comments than `per_page`, or none; the list ends where `next_cursor` is null.',
    query: Type.Object({
      per_page: paging(50).per_page,
      ...spaceFilter('Only comments on feeds in this space.'),
      ...newSince('Only comments created at this time or later.', 'Only comments created or edited at this time or later.'),
      cursor: Type.Optional(Type.String({ maxLength: 500, description: 'The `next_cursor` of the previous page.' })),
    }),
    response: Type.Object({
      comments: Type.Array(CommentInFeed),
      next_cursor: nullable(Type.String({ description: 'The value of `cursor` for the next page; null on the last page.' })),
    }),
    errors: ['space_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/comments/{comment_id}',
    access: 'member',
    summary: 'Get a comment',
    params: commentId,
    response: dataOf(Comment),
    errors: ['comment_not_found'],
  }),
  revisions: route({
    method: 'GET',
    path: '/comments/{comment_id}/revisions',
    access: 'member',
    summary: 'List revisions of a comment',
    description:
      'Returns the content before each edit by a moderator, newest first. Available to the author and to moderators of comments in this place; for an author without this right, `editor` is null.',
    params: commentId,
    query: Type.Object(paging(20)),
    response: Type.Object({ data: Type.Array(ContentRevision), pagination: Pagination }),
    errors: ['comment_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/feeds/{feed_id}/comments',
    access: 'member',
    writeLimit: 'comments',
    summary: 'Create a comment',
    description: 'Comments on a feed or replies to a comment. A reply to a reply is attached to the top-level comment.',
    params: feedId,
    body: Type.Object({
      ...writable,
      parent_id: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 0,
            maximum: MAX_ID,
            description: 'The comment that this one replies to; null or 0 for a top-level comment.',
          }),
        ),
      ),
    }),
    response: messageAnd(
      Type.Object({
        id: Id,
        post_id: Id,
        parent_id: nullable(Id),
        message: Type.String(),
        status: oneOf(COMMENT_STATUSES),
        created_at: Datetime,
      }),
    ),
    status: 201,
    errors: ['rest_forbidden', 'feed_not_found', 'parent_not_found', 'feed_locked', 'invalid_content', 'invalid_url'],
    fieldErrors,
  }),
  update: route({
    method: 'POST',
    path: '/feeds/{feed_id}/comments/{comment_id}',
    access: 'member',
    summary: 'Update a comment',
    description:
      'Only the fields that are sent change. `meta` is merged by key; null removes a key. `status` and `is_sticky` require moderator rights. Editing another member’s comment marks it as edited by a moderator; the author is notified with the `reason`, and the previous content stays available at `/comments/{comment_id}/revisions`.',
    params: both,
    body: Type.Object({
      ...writable,
      status: Type.Optional(oneOf(COMMENT_STATUSES)),
      is_sticky: Type.Optional(FlagInput),
      reason: EditReason,
    }),
    response: messageAnd(Type.Object({ id: Id, message: Type.String(), updated_at: Datetime })),
    errors: ['rest_forbidden', 'comment_not_found', 'invalid_content', 'invalid_url'],
    fieldErrors,
  }),
  patch: route({
    method: 'PATCH',
    path: '/feeds/{feed_id}/comments/{comment_id}',
    access: 'member',
    summary: 'Pin or unpin a comment',
    description: 'Requires the rights to moderate comments. Pinning unpins the other comments on the feed.',
    params: both,
    body: Type.Object({ is_sticky: FlagInput }),
    response: messageAnd(Type.Object({ id: Id, is_sticky: Type.Boolean(), updated_at: Datetime })),
    errors: ['rest_forbidden', 'comment_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}/comments/{comment_id}',
    access: 'member',
    summary: 'Delete a comment and its replies',
    params: both,
    response: Message,
    errors: ['rest_forbidden', 'comment_not_found'],
  }),
  markHelpful: route({
    method: 'POST',
    path: '/feeds/{feed_id}/comments/{comment_id}/helpful',
    access: 'member',
    writeLimit: 'reactions',
    summary: 'Mark a comment as helpful',
    description: 'Available to the author of a question and to moderators. Marking a comment again has no effect.',
    params: both,
    body: Type.Object({
      remove: Type.Optional({ ...FlagInput, description: 'Whether to remove the mark instead, like DELETE.' } as typeof FlagInput),
    }),
    response: messageAnd(Helpful),
    errors: ['rest_forbidden', 'comment_not_found'],
  }),
  unmarkHelpful: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}/comments/{comment_id}/helpful',
    access: 'member',
    writeLimit: 'reactions',
    summary: 'Unmark a helpful comment',
    params: both,
    response: messageAnd(Helpful),
    errors: ['rest_forbidden', 'comment_not_found'],
  }),
} as const
