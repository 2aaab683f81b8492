import type { Person } from '../people.ts'
import type { Group } from '../spaces.ts'
import type { DemoTopic } from '../topics.ts'
import type { ROLES } from './membership.ts'
import type { ReactionType } from './reactions.ts'

/**
 * What the generator yields. Rows name one another by index from 0, in the order in which they come; all moments are unix seconds.
 * Counts that a database keeps stand with the rows, so that nothing has to be updated afterwards.
 */
export interface Member extends Person {
  created_at: number
  last_activity: number
}

export type { Group }

export interface Space {
  creator: number
  group: number
  title: string
  slug: string
  description: string
  privacy: 'public' | 'private' | 'secret'
  position: number
  emoji: string
  members_count: number
  posts_count: number
  created_at: number
}

export interface Topic extends Omit<DemoTopic, 'group'> {
  /** Spaces that offer it; null: every place does. */
  spaces: number[] | null
}

export interface Membership {
  space: number
  member: number
  role: (typeof ROLES)[number]
  created_at: number
}

export interface Follow {
  follower: number
  following: number
  created_at: number
}

/** A post without its words, which `postWriter` makes from the scene. */
export interface Post {
  author: number
  space: number | null
  type: 'feed' | 'question' | 'announcement'
  privacy: 'public' | 'private'
  topics: number[]
  comments_count: number
  reactions_count: number
  created_at: number
  /** The last comment, or the post itself. */
  active_at: number
}

/** A comment without its words, which `commentWriter` makes from the scene. */
export interface Comment {
  author: number
  post: number
  /** A top-level comment of the same post, earlier in the list. */
  parent: number | null
  reactions_count: number
  created_at: number
}

export interface Reaction {
  user: number
  object_type: 'feed' | 'comment'
  /** Index of the post or of the comment. */
  object: number
  /** The post, or the comment's post. */
  post: number
  type: ReactionType
  created_at: number
}

export interface Bookmark {
  user: number
  post: number
  created_at: number
}

/** One row a voter; `slots` are the positions of the options. */
export interface Vote {
  user: number
  post: number
  slots: number[]
  options: string[]
  created_at: number
}
