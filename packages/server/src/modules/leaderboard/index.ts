import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { reachLevels } from './levels.ts'
import { leaderboardListeners, reconcileAll } from './listeners.ts'
import { leaderboardHandlers, levelHandlers } from './routes.ts'
import { windowsChore, windowsJob, windowsListener } from './windows.ts'

export { enterContent } from './backfill.ts'
export { FILL_STEPS, fillLedger, reachAll } from './fill.ts'
export { erasePoints } from './forget.ts'
export { MISKEPT, remake } from './sums.ts'
export { fillNewWindows, keepWindows } from './windows.ts'

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
