import { type Route, route } from '../route.ts'
import { Datetime, Id, listOf, Message, messageAnd, named, nullable, oneOf, paginatorOf, paging, pathId } from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const FOLLOW_STATUSES = ['active', 'pending'] as const

const relationship = {
  id: Id,
  follower_id: Id,
  following_id: Id,
  status: oneOf(FOLLOW_STATUSES),
  created_at: Datetime,
}

const FollowUser = named('FollowUser', {
  id: Id,
  username: Type.String(),
  display_name: Type.String(),
  avatar: Type.String({ description: 'URL, may be empty' }),
})

/** Who follows whom, with the person on the other side. */
export const Relationship = named('Relationship', {
  ...relationship,
  xprofile: Xprofile,
  follower: Type.Optional(FollowUser),
  following: Type.Optional(FollowUser),
})

const FollowRequest = named('FollowRequest', {
  id: Id,
  follower_id: Id,
  status: oneOf(FOLLOW_STATUSES),
  created_at: Datetime,
  follower: FollowUser,
})

const username = Type.Object({ username: Type.String() })
const requestId = pathId('request_id')
const waiting = 'Requests that wait are listed for whoever they were sent to or by, and for nobody else'
const listing = {
  method: 'GET',
  access: 'member',
  feature: 'followers',
  params: username,
  query: Type.Object({ ...paging(20), status: Type.Optional(oneOf(FOLLOW_STATUSES, { default: 'active', description: waiting })) }),
  errors: ['invalid_username', 'user_not_found', 'rest_forbidden'],
} as const satisfies Partial<Route>
const closed = 'Those of a private profile are for its owner, its followers and moderators.'

export const followers = {
  follow: route({
    method: 'POST',
    path: '/profile/{username}/follow',
    access: 'member',
    feature: 'followers',
    pace: 'follows',
    summary: 'Follow somebody; a private profile is asked and answers later',
    params: username,
    response: messageAnd(
      Type.Object({
        id: Type.Optional(Id),
        follower_id: Type.Optional(Id),
        following_id: Type.Optional(Id),
        status: oneOf(FOLLOW_STATUSES),
        created_at: Type.Optional(Datetime),
      }),
    ),
    status: 201,
    unmade: 200,
    errors: ['invalid_username', 'user_not_found', 'cannot_follow_self', 'already_following'],
  }),
  unfollow: route({
    method: 'POST',
    path: '/profile/{username}/unfollow',
    access: 'member',
    feature: 'followers',
    pace: 'follows',
    summary: 'Follow somebody no longer, or withdraw the request to',
    params: username,
    response: Message,
    errors: ['invalid_username', 'user_not_found', 'not_following'],
  }),
  removeFollower: route({
    method: 'POST',
    path: '/profile/{username}/remove-follower',
    access: 'member',
    feature: 'followers',
    summary: 'Let somebody follow the caller no longer',
    description: 'Whoever was removed may follow again, or ask again where the profile is private. A request is refused by it too.',
    params: username,
    response: Message,
    errors: ['invalid_username', 'user_not_found', 'not_following'],
  }),
  followers: route({
    ...listing,
    path: '/profile/{username}/followers',
    summary: 'Who follows somebody, newest first',
    description: closed,
    response: Type.Object({ followers: paginatorOf(Relationship) }),
  }),
  followings: route({
    ...listing,
    path: '/profile/{username}/followings',
    summary: 'Whom somebody follows, newest first',
    description: closed,
    response: Type.Object({ followings: paginatorOf(Relationship) }),
  }),
  status: route({
    method: 'GET',
    path: '/profile/{username}/follow-status',
    access: 'member',
    feature: 'followers',
    summary: 'Whether the caller follows somebody',
    params: username,
    response: Type.Object({
      data: Type.Object({
        is_following: Type.Boolean({ description: 'False while a request waits' }),
        status: nullable(oneOf(FOLLOW_STATUSES, { description: 'null: neither followed nor asked' })),
        followed_at: nullable(Datetime),
        is_followed_by: Type.Boolean({ description: 'Whether that person follows the caller' }),
      }),
    }),
    errors: ['invalid_username', 'user_not_found'],
  }),
  requests: route({
    method: 'GET',
    path: '/profile/follow-requests',
    access: 'member',
    feature: 'followers',
    summary: 'Who asks to follow the caller, newest first',
    query: Type.Object(paging(100)),
    response: listOf(FollowRequest),
  }),
  approve: route({
    method: 'POST',
    path: '/profile/follow-requests/{request_id}/approve',
    access: 'member',
    feature: 'followers',
    summary: 'Let somebody follow the caller',
    params: requestId,
    response: messageAnd(Type.Object({ id: Id, status: oneOf(FOLLOW_STATUSES) })),
    errors: ['request_not_found'],
  }),
  reject: route({
    method: 'POST',
    path: '/profile/follow-requests/{request_id}/reject',
    access: 'member',
    feature: 'followers',
    summary: 'Refuse a request to follow the caller; it may be sent again',
    params: requestId,
    response: Message,
    errors: ['request_not_found'],
  }),
} as const
