import type { Unreadable } from './source.ts'

interface Unread {
  readonly unreadable: Unreadable
}

export const broken = (id: string | number, reason: string): Unread => ({ unreadable: { id: String(id), reason, outcome: 'failed' } })
export const skipped = (id: string | number, reason: string): Unread => ({ unreadable: { id: String(id), reason, outcome: 'skipped' } })
/** An entry that reports what a record lacks. The record has its own entry. */
export const noted = (id: string | number, reason: string): Unread => ({ unreadable: { id: String(id), reason, outcome: 'noted' } })
