import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { requireCourseManager } from '../courses/index.ts'
import { checkSubmits } from './attempts.ts'
import { adminQuizHandlers, quizHandlers } from './routes.ts'

export const quizzes: Module = {
  name: 'quizzes',
  mount: (mount) => {
    mount('quizzes', api.quizzes, quizHandlers, { submit: checkSubmits })
    mount('adminQuizzes', api.adminQuizzes, adminQuizHandlers, { grade: requireCourseManager })
  },
}
