import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { reportChangedNames, reportNewNames } from './look-alikes.ts'
import { chatReport, mailReport, notifyModerators } from './notices.ts'
import { moderationHandlers } from './routes.ts'
import { notifyAuthor, notifyEdited, notifyHidden, notifyReporterOfEnd, notifyReporterOfUpdate, notifyWarned } from './tell.ts'

export { eraseReports } from './forget.ts'
export { dealsWith } from './scope.ts'

export const moderation: Module = {
  name: 'moderation',
  mount: (mount) => mount('moderation', api.moderation, moderationHandlers),
  listeners: [reportNewNames, reportChangedNames, notifyModerators, notifyWarned, notifyReporterOfUpdate, notifyReporterOfEnd],
  jobs: [notifyAuthor, notifyHidden, notifyEdited, mailReport, chatReport],
}
