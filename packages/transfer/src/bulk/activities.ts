import type { Value } from '../../../server/src/db/index.ts'

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
  readonly comment?: number | null
  readonly at: string
}

const ACTIVITY = ['user_id', 'action_type', 'object_type', 'object_id', 'space_id', 'feed_id', 'comment_id', 'created_at']

/** Adds rows as lists of column values. Table and column names must not come from users. */
export type AddRows = (table: string, columns: readonly string[], rows: readonly (readonly Value[])[]) => Promise<void>

/** Inserts the activities that event listeners would record. */
export const recordActivities = (add: AddRows, activities: readonly NewActivity[]): Promise<void> =>
  add(
    'activities',
    ACTIVITY,
    activities.map(({ user, action, on, space, feed, comment, at }) => [user, action, ...on, space, feed ?? null, comment ?? null, at]),
  )
