import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { communityHandlers } from './community-routes.ts'
import { withConsistentGeneration } from './rollup-state.ts'
import { spaceHandlers } from './space-routes.ts'

export const analytics: Module = {
  name: 'analytics',
  mount: (mount) => mount('analytics', api.analytics, withConsistentGeneration({ ...communityHandlers, ...spaceHandlers })),
}
