import { route } from '../route.ts'
import { Datetime, FlagInput, Id, Message, named, nullable, oneOf, Pagination, paging, pathId } from '../shapes/common.ts'
import { REACTION_TYPES, type ReactionType } from '../shapes/reactions.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import { Bookmark } from './bookmarks.ts'

export { REACTION_TYPES, type ReactionType }

const fields = {
  id: Id,
  user_id: Id,
  object_id: Id,
  parent_id: nullable(Id),
  object_type: oneOf(['feed', 'comment']),
  type: oneOf(REACTION_TYPES),
  ip_address: Type.String({ description: 'Empty for everybody but the one who reacted' }),
  created_at: Datetime,
  updated_at: Datetime,
}

export const Reaction = named('Reaction', fields)
export const ReactionWithProfile = named('ReactionWithProfile', { ...fields, xprofile: Xprofile })

const feedId = pathId('feed_id')
const Action = oneOf(['added', 'removed', 'unchanged'], {
  description: 'added also where another type was replaced; unchanged where `state` or `remove` asks for what is so already',
})
const reacting = {
  type: Type.Optional(Type.String({ description: `${REACTION_TYPES.join(', ')}; with \`state\` like unless sent` })),
  state: Type.Optional({
    ...FlagInput,
    description: 'Sets instead of toggling: true leaves the caller with this reaction, false without it',
  } as typeof FlagInput),
  remove: Type.Optional({ ...FlagInput, description: 'true: the same as `state` false; false says nothing' } as typeof FlagInput),
}
const toggling = 'The same type again removes the reaction, another type replaces it.'
const setting =
  'With `state`, or `remove`, the reaction is set and not toggled, so that the request may be sent again: what is so already stays, and the action is `unchanged`. To take away without naming a `type` takes away whichever there is.'

const page = Type.Object({ ...paging(20), type: Type.Optional(oneOf(REACTION_TYPES)) })
const queryErrors = { type: 'invalid_reaction_type' } as const
const Reactions = Type.Object({ reactions: Type.Array(ReactionWithProfile), pagination: Pagination })

export const reactions = {
  toFeed: route({
    method: 'POST',
    path: '/feeds/{feed_id}/react',
    access: 'member',
    pace: 'reactions',
    summary: 'React to a feed, or bookmark it',
    description: `With \`type\`: ${toggling} ${setting} With \`react_type: bookmark\`: bookmarks the feed, or with \`remove\` forgets the bookmark; with \`state\` the bookmark is set, and nothing is refused because it is so already.`,
    params: feedId,
    body: Type.Object({ ...reacting, react_type: Type.Optional(Type.String({ description: 'bookmark' })) }),
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
    pace: 'reactions',
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
    summary: 'Who reacted to a feed, newest first',
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
    summary: 'Who reacted to a comment, newest first',
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
    pace: 'reactions',
    summary: 'Take a reaction back',
    params: pathId('reaction_id'),
    response: Message,
    errors: ['rest_forbidden', 'reaction_not_found'],
  }),
} as const
