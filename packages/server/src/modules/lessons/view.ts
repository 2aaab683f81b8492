import type { Infer, Lesson } from '@lyceum/contract'
import { pick } from '../../util/pick.ts'
import type { LessonLock, LessonRecord } from '../courses/index.ts'

export type LessonView = Infer<typeof Lesson>

/**
 * A lesson in the API's shape; the content of a locked lesson is omitted. `comments`: their number, or null if the caller may not read
 * them.
 */
export const viewLesson = (row: LessonRecord, lock: LessonLock, comments: number | null): LessonView => {
  const isLocked = lock.reason !== null
  const isTalkedOf = !isLocked && comments !== null
  return {
    ...pick(row, 'id', 'course_id', 'section_id', 'title', 'slug', 'type', 'status', 'duration', 'created_at', 'updated_at'),
    content: isLocked ? '' : row.content,
    video_url: isLocked ? '' : row.video_url,
    order: row.position,
    is_preview: row.is_preview === 1,
    is_completed: row.my_completed_at !== null,
    is_locked: isLocked,
    lock_reason: lock.reason,
    unlock_date: lock.unlock_date,
    resources: isLocked ? [] : (JSON.parse(row.resources) as LessonView['resources']),
    feed_id: isTalkedOf ? row.feed_id : null,
    comments_count: isTalkedOf ? comments : 0,
  }
}
