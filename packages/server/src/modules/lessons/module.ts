import { api, type ParamsOf } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import type { Module } from '../../core/module.ts'
import { lessonFor, requireCourseManager } from '../courses/index.ts'
import { courseCopyHandlers } from './duplicate.ts'
import { adminLessonHandlers, lessonHandlers } from './routes.ts'

type LessonPath = ParamsOf<typeof api.lessons.update>

export const lessons: Module = {
  name: 'lessons',
  mount: (mount) => {
    mount('courseCopies', api.courseCopies, courseCopyHandlers, { section: requireCourseManager })
    const update = (ctx: ReadRequest, path: LessonPath) => lessonFor(ctx, path.course_id, path.lesson_id, 'manage')
    mount('lessons', api.lessons, lessonHandlers, { update, reorder: requireCourseManager })
    mount('adminLessons', api.adminLessons, adminLessonHandlers, {
      create: requireCourseManager,
      move: requireCourseManager,
      reorder: requireCourseManager,
    })
  },
}
