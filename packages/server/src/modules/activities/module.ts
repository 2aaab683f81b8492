import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { activityListeners, moveActivities } from './listeners.ts'
import { activityHandlers } from './routes.ts'

export const activities: Module = {
  name: 'activities',
  mount: (mount) => mount('activities', api.activities, activityHandlers),
  listeners: activityListeners,
  jobs: [moveActivities],
}
