import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { spaceGroupHandlers } from './group-routes.ts'
import { spaceMemberHandlers } from './member-routes.ts'
import { spaceHandlers } from './routes.ts'
import { topicHandlers } from './topic-routes.ts'

export {
  loadSpace,
  lockedSpaceFor,
  namedSpace,
  type SpaceAbilities,
  type SpaceAbility,
  type SpaceFor,
  type SpaceNamed,
  spaceAbilities,
  spaceFor,
  spaceIdIn,
  spaceOf,
  spacesWithVisibleMembers,
  spaceTables,
  visibleSpaces,
} from './access.ts'
export { disownSpaces, leaveSomeSpaces } from './erase.ts'
export { findMembership, leaveAllSpaces } from './membership.ts'
export { presentSpaces } from './presenter.ts'
export { activeSpacesOf, listSpaces } from './queries.ts'
export { readSettings } from './settings.ts'

export const spaces: Module = {
  name: 'spaces',
  mount: (mount) => {
    mount('spaces', api.spaces, spaceHandlers)
    mount('spaceGroups', api.spaceGroups, spaceGroupHandlers)
    mount('spaceMembers', api.spaceMembers, spaceMemberHandlers)
    mount('topics', api.topics, topicHandlers)
  },
}
