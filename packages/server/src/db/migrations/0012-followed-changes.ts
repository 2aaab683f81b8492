import { followTriggers } from '../postgres-follow.ts'
import type { Migration } from './dialect.ts'

/** On SQLite the writing connection brings triggers of its own along. */
export const followedChanges: Migration = {
  name: '0012-followed-changes',
  up: ({ kind }) => (kind === 'postgres' ? followTriggers() : []),
}
