import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createDatabase, dropDatabase } from '#test/services/database.ts'

export const dialect = process.env['LYCEUM_TEST_DATABASE'] as 'sqlite' | 'postgres'

/** An empty environment on the database of this run. */
export const freshEnv = async () => {
  const cluster = inject('postgresUrl')
  return {
    LYCEUM_DATA_DIR: mkdtempSync(join(inject('scratch'), 'fuzz-')),
    LYCEUM_DATABASE_URL: dialect === 'postgres' && cluster ? await createDatabase(cluster) : '',
  }
}

/** Removes the data of a server. */
export const removeEnv = ({ LYCEUM_DATA_DIR: folder, LYCEUM_DATABASE_URL: url }: Awaited<ReturnType<typeof freshEnv>>): void => {
  rmSync(folder, { recursive: true, force: true })
  if (url) dropDatabase(url)
}
