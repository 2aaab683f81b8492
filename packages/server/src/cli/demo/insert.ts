import { type Database, type Db, indexFeeds, insertRows, reserveIds, updateRows, type Value } from '../../db/index.ts'
import { searchText } from '../../modules/feeds/index.ts'
import { timestamp } from '../../platform/clock.ts'
import { type ContentType, render } from '../../platform/content/render.ts'
import { freeSlugs, freeUsernames } from './free-names.ts'
import { createPace, type Pace } from './pace.ts'
import type { Bookmark, Comment, Group, Member, Membership, Plan, Post, Reaction, Rows, Space, Vote } from './plan.ts'

export interface InsertOptions {
  readonly database: Database
  readonly plan: Plan
  /** Whether a server works on the same data: then it is left room. */
  readonly beside: boolean
  readonly signal: AbortSignal
  readonly onProgress: (rows: Rows, done: number) => void
}

/** Where the rows of a plan, which name one another by index, stand in the database. */
interface Placed {
  readonly groups: number[]
  readonly users: number[]
  readonly spaces: number[]
  readonly feeds: number[]
  /** The space of each feed. */
  readonly feedSpaces: (number | null)[]
  readonly comments: number[]
  /** The feeds with a survey, and whether it takes several options. */
  readonly surveys: Map<number, { readonly several: boolean }>
}

const at = (seconds: number): string => timestamp(new Date(seconds * 1000))

const idOf = (ids: readonly number[], index: number): number => {
  const id = ids[index]
  if (id === undefined) throw new Error(`the plan names row ${index} before it comes`)
  return id
}

/** Counts by key. */
const tally = <Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, number> => {
  const counts = new Map<Key, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return counts
}

const ACTIVITY = ['user_id', 'action_type', 'object_id', 'object_type', 'space_id', 'feed_id', 'comment_id', 'created_at']
const addActivities = (db: Db, rows: readonly (readonly Value[])[]) => insertRows(db, 'activities', ACTIVITY, rows)

const addToFeeds = (db: Db, column: 'reactions_count', counts: ReadonlyMap<number, number>) =>
  updateRows(db, 'feeds', { id: 'bigint', n: 'bigint' }, `${column} = ${column} + d.n`, 'feeds.id = d.id', [...counts])

const addToSpaces = (db: Db, column: 'members_count' | 'posts_count', counts: ReadonlyMap<number, number>) =>
  updateRows(db, 'spaces', { id: 'bigint', n: 'bigint' }, `${column} = ${column} + d.n`, 'spaces.id = d.id', [...counts])

/** Groups that are there already are used as they are. */
const insertGroups = async (db: Db, groups: readonly Group[], placed: Placed, now: string) => {
  for (const { title, slug, description, serial } of groups) {
    await db
      .insertInto('space_groups')
      .values({ title, slug, description, serial, settings: '{}', created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .execute()
    placed.groups.push((await db.selectFrom('space_groups').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id)
  }
}

const USER = [
  'id',
  'username',
  'email',
  'display_name',
  'first_name',
  'last_name',
  'short_description',
  'location',
  'website',
  'social_links',
  'is_verified',
  'created_at',
  'updated_at',
  'last_activity',
]

/** Accounts without a password: nobody can sign in to them. */
const insertMembers = async (db: Db, members: readonly Member[], placed: Placed) => {
  const ids = await reserveIds(db, 'users', members.length)
  await insertRows(
    db,
    'users',
    USER,
    members.map((member, i) => [
      idOf(ids, i),
      member.username,
      member.email,
      member.display_name,
      member.first_name,
      member.last_name,
      member.short_description,
      member.location,
      member.website,
      JSON.stringify(member.social_links),
      member.is_verified,
      at(member.created_at),
      at(member.created_at),
      at(member.last_activity),
    ]),
  )
  return () => placed.users.push(...ids)
}
