import type { Up } from './dialect.ts'

/** Created triggers that 0014 has replaced. */
export const followedChanges: Up = () => []
