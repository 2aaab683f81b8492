import { type Route, route } from '../route.ts'
import { Datetime, Id, listOf, Message, messageAnd, named, oneOf, paginatorOf, paging, pathId } from '../shapes/common.ts'
import { CurrentUserFollows, Xprofile } from '../shapes/xprofile.ts'
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
  avatar: Type.String({ description: 'URL of the avatar; may be empty.' }),
})

/** A follow relationship with the other member. */
export const FollowRelationship = named('FollowRelationship', {
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
const waiting = 'Status of the relationship. Pending requests are listed only for the member who sent or received them.'
const listing = {
  method: 'GET',
  access: 'member',
  feature: 'followers',
  params: username,
  query: Type.Object({ ...paging(20), status: Type.Optional(oneOf(FOLLOW_STATUSES, { default: 'active', description: waiting })) }),
  errors: ['invalid_username', 'user_not_found', 'rest_forbidden'],
} as const satisfies Partial<Route>
const closed = 'The lists of a private profile are visible only to its owner, its followers and moderators.'

export const followers = {
  follow: route({
    method: 'POST',
    path: '/profile/{username}/follow',
    access: 'member',
    feature: 'followers',
    writeLimit: 'follows',
    summary: 'Follow a member',
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
    alternateStatus: 200,
    errors: ['invalid_username', 'user_not_found', 'cannot_follow_self', 'already_following'],
  }),
  unfollow: route({
    method: 'POST',
    path: '/profile/{username}/unfollow',
    access: 'member',
    feature: 'followers',
    writeLimit: 'follows',
    summary: 'Unfollow a member',
    params: username,
    response: Message,
    errors: ['invalid_username', 'user_not_found', 'not_following'],
  }),
  removeFollower: route({
    method: 'POST',
    path: '/profile/{username}/remove-follower',
    access: 'member',
    feature: 'followers',
    summary: 'Remove a follower',
    description: 'Also rejects a pending request. The removed member can follow again, or request it again if the profile is private.',
    params: username,
    response: Message,
    errors: ['invalid_username', 'user_not_found', 'not_following'],
  }),
  followers: route({
    ...listing,
    path: '/profile/{username}/followers',
    summary: 'List followers',
    description: closed,
    response: Type.Object({ followers: paginatorOf(FollowRelationship), current_user_follows: CurrentUserFollows }),
  }),
  followings: route({
    ...listing,
    path: '/profile/{username}/followings',
    summary: 'List followed members',
    description: closed,
    response: Type.Object({ followings: paginatorOf(FollowRelationship), current_user_follows: CurrentUserFollows }),
  }),
  status: route({
    method: 'GET',
    path: '/profile/{username}/follow-status',
    access: 'member',
    feature: 'followers',
    summary: 'Get the follow status',
    params: username,
    response: Type.Object({
      data: Type.Object({
        is_following: Type.Boolean({ description: 'Whether the caller follows the member; false while a request is pending.' }),
        status: oneOf(['', ...FOLLOW_STATUSES], { description: 'Status of the relationship; empty if there is none.' }),
        followed_at: Type.Optional(Datetime),
        is_followed_by: Type.Boolean({ description: 'Whether the member follows the caller.' }),
      }),
    }),
    errors: ['invalid_username', 'user_not_found'],
  }),
  requests: route({
    method: 'GET',
    path: '/profile/follow-requests',
    access: 'member',
    feature: 'followers',
    summary: 'List follow requests',
    query: Type.Object(paging(100)),
    response: listOf(FollowRequest),
  }),
  approve: route({
    method: 'POST',
    path: '/profile/follow-requests/{request_id}/approve',
    access: 'member',
    feature: 'followers',
    summary: 'Approve a follow request',
    params: requestId,
    response: messageAnd(Type.Object({ id: Id, status: oneOf(FOLLOW_STATUSES) })),
    errors: ['request_not_found'],
  }),
  reject: route({
    method: 'POST',
    path: '/profile/follow-requests/{request_id}/reject',
    access: 'member',
    feature: 'followers',
    summary: 'Reject a follow request',
    params: requestId,
    response: Message,
    errors: ['request_not_found'],
  }),
} as const
