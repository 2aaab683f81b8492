import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import {
  notifyAuthor,
  notifyEdited,
  notifyHidden,
  notifyReporterOfEnd,
  notifyReporterOfUpdate,
  notifyWarned,
} from './decision-notifications.ts'
import { reportChangedNames, reportNewNames } from './look-alikes.ts'
import { chatReport, mailReport, notifyModerators } from './moderator-alerts.ts'
import { moderationHandlers } from './routes.ts'

export const moderation: Module = {
  name: 'moderation',
  mount: (mount) => mount('moderation', api.moderation, moderationHandlers),
  listeners: [reportNewNames, reportChangedNames, notifyModerators, notifyWarned, notifyReporterOfUpdate, notifyReporterOfEnd],
  jobs: [notifyAuthor, notifyHidden, notifyEdited, mailReport, chatReport],
}
