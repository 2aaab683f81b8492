export {
  loadSpace,
  loadSpaceAccess,
  lockedSpaceFor,
  namedSpace,
  type SpaceAbility,
  type SpaceAccess,
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
export { leaveSomeSpaces } from './erase.ts'
export { loadMembershipFacts, type MembershipFacts } from './facts.ts'
export { type Membership, membershipsOf } from './membership.ts'
export { listSpaces } from './queries.ts'
export { readSettings } from './settings.ts'
export { presentSpaces } from './view.ts'
