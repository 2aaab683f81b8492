import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { dropDatabase } from '#test/services/database.ts'
import { databaseUrl } from '#test/world.ts'

export const dialect = process.env['LYCEUM_TEST_DATABASE'] as 'sqlite' | 'postgres'

/** A migrated environment without data on the database of this run. */
export const freshEnv = async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'fuzz-'))
  if (dialect === 'sqlite') copyFileSync(inject('template'), join(folder, 'lyceum.db'))
  return { LYCEUM_DATA_DIR: folder, LYCEUM_DATABASE_URL: await databaseUrl() }
}

/** Removes the data of a server. */
export const removeEnv = ({ LYCEUM_DATA_DIR: folder, LYCEUM_DATABASE_URL: url }: Awaited<ReturnType<typeof freshEnv>>): void => {
  rmSync(folder, { recursive: true, force: true })
  if (url) dropDatabase(url)
}
