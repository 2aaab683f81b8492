import type { Followed } from './followed.ts'

const EVERY = ['insert', 'update', 'delete'] as const

/**
 * What more is told where changes are told exactly: it is for what one caller sees, which is kept nowhere else.
 * `sight`: something that stood may have come into or left somebody's sight; who is in which space is told apart from that.
 */
export const FOLLOWED_EXACTLY: readonly Followed[] = [
  // Whose credentials they are and what they may do: names and points change far more often.
  { table: 'users', on: ['update of username, email, status', 'delete'], subjects: { account: 'id' } },
  { table: 'managers', on: EVERY, subjects: { account: 'user_id' } },
  { table: 'manager_spaces', on: EVERY, subjects: { account: 'user_id' } },
  { table: 'application_passwords', on: ['update of hash, user_id', 'delete'], subjects: { account: 'user_id' } },
  { table: 'notifications', on: EVERY, subjects: { notices: 'user_id' } },
  {
    table: 'notification_causes',
    on: EVERY,
    subjects: { notices: '(select n.user_id from notifications n where n.id = $row.notification_id)' },
  },
  { table: 'followers', on: EVERY, subjects: { notices: 'following_id' } },
  { table: 'space_members', on: EVERY, subjects: { within: 'space_id' } },
  { table: 'feeds', on: ['delete', 'update of status, listed, privacy, space_id, user_id, lesson_id'], subjects: { sight: '' } },
  { table: 'feeds', on: ['insert', 'delete', 'update of status, listed, privacy, space_id, user_id'], subjects: { writer: 'user_id' } },
  { table: 'feeds', on: ['delete', 'update of title, slug, message_rendered'], subjects: { words: 'id' } },
  { table: 'comments', on: ['delete', 'update of status, user_id, post_id'], subjects: { sight: '' } },
  { table: 'comments', on: ['insert', 'delete', 'update of status, user_id, post_id'], subjects: { writer: 'user_id' } },
  { table: 'users', on: ['delete', 'update of status, is_private, username'], subjects: { sight: '' } },
  { table: 'users', on: ['update', 'delete'], subjects: { profile: 'id' } },
  { table: 'spaces', on: ['insert', 'delete', 'update of privacy, status, settings'], subjects: { sight: '' } },
  { table: 'courses', on: EVERY, subjects: { sight: '' } },
  { table: 'lessons', on: EVERY, subjects: { sight: '' } },
  { table: 'enrolments', on: EVERY, subjects: { sight: '' } },
  { table: 'lesson_completions', on: EVERY, subjects: { sight: '' } },
  { table: 'activities', on: EVERY, subjects: { activities: '' } },
  { table: 'bookmarks', on: EVERY, subjects: { bookmarks: 'user_id' } },
  { table: 'settings', on: EVERY, subjects: { settings: '' } },
  // What boards and ranks are made from, beside the people on them: sums are kept in the transactions of the ledger, a dozen rows for one of it.
  { table: 'points_ledger', on: ['insert', 'delete'], subjects: { points: '' } },
  { table: 'points_windows', on: ['update of state', 'delete'], subjects: { points: '' } },
  { table: 'achievements', on: EVERY, subjects: { points: '' } },
  { table: 'analytics_state', on: ['update'], subjects: { figures: '' } },
  // What searches find.
  { table: 'feed_changes', on: ['insert'], subjects: { finds: '' } },
]
