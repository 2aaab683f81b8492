import { createHash } from 'node:crypto'
import { CACHE_TAG_RULES } from '../changes/cache-tags.ts'
import type { Dialect } from '../database.ts'
import { analyticsCode } from './analytics.ts'
import { changeLogCode } from './change-log.ts'
import type { CodeObject } from './code-object.ts'
import { feedNotesCode } from './feed-notes.ts'

export interface Code {
  /** Raised once in each release that changes a definition: of two servers on one database the higher version's definitions stay. */
  readonly version: number
  /** Every trigger that the database should hold; computed when it is asked for. */
  readonly objects: (dialect: Dialect) => readonly CodeObject[]
}

/**
 * Triggers of this version. Servers of different versions share a database while they are replaced one by one, so a definition stays
 * compatible with the release before: it may tell more (a subject that a process does not know is ignored), and never less.
 */
export const CODE: Code = {
  version: 2,
  objects: (dialect) => [
    ...feedNotesCode(dialect),
    ...analyticsCode(dialect),
    ...(dialect === 'postgres' ? changeLogCode(CACHE_TAG_RULES) : []),
  ],
}

export const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
