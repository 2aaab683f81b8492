import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { auditHandlers } from './routes.ts'

export const auditLog: Module = {
  name: 'audit',
  mount: (mount) => mount('audit', api.audit, auditHandlers),
}
