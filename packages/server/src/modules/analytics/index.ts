import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { communityHandlers } from './community-routes.ts'
import { spaceHandlers } from './space-routes.ts'
import { ofOneGeneration } from './steady.ts'

export { wrongFigures } from './examine.ts'
export { FIGURE_STEPS, fillFigures } from './fill.ts'
export { rebuildFigures } from './rebuild.ts'
export { type Rollups, rollupsOf } from './rollups.ts'
export { markStale } from './state.ts'

export const analytics: Module = {
  name: 'analytics',
  mount: (mount) => mount('analytics', api.analytics, ofOneGeneration({ ...communityHandlers, ...spaceHandlers })),
}
