import { route } from '../route.ts'
import { Datetime, FlagInput, Id, IdOrZero, Message, named, oneOf, Pagination, paging, pathId } from '../shapes/common.ts'
import { REACTION_TYPES, type ReactionType } from '../shapes/reactions.ts'
import { CurrentUserFollows, Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import { Bookmark } from './bookmarks.ts'

export { REACTION_TYPES, type ReactionType }

const fields = {
  id: Id,
  user_id: Id,
  object_id: Id,
  parent_id: IdOrZero,
  object_type: oneOf(['feed', 'comment']),
  type: oneOf(REACTION_TYPES),
  ip_address: Type.String({ description: 'IP address of the reaction; empty unless the caller made it.' }),
  created_at: Datetime,
  updated_at: Datetime,
}

export const Reaction = named('Reaction', fields)
export const ReactionWithProfile = named('ReactionWithProfile', { ...fields, xprofile: Xprofile })

const feedId = pathId('feed_id')
const Action = oneOf(['added', 'removed', 'unchanged'], {
  description:
    'What the request did. `added` includes replacing another type; `unchanged` means that `state` or `remove` asked for the existing state.',
})
const reacting = {
  type: Type.Optional(
    Type.String({ description: `Type of the reaction: ${REACTION_TYPES.join(', ')}. With \`state\`, the default is like.` }),
  ),
  state: Type.Optional({
    ...FlagInput,
    description: 'Sets the reaction instead of toggling it: true adds this reaction, false removes it.',
  } as typeof FlagInput),
  remove: Type.Optional({ ...FlagInput, description: '`true` is an alias of `state: false`; `false` has no effect.' } as typeof FlagInput),
}
const toggling = 'Sending the same type again removes the reaction; another type replaces it.'
const setting =
  'With `state` or `remove`, the reaction is set instead of toggled, so the request is idempotent: an existing state is kept and the action is `unchanged`. Removing without a `type` removes any reaction.'

const page = Type.Object({ ...paging(20), type: Type.Optional(oneOf(REACTION_TYPES)) })
const queryErrors = { type: 'invalid_reaction_type' } as const
const Reactions = Type.Object({
  reactions: Type.Array(ReactionWithProfile),
  pagination: Pagination,
  current_user_follows: CurrentUserFollows,
})

export const reactions = {
  toFeed: route({
    method: 'POST',
    path: '/feeds/{feed_id}/react',
    access: 'member',
    writeLimit: 'reactions',
    summary: 'React to or bookmark a feed',
    description: `With \`type\`, reacts to the feed: ${toggling} ${setting} With \`react_type: bookmark\`, bookmarks the feed; \`remove\` removes the bookmark, and with \`state\` the bookmark is set and an existing state is not an error.`,
    params: feedId,
    body: Type.Object({ ...reacting, react_type: Type.Optional(Type.String({ description: '`bookmark` to bookmark the feed.' })) }),
    response: Type.Object({
      message: Type.String(),
      data: Type.Object({ reaction: Type.Optional(Reaction), bookmark: Type.Optional(Bookmark), action: Action }),
    }),
    errors: ['rest_forbidden', 'content_not_found', 'feed_not_found', 'invalid_reaction_type', 'already_bookmarked', 'bookmark_not_found'],
    fieldErrors: { type: 'invalid_reaction_type', react_type: 'invalid_reaction_type' },
  }),
  toComment: route({
    method: 'POST',
    path: '/feeds/{feed_id}/comments/{comment_id}/reactions',
    access: 'member',
    writeLimit: 'reactions',
    summary: 'React to a comment',
    description: `${toggling} ${setting}`,
    params: Type.Object({ feed_id: Id, comment_id: Id }),
    body: Type.Object(reacting),
    response: Type.Object({ message: Type.String(), data: Type.Object({ reaction: Type.Optional(Reaction), action: Action }) }),
    errors: ['rest_forbidden', 'content_not_found', 'invalid_reaction_type'],
    fieldErrors: { type: 'invalid_reaction_type' },
  }),
  ofFeed: route({
    method: 'GET',
    path: '/feeds/{feed_id}/reactions',
    access: 'member',
    summary: 'List reactions to a feed',
    params: feedId,
    query: page,
    queryErrors,
    response: Reactions,
    errors: ['content_not_found'],
  }),
  ofComment: route({
    method: 'GET',
    path: '/comments/{comment_id}/reactions',
    access: 'member',
    summary: 'List reactions to a comment',
    params: pathId('comment_id'),
    query: page,
    queryErrors,
    response: Reactions,
    errors: ['content_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/reactions/{reaction_id}',
    access: 'member',
    writeLimit: 'reactions',
    summary: 'Remove a reaction',
    params: pathId('reaction_id'),
    response: Message,
    errors: ['rest_forbidden', 'reaction_not_found'],
  }),
} as const
