import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { notifyAuthor, notifyEdited, notifyHidden, notifyWarned, reporterListeners } from './decision-notifications.ts'
import { nameListeners } from './look-alikes.ts'
import { chatReport, mailReport, notifyModerators } from './moderator-alerts.ts'
import { moderationHandlers } from './routes.ts'

export const moderation: Module = {
  name: 'moderation',
  mount: (mount) => mount('moderation', api.moderation, moderationHandlers),
  listeners: [...nameListeners, notifyModerators, notifyWarned, ...reporterListeners],
  jobs: [notifyAuthor, notifyHidden, notifyEdited, mailReport, chatReport],
}
