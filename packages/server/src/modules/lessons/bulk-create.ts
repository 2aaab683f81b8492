import { randomSuffix, slugify } from '@lyceum/content'
import { type api, type BodyOf, COURSE_LESSONS, LESSON_SLUG_LENGTH } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { closeLessonGaps, lockedCourseFor, ownerOf, reconcileCourse } from '../courses/index.ts'
import { createLessonFeed } from '../feeds/index.ts'
import { attachMedia } from '../media/index.ts'
import { saveQuiz } from '../quizzes/index.ts'
import { lessonOrder, sectionIn, slugsIn } from './queries.ts'
import { cleanTitle, columnsOf } from './validation.ts'

type UpdateBody = BodyOf<typeof api.lessons.update>

/** Input of a lesson to add; `content` is already sanitized. */
interface AddedLesson extends Pick<UpdateBody, 'slug' | 'status' | 'video_url' | 'duration' | 'is_preview' | 'resources' | 'quiz'> {
  readonly title: string
  readonly type: 'lesson' | 'quiz'
  readonly content: string
}

export interface LessonAdder {
  /** Appends a lesson. @throws section_not_found, duplicate_slug, invalid_url, invalid_data, pro_feature_required */
  add(sectionId: number, lesson: AddedLesson): Promise<void>
  /** Call this after the last lesson: updates counters once and emits events for published lessons. */
  done(): Promise<void>
}

/**
 * Adds many lessons to a course in linear time: positions are assigned in sequence, and counters are updated once. Locks the course's row.
 * Sections must be filled in their order.
 * @throws course_not_found, rest_forbidden
 */
export const addLessons = async (ctx: WriteRequest, courseId: number): Promise<LessonAdder> => {
  const { db, now } = ctx
  const userId = ownerOf(await lockedCourseFor(ctx, courseId, 'manage'), ctx.actor.id)
  const taken = new Set(await slugsIn(db, [courseId]))
  await closeLessonGaps(db, [courseId])
  let position = (await lessonOrder(db, [courseId])).length
  const published: number[] = []

  const slugFor = (wanted: string | undefined, title: string): string => {
    if (wanted !== undefined && taken.has(wanted)) throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
    const made = wanted ?? (slugify(title, LESSON_SLUG_LENGTH - 7) || 'lesson')
    const slug = taken.has(made) ? `${made}-${randomSuffix()}` : made
    taken.add(slug)
    return slug
  }

  const feedFor = async (lessonId: number, title: string) => {
    const feedId = await createLessonFeed(db, { lessonId, title, userId }, now)
    await db.updateTable('lessons').set({ feed_id: feedId }).where('id', '=', lessonId).execute()
    published.push(lessonId)
  }

  return {
    add: async (sectionId, { type, status = 'draft', content, quiz, ...body }) => {
      if (position >= COURSE_LESSONS) throw invalidField('lessons', `must be at most ${COURSE_LESSONS} lessons per course`)
      if (!(await sectionIn(db, [sectionId, courseId]))) throw new ApiError('section_not_found')
      const { slug: wanted, ...columns } = columnsOf(body)
      const title = cleanTitle(body.title)
      const slug = slugFor(wanted, title)
      const { id, video_url, resources } = await db
        .insertInto('lessons')
        .values({
          ...columns,
          course_id: courseId,
          section_id: sectionId,
          type,
          status,
          content,
          position: ++position,
          slug,
          title,
          created_at: now,
          updated_at: now,
          feed_id: null,
        })
        .returning(['id', 'video_url', 'resources'])
        .executeTakeFirstOrThrow()
      if (quiz !== undefined) await saveQuiz(ctx, { id, type }, quiz)
      await attachMedia(ctx, { source: 'lesson', objectId: id, urls: [content, video_url, resources], isNew: true })
      if (status === 'published') await feedFor(id, title)
    },

    done: async () => {
      await reconcileCourse(ctx, courseId)
      for (const lesson_id of published) await ctx.emit('lesson.published', { lesson_id, course_id: courseId })
    },
  }
}
