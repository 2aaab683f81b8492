import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { chatReport, mailReport, tellModerators } from './notices.ts'
import { moderationHandlers } from './routes.ts'
import { tellAuthor, tellEdited, tellHidden, tellReporterOfEnd, tellReporterOfUpdate, tellWarned } from './tell.ts'

export { forgetReports } from './forget.ts'
export { dealsWith } from './scope.ts'

export const moderation: Module = {
  name: 'moderation',
  mount: (mount) => mount('moderation', api.moderation, moderationHandlers),
  listeners: [tellModerators, tellWarned, tellReporterOfUpdate, tellReporterOfEnd],
  jobs: [tellAuthor, tellHidden, tellEdited, mailReport, chatReport],
}
