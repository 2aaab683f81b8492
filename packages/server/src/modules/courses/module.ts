import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { requireCourseCreator, requireCourseManager } from './access.ts'
import { adminCourseHandlers, courseHandlers, courseSectionHandlers } from './routes.ts'

export const courses: Module = {
  name: 'courses',
  mount: (mount) => {
    mount('courses', api.courses, courseHandlers, { create: requireCourseCreator, update: requireCourseManager })
    mount('adminCourses', api.adminCourses, adminCourseHandlers, {
      saveLockscreens: requireCourseManager,
      addStudent: requireCourseManager,
    })
    const manage = requireCourseManager
    mount('courseSections', api.courseSections, courseSectionHandlers, { create: manage, update: manage, patch: manage, reorder: manage })
  },
}
