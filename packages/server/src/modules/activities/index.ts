import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { activityListeners } from './listeners.ts'
import { newestActivities } from './queries.ts'
import { viewTicker } from './view.ts'

const TICKER_LENGTH = 20

export const activities: Module = {
  name: 'activities',
  mount: (mount) =>
    mount('activities', api.activities, {
      ticker: async ({ db, actor, now, services }) => {
        const rows = await newestActivities(db, actor, TICKER_LENGTH)
        return { activities: rows.map((row) => viewTicker(row, services.origin(), now)) }
      },
    }),
  listeners: activityListeners,
}
