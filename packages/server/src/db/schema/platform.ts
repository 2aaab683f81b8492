import type { AccountStatus } from '@lyceum/contract'
import type { Generated } from 'kysely'
import type { Datetime, Flag, Json } from './types.ts'

export interface UserRow {
  id: Generated<number>
  username: string
  email: string
  password_hash: string | null
  display_name: string
  first_name: Generated<string>
  last_name: Generated<string>
  short_description: Generated<string>
  location: Generated<string>
  website: Generated<string>
  avatar: Generated<string>
  cover_photo: Generated<string>
  social_links: Generated<Json>
  badge_slugs: Generated<Json>
  is_verified: Generated<Flag>
  is_private: Generated<Flag>
  status: Generated<AccountStatus>
  total_points: Generated<number>
  followers_count: Generated<number>
  followings_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
  last_activity: Datetime | null
}

export interface ManagerRow {
  id: Generated<number>
  user_id: number
  role: 'admin' | 'manager' | 'moderator'
  permissions: Json
  all_spaces: Flag
  status: Generated<'active' | 'inactive'>
  assigned_by: number | null
  created_at: Datetime
  updated_at: Datetime
}

export interface ManagerSpaceRow {
  user_id: number
  space_id: number
}

export interface ApplicationPasswordRow {
  id: Generated<number>
  user_id: number
  name: string
  hash: string
  created_at: Datetime
  last_used_at: Datetime | null
  last_ip: string | null
  /** The application password with which it was made: it is revoked together with that one. */
  parent_id: number | null
}

export interface SessionRow {
  id: Generated<number>
  user_id: number
  token_hash: string
  created_at: Datetime
  last_used_at: Datetime
  expires_at: Datetime
  ip: string
  user_agent: string
}

/**
 * One-time links: password reset, first set-up, confirmation of a registration, change of the e-mail address and its undoing. `email` is the
 * address that the account gets by the last two.
 */
export interface TokenRow {
  hash: string
  purpose: 'reset' | 'setup' | 'verify' | 'email' | 'undo'
  user_id: number | null
  created_at: Datetime
  expires_at: Datetime
  email: string | null
}

/**
 * What an account that is not confirmed will be called. Its row in `users` has placeholders for username and address, so that it keeps nobody
 * else from either.
 */
export interface SignupRow {
  user_id: number
  username: string
  email: string
  /** Hash of the token in the cookie of the browser that registered. */
  browser_hash: string | null
}

/** A failed sign-in, without what was typed. */
export interface SignInFailureRow {
  id: Generated<number>
  /** The account that was meant; null: there is no such account. */
  user_id: number | null
  /** The network that the request came from: the address without its last part. */
  network: string
  created_at: Datetime
}

export interface SettingRow {
  key: string
  value: Json
  updated_at: Datetime
}

export interface EventRow {
  id: Generated<number>
  name: string
  actor_id: number | null
  payload: Json
  created_at: Datetime
}

export interface JobRow {
  id: Generated<number>
  event_id: number | null
  name: string
  /** 1: it talks to the outside and runs without a transaction. */
  outgoing: Generated<Flag>
  payload: Json
  run_at: Datetime
  attempts: Generated<number>
  status: Generated<'ready' | 'parked'>
  last_error: string | null
  created_at: Datetime
}

export interface IdempotencyKeyRow {
  scope: string
  key: string
  request_hash: string
  status: number
  /** The answer, sealed: it may hold a secret that is shown once. */
  body: string
  created_at: Datetime
}
