import type { Unreadable } from './source.ts'

export const NO_DATA = 'its data cannot be read'
export const NO_FIRST_POST = 'its first post is missing'
const BROKEN = new Set([NO_DATA, NO_FIRST_POST])

/** A row without a record. It failed if it is broken; otherwise it is left out on purpose, as it was deleted or belongs to what is left out. */
export const leftOut = (id: string, reason: string): { readonly unreadable: Unreadable } => ({
  unreadable: { id, reason, outcome: BROKEN.has(reason) ? 'failed' : 'skipped' },
})
