import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { requireCourseCreator, requireCourseManager } from './access.ts'
import { adminCourseHandlers, courseHandlers } from './routes.ts'
import { courseSectionHandlers } from './section-routes.ts'

export const courses: Module = {
  name: 'courses',
  mount: (mount) => {
    mount('courses', api.courses, courseHandlers, { create: requireCourseCreator, update: requireCourseManager })
    mount('adminCourses', api.adminCourses, adminCourseHandlers, {
      saveLockscreens: requireCourseManager,
      addStudent: requireCourseManager,
    })
    const sections = {
      create: requireCourseManager,
      update: requireCourseManager,
      patch: requireCourseManager,
      reorder: requireCourseManager,
    }
    mount('courseSections', api.courseSections, courseSectionHandlers, sections)
  },
}
