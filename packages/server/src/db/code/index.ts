import { createHash } from 'node:crypto'
import { CACHE_TAG_RULES } from '../changes/cache-tags.ts'
import type { Dialect } from '../database.ts'
import { analyticsCode } from './analytics.ts'
import { changeLogCode } from './change-log.ts'
import type { CodeObject } from './code-object.ts'
import { feedNotesCode } from './feed-notes.ts'

export interface Code {
  /** Incremented in each release that changes a definition: with two versions on one database, the definitions of the higher one stay. */
  readonly version: number
  /** All triggers of this version, computed on each call. */
  readonly objects: (dialect: Dialect) => readonly CodeObject[]
}

/**
 * Triggers of this version. During a rolling upgrade, servers of two versions share a database, so definitions stay compatible with the previous
 * release: they may report more (unknown tags are ignored), but never less.
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
