import type { Unreadable } from './source.ts'

interface Unread {
  readonly unreadable: Unreadable
}

/** An entry for a row that is broken. */
export const broken = (id: string | number, reason: string): Unread => ({ unreadable: { id: String(id), reason, outcome: 'failed' } })
/** An entry for a row that is left out on purpose. */
export const skipped = (id: string | number, reason: string): Unread => ({ unreadable: { id: String(id), reason, outcome: 'skipped' } })
/** An entry about what a record lacks, next to the record. */
export const noted = (id: string | number, reason: string): Unread => ({ unreadable: { id: String(id), reason, outcome: 'noted' } })
