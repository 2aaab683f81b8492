import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { digestListeners, mailDigest } from './digest-jobs.ts'
import { digestsChore } from './digest-scheduler.ts'
import { mailNotice, planDelivery } from './mail-jobs.ts'
import { pushNotice } from './push-jobs.ts'
import { pushHandlers } from './push-routes.ts'
import { unsubscribePages } from './unsubscribe.ts'

export { createDigests, type Digests } from './digest-scheduler.ts'
export { eraseDevices } from './erase.ts'

export const delivery: Module = {
  name: 'delivery',
  mount: (mount) => mount('push', api.push, pushHandlers),
  pages: unsubscribePages,
  listeners: [planDelivery, ...digestListeners],
  jobs: [mailNotice, pushNotice, mailDigest],
  recurringTasks: [digestsChore],
}
