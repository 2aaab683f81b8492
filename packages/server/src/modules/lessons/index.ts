import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { courseCopyHandlers } from './copies.ts'
import { adminLessonHandlers, lessonHandlers } from './routes.ts'

export { type AddedLesson, addLessons, type LessonAdder } from './batch.ts'
export { createLesson, updateLesson } from './changes.ts'

export const lessons: Module = {
  name: 'lessons',
  mount: (mount) => {
    mount('courseCopies', api.courseCopies, courseCopyHandlers)
    mount('lessons', api.lessons, lessonHandlers)
    mount('adminLessons', api.adminLessons, adminLessonHandlers)
  },
}
