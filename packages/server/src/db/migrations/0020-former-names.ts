import type { Up } from './dialect.ts'

/** Usernames that stay reserved after a rename or a deletion, and push subscriptions that end with their session. */
export const formerNames: Up = ({ int, text }) => [
  `create table former_usernames (
      username_hash ${text} primary key, user_id ${int} references users (id) on delete set null, until ${text} not null)`,
  `create index former_usernames_user on former_usernames (user_id) where user_id is not null`,
  `create index former_usernames_until on former_usernames (until)`,
  `alter table push_subscriptions add column session_id ${int} references sessions (id) on delete cascade`,
  `create index push_subscriptions_session on push_subscriptions (session_id) where session_id is not null`,
]
