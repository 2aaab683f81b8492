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
  /** The application password that created it; both are revoked together. */
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
 * One-time links: password reset, first setup, confirmation of a registration, change of the email address and its reversal. `email` is the
 * address that the last two set.
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
 * The username and address of an unconfirmed account. Its row in `users` has placeholders, so that it reserves neither.
 */
export interface SignupRow {
  user_id: number
  username: string
  email: string
  /** Hash of the cookie token of the browser that registered. */
  browser_hash: string | null
}

/** A failed sign-in, without the input. */
export interface SignInFailureRow {
  id: Generated<number>
  /** null: there is no such account. */
  user_id: number | null
  /** The network of the client: the address without its last part. */
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

/** An event whose listeners have not run yet. */
export interface PendingEventRow {
  event_id: number
}

export interface JobRow {
  id: Generated<number>
  event_id: number | null
  name: string
  /** 1: it makes outbound requests and runs outside of transactions. */
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
  /** The response, encrypted, since it can contain a secret that is shown once. */
  body: string
  created_at: Datetime
}
