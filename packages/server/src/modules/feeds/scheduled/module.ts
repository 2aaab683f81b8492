import { api } from '@lyceum/contract'
import type { Module } from '../../../core/module.ts'
import { mailReminder, remindOfDue } from './reminder.ts'
import { scheduledHandlers } from './routes.ts'

export const scheduled: Module = {
  name: 'scheduled',
  mount: (mount) => mount('scheduledPosts', api.scheduledPosts, scheduledHandlers),
  listeners: [remindOfDue],
  jobs: [mailReminder],
}
