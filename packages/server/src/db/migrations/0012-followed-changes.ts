import type { Migration } from './dialect.ts'

/** Made triggers whose place the change log took. */
export const followedChanges: Migration = { name: '0012-followed-changes', up: () => [] }
