import { timestamp } from '../../../server/src/core/clock.ts'
import { type Db, insertRows, updateRows, type Value } from '../../../server/src/db/index.ts'
import type { Renaming } from './free-names.ts'

/** Database ids by index in the plan. */
export interface Placed {
  readonly groups: number[]
  readonly users: number[]
  readonly spaces: number[]
  readonly topics: number[]
  readonly feeds: number[]
  /** The space of each feed. */
  readonly feedSpaces: (number | null)[]
  readonly comments: number[]
  /** The feeds with a survey: whether several options may be chosen. */
  readonly surveys: Map<number, boolean>
}

export const nothingPlaced = (): Placed => ({
  groups: [],
  users: [],
  spaces: [],
  topics: [],
  feeds: [],
  feedSpaces: [],
  comments: [],
  surveys: new Map(),
})

/** Context of all insert steps. */
export interface Scene {
  readonly placed: Placed
  readonly renaming: Renaming
}

/** Converts Unix seconds to the database format. */
export const moment = (seconds: number): string => timestamp(new Date(seconds * 1000))

export const placeOf = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`the plan names row ${index} before it comes`)
  return found
}

/** Counts rows per key. */
export const tally = <Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, number> => {
  const counts = new Map<Key, number>()
  for (const row of rows) {
    const key = keyOf(row)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

type Counted =
  | readonly ['spaces', 'members_count' | 'posts_count']
  | readonly ['topics', 'posts_count']
  | readonly ['feeds' | 'comments', 'reactions_count']
  | readonly ['users', 'followers_count' | 'followings_count']

/** Increments a counter column of many rows. */
export const raise = (db: Db, [table, column]: Counted, counts: ReadonlyMap<number, number>) =>
  updateRows(db, table, { id: 'bigint', n: 'bigint' }, `${column} = ${column} + d.n`, `${table}.id = d.id`, [...counts])

export interface NewActivity {
  readonly user: number
  readonly action:
    | 'post_created'
    | 'comment_added'
    | 'reaction_added'
    | 'bookmark_added'
    | 'space_created'
    | 'space_joined'
    | 'follow_user'
    | 'course_enrolled'
    | 'lesson_completed'
  readonly on: readonly ['feed' | 'comment' | 'space' | 'user' | 'course' | 'lesson', number]
  readonly space: number | null
  readonly feed?: number
  readonly comment?: number
  readonly at: string
}

export const ACTIVITY = ['user_id', 'action_type', 'object_type', 'object_id', 'space_id', 'feed_id', 'comment_id', 'created_at']

export const activityRow = ({ user, action, on, space, feed, comment, at }: NewActivity): Value[] => [
  user,
  action,
  ...on,
  space,
  feed ?? null,
  comment ?? null,
  at,
]

/** Inserts the activities that event listeners would record. */
export const recordActivities = (db: Db, activities: readonly NewActivity[]) =>
  insertRows(db, 'activities', ACTIVITY, activities.map(activityRow))
