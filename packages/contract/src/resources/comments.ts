import { route } from '../route.ts'
import {
  Anything,
  Count,
  Datetime,
  dataOf,
  FlagInput,
  Id,
  MAX_ID,
  Message,
  messageAnd,
  named,
  nullable,
  Order,
  oneOf,
  Pagination,
  paging,
  pathId,
} from '../shapes/common.ts'
import { ReactionCounts } from '../shapes/reactions.ts'
import { ContentRevision, EditReason } from '../shapes/revisions.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const COMMENT_STATUSES = ['published', 'pending', 'spam'] as const
/** Orders of a comment list. The first two go where `order` says, the others have a direction of their own. */
export const COMMENT_ORDERS = ['created_at', 'reactions_count', 'oldest', 'latest', 'newest', 'likes'] as const
/** Longest comment, in bytes of UTF-8. */
export const COMMENT_BYTES = 10_000
/** Most pictures of a comment. */
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
  meta: Anything,
  created_at: Datetime,
  updated_at: Datetime,
  edited_at: nullable(Type.Unsafe<string>({ ...Datetime, description: 'The last change of the content' })),
  edited_by_moderator: Type.Boolean({ description: 'That change was made by somebody other than the author' }),
  xprofile: Xprofile,
}

/** A comment as it stands inside of a feed. */
export const EmbeddedComment = named('EmbeddedComment', common)

export const Comment = named('Comment', { ...common, reaction_types: ReactionCounts, has_user_react: nullable(Type.String()) })

/** What can be said about a comment by whoever writes it. */
const writable = {
  comment: Type.Optional(Type.String({ description: `At most ${COMMENT_BYTES} bytes; may be empty beside pictures or a GIF` })),
  message: Type.Optional(Type.String({ description: 'Another name of `comment`' })),
  content_type: Type.Optional(ContentType),
  media_images: Type.Optional(nullable(Type.Array(Type.String(), { maxItems: COMMENT_IMAGES, description: 'Addresses, http or https' }))),
  meta: Type.Optional(nullable(Anything)),
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
    summary: 'List the comments of a feed',
    description: 'Top-level comments and replies together, oldest first. The pinned comment, if there is one, comes first.',
    params: feedId,
    query: Type.Object({
      ...paging(50),
      parent_id: Type.Optional(
        Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'Only replies to this comment; 0: top-level only' }),
      ),
      orderby: Type.Optional(oneOf(COMMENT_ORDERS)),
      order: Type.Optional(Order),
    }),
    response: Type.Object({ comments: Type.Array(Comment), pagination: Pagination }),
    errors: ['feed_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/comments/{comment_id}',
    access: 'member',
    summary: 'Read a comment',
    params: commentId,
    response: dataOf(Comment),
    errors: ['comment_not_found'],
  }),
  revisions: route({
    method: 'GET',
    path: '/comments/{comment_id}/revisions',
    access: 'member',
    summary: 'What a comment said before moderators edited it, newest first',
    description: 'For its author and for those who moderate comments where it stands; `editor` is null for an author who does not.',
    params: commentId,
    query: Type.Object(paging(20)),
    response: Type.Object({ data: Type.Array(ContentRevision), pagination: Pagination }),
    errors: ['comment_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/feeds/{feed_id}/comments',
    access: 'member',
    pace: 'comments',
    summary: 'Comment on a feed, or reply to a comment',
    description: 'A reply to a reply is attached to its top-level comment.',
    params: feedId,
    body: Type.Object({
      ...writable,
      parent_id: Type.Optional(
        nullable(Type.Integer({ minimum: 0, maximum: MAX_ID, description: 'The comment that this one replies to' })),
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
    summary: 'Change a comment',
    description:
      'Only what is sent changes. `meta` is merged by key; null removes a key. `status` and `is_sticky` are for moderators. Editing ' +
      'another member’s content marks it as edited by a moderator; the author is notified with the `reason`, and the previous content stays readable under `/comments/{comment_id}/revisions`.',
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
  remove: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}/comments/{comment_id}',
    access: 'member',
    summary: 'Delete a comment with its replies',
    params: both,
    response: Message,
    errors: ['rest_forbidden', 'comment_not_found'],
  }),
  markHelpful: route({
    method: 'POST',
    path: '/feeds/{feed_id}/comments/{comment_id}/helpful',
    access: 'member',
    pace: 'reactions',
    summary: 'Mark a comment as helpful',
    description: 'For the author of a question, and for moderators. Marking it again changes nothing.',
    params: both,
    body: Type.Object({ remove: Type.Optional({ ...FlagInput, description: 'Takes the mark away, as DELETE does' } as typeof FlagInput) }),
    response: messageAnd(Helpful),
    errors: ['rest_forbidden', 'comment_not_found'],
  }),
  unmarkHelpful: route({
    method: 'DELETE',
    path: '/feeds/{feed_id}/comments/{comment_id}/helpful',
    access: 'member',
    pace: 'reactions',
    summary: 'Take the mark of a helpful comment away',
    params: both,
    response: messageAnd(Helpful),
    errors: ['rest_forbidden', 'comment_not_found'],
  }),
} as const
