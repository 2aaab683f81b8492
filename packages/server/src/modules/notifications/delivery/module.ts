import { api } from '@lyceum/contract'
import type { Module } from '../../../core/module.ts'
import { digestListeners, mailDigest } from './digest-jobs.ts'
import { repairDigestSchedules } from './digest-scheduler.ts'
import { mailNotification } from './mail-jobs.ts'
import { planDelivery } from './plan.ts'
import { pushNotification } from './push-jobs.ts'
import { pushHandlers } from './push-routes.ts'
import { unsubscribePages } from './unsubscribe.ts'

export const delivery: Module = {
  name: 'delivery',
  mount: (mount) => mount('push', api.push, pushHandlers),
  pages: unsubscribePages,
  listeners: digestListeners,
  jobs: [planDelivery, mailNotification, pushNotification, mailDigest],
  recurringTasks: [repairDigestSchedules],
}
