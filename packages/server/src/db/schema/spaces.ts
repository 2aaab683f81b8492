import type { Generated } from 'kysely'
import type { Datetime, Json } from './types.ts'

export interface SpaceGroupRow {
  id: Generated<number>
  title: string
  slug: string
  description: Generated<string>
  position: number
  settings: Json
  created_at: Datetime
  updated_at: Datetime
}

export interface SpaceRow {
  id: Generated<number>
  created_by: number | null
  /** The space's group. */
  parent_id: number | null
  title: string
  slug: string
  logo: Generated<string>
  cover_photo: Generated<string>
  description: Generated<string>
  type: Generated<string>
  privacy: Generated<'public' | 'private' | 'secret'>
  status: Generated<'published' | 'draft' | 'archived'>
  position: number
  settings: Json
  lockscreen: Generated<Json>
  members_count: Generated<number>
  /** Listed feeds, public and private. */
  posts_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
}

export interface SpaceMemberRow {
  id: Generated<number>
  space_id: number
  user_id: number
  role: Generated<'member' | 'moderator' | 'admin'>
  status: Generated<'active' | 'pending' | 'banned'>
  joined_at: Datetime
  updated_at: Datetime
}
