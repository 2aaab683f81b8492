import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { acceptRemaining } from './commands.ts'
import { followerHandlers } from './routes.ts'

export const followers: Module = {
  name: 'followers',
  mount: (mount) => mount('followers', api.followers, followerHandlers),
  jobs: [acceptRemaining],
}
