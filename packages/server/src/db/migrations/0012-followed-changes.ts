import type { Migration } from './dialect.ts'

/** Created triggers that 0014 has replaced. */
export const followedChanges: Migration = { name: '0012-followed-changes', up: () => [] }
