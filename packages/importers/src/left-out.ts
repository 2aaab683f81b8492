import type { Unreadable } from './source.ts'

export const NO_DATA = 'its data cannot be read'
export const NO_FIRST_POST = 'its first post does not exist in the source'
const BROKEN = new Set([NO_DATA, NO_FIRST_POST])

/** A row without a record. It failed if its data is broken; otherwise it was skipped, for example because it or its parent was deleted. */
export const leftOut = (id: string, reason: string): { readonly unreadable: Unreadable } => ({
  unreadable: { id, reason, outcome: BROKEN.has(reason) ? 'failed' : 'skipped' },
})
