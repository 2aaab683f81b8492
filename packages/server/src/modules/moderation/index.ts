import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { reportChangedNames, reportNewNames } from './look-alikes.ts'
import { chatReport, mailReport, tellModerators } from './notices.ts'
import { moderationHandlers } from './routes.ts'
import { tellAuthor, tellEdited, tellHidden, tellReporterOfEnd, tellReporterOfUpdate, tellWarned } from './tell.ts'

export { forgetReports } from './forget.ts'
export { dealsWith } from './scope.ts'

export const moderation: Module = {
  name: 'moderation',
  mount: (mount) => mount('moderation', api.moderation, moderationHandlers),
  listeners: [reportNewNames, reportChangedNames, tellModerators, tellWarned, tellReporterOfUpdate, tellReporterOfEnd],
  jobs: [tellAuthor, tellHidden, tellEdited, mailReport, chatReport],
}
