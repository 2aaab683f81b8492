import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { reachLevels } from './levels.ts'
import { leaderboardListeners, reconcileAll } from './listeners.ts'
import { periodsJob, periodsListener, periodsTask } from './periods.ts'
import { leaderboardHandlers, levelHandlers } from './routes.ts'

export const leaderboard: Module = {
  name: 'leaderboard',
  mount: (mount) => {
    mount('leaderboard', api.leaderboard, leaderboardHandlers)
    mount('leaderboardLevels', api.leaderboardLevels, levelHandlers)
  },
  listeners: [...leaderboardListeners, periodsListener],
  jobs: [reconcileAll, reachLevels, periodsJob],
  recurringTasks: [periodsTask],
}
