import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { sweepNotifications } from './cleanup.ts'
import { fanOut } from './fan-out-everyone.ts'
import { notificationListeners } from './listeners.ts'
import { notificationHandlers } from './routes.ts'

export { eraseNotifications, erasePreferences } from './erase.ts'
export { notify } from './listeners.ts'
export { type Preferences, preferencesOf, savePreferences } from './preferences.ts'
export { presentNotifications, unreadCount } from './presenter.ts'
export type { Notice } from './repository.ts'
export type { NoticeMeta, NotificationView } from './view.ts'

export const notifications: Module = {
  name: 'notifications',
  mount: (mount) => mount('notifications', api.notifications, notificationHandlers),
  listeners: notificationListeners,
  jobs: [fanOut],
  recurringTasks: [sweepNotifications],
}
