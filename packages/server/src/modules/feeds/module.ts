import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { expireListed, publishScheduled } from './publish-jobs.ts'
import { feedHandlers } from './routes.ts'
import { pruneChanges } from './search/feed-index.ts'
import { surveyHandlers } from './survey-routes.ts'

export const feeds: Module = {
  name: 'feeds',
  mount: (mount) => {
    mount('feeds', api.feeds, feedHandlers)
    mount('surveys', api.surveys, surveyHandlers)
  },
  jobs: [publishScheduled, expireListed],
  recurringTasks: [pruneChanges],
}
