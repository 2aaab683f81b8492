export { loadSpace, type SpaceAbility, type SpaceFor, spaceAbilities, spaceFor, spaceOf } from './access.ts'
