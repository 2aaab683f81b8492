import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { mailDisabled } from './auto-disable.ts'
import { repairWebhookTimes, sweepLog } from './cleanup.ts'
import { sendDeliveries } from './deliver.ts'
import { webhookListeners } from './listeners.ts'
import { webhookHandlers } from './routes.ts'

export const webhooks: Module = {
  name: 'webhooks',
  mount: (mount) => mount('webhooks', api.webhooks, webhookHandlers),
  listeners: webhookListeners,
  jobs: [sendDeliveries, mailDisabled],
  recurringTasks: [sweepLog, repairWebhookTimes],
}
