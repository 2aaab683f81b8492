import { route } from '../route.ts'
import {
  Count,
  Datetime,
  dataOf,
  Id,
  Message,
  messageAnd,
  named,
  nullable,
  Order,
  oneOf,
  paginatorOf,
  paging,
  pathId,
} from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const NOTIFICATION_TYPES = [
  'new_comment',
  'new_reply',
  'new_reaction',
  'new_follower',
  'mention',
  'space_invite',
  'space_join',
  'course_enrollment',
  'lesson_complete',
  'moderation',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Most notifications that the answer about unread ones holds. */
export const UNREAD_SHOWN = 50
/** People of one notification are counted up to this. */
export const ACTORS_COUNTED = 100

export const Notification = named('Notification', {
  id: Id,
  user_id: Type.Integer({ minimum: 1, description: 'The recipient' }),
  type: oneOf(NOTIFICATION_TYPES),
  title: Type.String({ description: 'One sentence, plain text' }),
  message: Type.String({ description: 'What it is about, plain text' }),
  action_url: Type.String({ description: 'Where it leads to in the web app' }),
  is_read: Type.Boolean(),
  actor_id: Type.Integer({
    minimum: 1,
    description: 'Who caused it last; of what moderators decided the recipient, since they are not named',
  }),
  actors_count: Type.Integer({ minimum: 1, description: `How many people caused it, counted up to ${ACTORS_COUNTED}` }),
  object_id: Id,
  object_type: Type.String({ examples: ['feed', 'comment', 'space', 'user'] }),
  about: Type.Object(
    {
      feed: Type.String({ description: 'Title or beginning of the post' }),
      comment: Type.String({ description: 'Beginning of the comment' }),
      place: Type.String({ description: 'Title of the space or of the course' }),
      pending: Type.Boolean({ description: 'What somebody asked for, to follow or to join, is still open' }),
      everyone: Type.Boolean({ description: 'Everybody was mentioned, not the recipient alone' }),
    },
    {
      description: 'What the title is made of, for who says it in another language; plain texts, empty where there is nothing of the kind',
    },
  ),
  created_at: Datetime,
  updated_at: Datetime,
  read_at: nullable(Datetime),
  xprofile: Xprofile,
})

export const MAIL_TYPES = ['new_comment', 'new_reaction', 'new_follower', 'mention', 'space_invite'] as const
export const PUSH_TYPES = ['new_comment', 'new_reaction', 'mention'] as const
export const DIGEST_FREQUENCIES = ['daily', 'weekly', 'never'] as const

const switches = <const K extends readonly string[]>(keys: K) =>
  Object.fromEntries(keys.map((key) => [key, Type.Boolean()])) as Record<K[number], ReturnType<typeof Type.Boolean>>

export const NotificationPreferences = named('NotificationPreferences', {
  email_notifications: Type.Object(switches(MAIL_TYPES)),
  push_notifications: Type.Object(switches(PUSH_TYPES)),
  digest_frequency: oneOf(DIGEST_FREQUENCIES),
})

const params = pathId('notification_id')
const ofUser = Type.Object({ username: Type.String() })

export const notifications = {
  list: route({
    method: 'GET',
    path: '/notifications',
    access: 'member',
    summary: 'The caller’s notifications, newest first',
    description:
      'What the caller may no longer see, such as a comment in a space that they have left, is neither shown nor counted. Comments, replies and reactions to one thing are one notification until it is read; a further one brings it to the top.',
    query: Type.Object({
      ...paging(20),
      is_read: Type.Optional(Type.Boolean()),
      type: Type.Optional(oneOf(NOTIFICATION_TYPES)),
      orderby: Type.Optional(oneOf(['created_at'])),
      order: Type.Optional(Order),
    }),
    response: Type.Object({ notifications: paginatorOf(Notification) }),
  }),
  unread: route({
    method: 'GET',
    path: '/notifications/unread',
    access: 'member',
    summary: `The newest unread notifications, at most ${UNREAD_SHOWN}, and how many there are`,
    response: Type.Object({ notifications: Type.Array(Notification), unread_count: Count }),
  }),
  read: route({
    method: 'POST',
    path: '/notifications/{notification_id}/read',
    access: 'member',
    summary: 'Mark one as read; does nothing to one that is',
    params,
    response: messageAnd(Type.Object({ id: Id, is_read: Type.Boolean(), read_at: nullable(Datetime) })),
    errors: ['notification_not_found', 'rest_forbidden'],
  }),
  markAllRead: route({
    method: 'POST',
    path: '/notifications/mark-all-read',
    access: 'member',
    summary: 'Mark all as read',
    response: messageAnd(Type.Object({ marked_count: Count })),
  }),
  remove: route({
    method: 'DELETE',
    path: '/notifications/{notification_id}',
    access: 'member',
    summary: 'Delete one',
    params,
    response: Message,
    errors: ['notification_not_found', 'rest_forbidden'],
  }),
  removeAll: route({
    method: 'DELETE',
    path: '/notifications/delete-all',
    access: 'member',
    summary: 'Delete all',
    response: messageAnd(Type.Object({ deleted_count: Count })),
  }),
  preferences: route({
    method: 'GET',
    path: '/profile/{username}/notification-preferences',
    access: 'member',
    summary: 'What the caller wants to be told by mail and push message; `me` is the caller',
    params: ofUser,
    response: dataOf(NotificationPreferences),
    errors: ['invalid_username', 'user_not_found', 'rest_forbidden'],
  }),
  savePreferences: route({
    method: 'POST',
    path: '/profile/{username}/notification-preferences',
    access: 'member',
    summary: 'Change one’s preferences; what is left out stays',
    params: ofUser,
    body: Type.Object({
      email_notifications: Type.Optional(Type.Partial(Type.Object(switches(MAIL_TYPES)))),
      push_notifications: Type.Optional(Type.Partial(Type.Object(switches(PUSH_TYPES)))),
      digest_frequency: Type.Optional(oneOf(DIGEST_FREQUENCIES)),
    }),
    wrapper: 'user_globals',
    response: messageAnd(NotificationPreferences),
    errors: ['invalid_username', 'user_not_found', 'rest_forbidden'],
  }),
} as const
