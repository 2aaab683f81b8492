import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { job } from '../../jobs/index.ts'
import { type RecountInput, recountStudents } from '../courses/index.ts'
import { certificatePages } from './certificate-routes.ts'
import { certificateHandlers, progressHandlers } from './routes.ts'

export const progress: Module = {
  name: 'progress',
  mount: (mount) => {
    mount('progress', api.progress, progressHandlers)
    mount('certificates', api.certificates, certificateHandlers)
  },
  pages: certificatePages,
  jobs: [job<RecountInput>('progress.recount', recountStudents)],
}
