import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { acceptRest } from './changes.ts'
import { followerHandlers } from './routes.ts'

export { followCounts } from './access.ts'
export { acceptAllPending, eraseFollows } from './changes.ts'
export { eraseSomeFollows } from './forget.ts'
export { isFollowing } from './queries.ts'

export const followers: Module = {
  name: 'followers',
  mount: (mount) => mount('followers', api.followers, followerHandlers),
  jobs: [acceptRest],
}
