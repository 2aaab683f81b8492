import { MAIL_TYPES, NOTIFICATION_TYPES, PUSH_TYPES } from '../constants.ts'
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

/** Maximum number of notifications in the list of unread ones. */
export const MAX_UNREAD_LISTED = 50
/** Limit for the number of actors of a notification. */
export const MAX_ACTORS_COUNTED = 100

export const Notification = named('Notification', {
  id: Id,
  user_id: Type.Integer({ minimum: 1, description: 'Id of the recipient.' }),
  type: oneOf(NOTIFICATION_TYPES),
  title: Type.String({ description: 'One sentence that describes the notification, as plain text.' }),
  message: Type.String({ description: 'Excerpt of the content that the notification is about, as plain text.' }),
  action_url: Type.String({ description: 'URL of the page in the web app.' }),
  is_read: Type.Boolean(),
  actor_id: Type.Integer({
    minimum: 1,
    description: 'Id of the last actor. For decisions by moderators, who stay anonymous, it is the id of the recipient.',
  }),
  actors_count: Type.Integer({ minimum: 1, description: `Number of actors, up to ${MAX_ACTORS_COUNTED}.` }),
  object_id: Id,
  object_type: Type.String({ examples: ['feed', 'comment', 'space', 'user'] }),
  about: Type.Object(
    {
      feed: Type.String({ description: 'Title or beginning of the feed.' }),
      comment: Type.String({ description: 'Beginning of the comment.' }),
      place: Type.String({ description: 'Title of the space or course.' }),
      pending: Type.Boolean({ description: 'Whether the follow or join request is still open.' }),
      everyone: Type.Boolean({ description: 'Whether everyone was mentioned, not only the recipient.' }),
    },
    {
      description: 'The parts of the title as plain text, for clients that translate it; parts that do not apply are empty.',
    },
  ),
  created_at: Datetime,
  updated_at: Datetime,
  read_at: nullable(Datetime),
  xprofile: Xprofile,
})

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
    summary: 'List notifications',
    description:
      'Returns the caller’s notifications, newest first. Notifications about content that the caller can no longer see are neither listed nor counted. Comments, replies and reactions to one object share a notification until it is read; a new one moves it to the top.',
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
    summary: 'List unread notifications',
    response: Type.Object({ notifications: Type.Array(Notification), unread_count: Count }),
  }),
  read: route({
    method: 'POST',
    path: '/notifications/{notification_id}/read',
    access: 'member',
    summary: 'Mark a notification as read',
    params,
    response: messageAnd(Type.Object({ id: Id, is_read: Type.Boolean(), read_at: nullable(Datetime) })),
    errors: ['notification_not_found', 'rest_forbidden'],
  }),
  markAllRead: route({
    method: 'POST',
    path: '/notifications/mark-all-read',
    access: 'member',
    summary: 'Mark all notifications as read',
    response: messageAnd(Type.Object({ marked_count: Count })),
  }),
  remove: route({
    method: 'DELETE',
    path: '/notifications/{notification_id}',
    access: 'member',
    summary: 'Delete a notification',
    params,
    response: Message,
    errors: ['notification_not_found', 'rest_forbidden'],
  }),
  removeAll: route({
    method: 'DELETE',
    path: '/notifications/delete-all',
    access: 'member',
    summary: 'Delete all notifications',
    response: messageAnd(Type.Object({ deleted_count: Count })),
  }),
  preferences: route({
    method: 'GET',
    path: '/profile/{username}/notification-preferences',
    access: 'member',
    summary: 'Get notification preferences',
    params: ofUser,
    response: dataOf(NotificationPreferences),
    errors: ['invalid_username', 'user_not_found', 'rest_forbidden'],
  }),
  savePreferences: route({
    method: 'POST',
    path: '/profile/{username}/notification-preferences',
    access: 'member',
    summary: 'Update notification preferences',
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
