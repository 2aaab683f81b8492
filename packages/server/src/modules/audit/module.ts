import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { auditHandlers } from './routes.ts'
import { sweepSignInFailures } from './sign-in-failures.ts'

export const auditLog: Module = {
  name: 'audit',
  mount: (mount) => mount('audit', api.audit, auditHandlers),
  recurringTasks: [sweepSignInFailures],
}
