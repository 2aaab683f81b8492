import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { appliedMigrations, type Database, runText } from '../db/index.ts'

/** Exists from before the first file of a restore is moved until its rows are committed, so that an interrupted one can be rolled back. */
export const journalOf = (dataDir: string): string => join(dataDir, '.restore-journal.json')

export const isInterrupted = (dataDir: string): boolean => existsSync(journalOf(dataDir))

/** Whether there is an account: a committed restore has at least one. */
export const containsCommunity = async ({ read }: Database): Promise<boolean> =>
  (await appliedMigrations(read)).length > 0 && (await runText(read, 'select id from users limit 1', [])).length > 0
