import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { reachLevels } from './levels.ts'
import { leaderboardListeners, reconcileAll } from './listeners.ts'
import { windowsChore, windowsJob, windowsListener } from './periods.ts'
import { leaderboardHandlers, levelHandlers } from './routes.ts'

export { MISKEPT, remake } from './aggregate-sql.ts'
export { enterContent } from './backfill.ts'
export { FILL_STEPS, fillLedger, reachAll } from './bootstrap.ts'
export { erasePoints } from './erase.ts'
export { fillNewWindows, keepWindows } from './periods.ts'

export const leaderboard: Module = {
  name: 'leaderboard',
  mount: (mount) => {
    mount('leaderboard', api.leaderboard, leaderboardHandlers)
    mount('leaderboardLevels', api.leaderboardLevels, levelHandlers)
  },
  listeners: [...leaderboardListeners, windowsListener],
  jobs: [reconcileAll, reachLevels, windowsJob],
  recurringTasks: [windowsChore],
}
