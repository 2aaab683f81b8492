import type { Up } from './dialect.ts'

/** Credentials that are revoked together, addresses to confirm, and registrations that reserve nothing. */
export const credentials: Up = ({ int, text }) => [
  `alter table application_passwords add column parent_id ${int} references application_passwords (id) on delete cascade`,
  `create index application_passwords_parent on application_passwords (parent_id) where parent_id is not null`,
  `alter table tokens add column email ${text}`,
  `create index tokens_email on tokens (email) where email is not null`,
  `create table signups (
      user_id ${int} primary key references users (id) on delete cascade, username ${text} not null, email ${text} not null,
      browser_hash ${text})`,
  `create index signups_username on signups (username)`,
  `create index signups_email on signups (email)`,
  `insert into signups (user_id, username, email) select id, username, email from users where status = 'unverified'`,
  `delete from person_names where user_id in (select user_id from signups)`,
  `update users set username = '~' || id, email = '~' || id where status = 'unverified'`,
]
