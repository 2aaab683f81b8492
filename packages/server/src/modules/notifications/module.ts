import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { sweepNotifications } from './cleanup.ts'
import { fanOut } from './fan-out-everyone.ts'
import { notificationListeners } from './listeners.ts'
import { notificationHandlers } from './routes.ts'

export const notifications: Module = {
  name: 'notifications',
  mount: (mount) => mount('notifications', api.notifications, notificationHandlers),
  listeners: notificationListeners,
  jobs: [fanOut],
  recurringTasks: [sweepNotifications],
}
