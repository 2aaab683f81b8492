import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { communityHandlers } from './community-routes.ts'
import { ofOneGeneration } from './consistent-generation.ts'
import { spaceHandlers } from './space-routes.ts'

export { FIGURE_STEPS, fillFigures } from './bootstrap-rollups.ts'
export { rebuildFigures } from './rebuild.ts'
export { markStale } from './rollup-state.ts'
export { type Rollups, rollupsOf } from './rollup-worker.ts'
export { wrongFigures } from './verify-rollups.ts'

export const analytics: Module = {
  name: 'analytics',
  mount: (mount) => mount('analytics', api.analytics, ofOneGeneration({ ...communityHandlers, ...spaceHandlers })),
}
