import { api } from '@lyceum/contract'
import { job } from '../../platform/jobs/index.ts'
import type { Module } from '../../platform/module.ts'
import { type Recount, recountStudents } from '../courses/index.ts'
import { certificatePages } from './pages.ts'
import { certificateHandlers, progressHandlers } from './routes.ts'

export { eraseLearning } from './forget.ts'

export const progress: Module = {
  name: 'progress',
  mount: (mount) => {
    mount('progress', api.progress, progressHandlers)
    mount('certificates', api.certificates, certificateHandlers)
  },
  pages: certificatePages,
  jobs: [job<Recount>('progress.recount', recountStudents)],
}
