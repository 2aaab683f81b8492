import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { sweepLog, waitsChore } from './chores.ts'
import { mailGivenUp } from './given-up.ts'
import { webhookListeners } from './listeners.ts'
import { webhookHandlers } from './routes.ts'
import { sendDeliveries } from './send.ts'

export const webhooks: Module = {
  name: 'webhooks',
  mount: (mount) => mount('webhooks', api.webhooks, webhookHandlers),
  listeners: webhookListeners,
  jobs: [sendDeliveries, mailGivenUp],
  recurringTasks: [sweepLog, waitsChore],
}
