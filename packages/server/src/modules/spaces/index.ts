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
