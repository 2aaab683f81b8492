import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { builtProgram } from '../bin/built.ts'
import { migrate, openDatabase } from '../src/db/index.ts'
import { SOAK } from './scale.ts'
import { createDatabase } from './services/database.ts'
import { startPgbouncer } from './services/pgbouncer.ts'
import { startPostgres } from './services/postgres.ts'
import { folderForThisRun } from './services/private-server.ts'
import { findRedis } from './services/programs.ts'
import { startRedis } from './services/redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the cluster for the postgres project; absent in others. */
    postgresUrl?: string
    /** The migrated template to copy: the name of a database, or the path of a file. */
    template: string
    /** URL of the pooler for the pooler project; absent in others. */
    poolerUrl?: string
    /** Absent if this machine has no Redis. */
    redisUrl?: string
    /** URL of the program that child processes run; absent while it may change. */
    program?: string
    /** A temporary folder, in memory if possible, removed at the end of the run. */
    scratch: string
  }
}

/** Migrating takes longer than copying the result. */
const makeTables = async (url: string, dataDir: string) => {
  const database = openDatabase({ url, dataDir, poolSize: 2 })
  await migrate(database, '2026-01-01 00:00:00')
  await database.close()
}

/** Starts the services that the tests of a project need, once per run. */
export async function setup(project: TestProject) {
  const scratch = folderForThisRun('files')
  project.provide('scratch', scratch)
  const program = project.vitest.config.watch ? null : builtProgram()
  if (program) project.provide('program', pathToFileURL(program).href)

  const { LYCEUM_TEST_POSTGRES_URL: givenPostgres, LYCEUM_TEST_REDIS_URL: givenRedis } = process.env
  const redis = givenRedis || !findRedis() ? undefined : await startRedis()
  project.provide('redisUrl', redis?.url ?? givenRedis)
  if (project.name !== 'postgres' && project.name !== 'pooler') {
    const folder = join(scratch, 'template')
    await makeTables('', folder)
    project.provide('template', join(folder, 'lyceum.db'))
    return redis?.stop
  }
  // Long runs need autovacuum.
  const postgres = givenPostgres ? undefined : await startPostgres(undefined, SOAK > 1 ? { autovacuum: 'on' } : {})
  project.provide('postgresUrl', postgres?.url ?? givenPostgres)
  const clusterUrl = postgres?.url ?? givenPostgres
  if (clusterUrl) {
    const url = await createDatabase(clusterUrl)
    await makeTables(url, '')
    project.provide('template', new URL(url).pathname.slice(1))
  }
  const pooler = project.name === 'pooler' && clusterUrl ? await startPgbouncer(clusterUrl) : undefined
  project.provide('poolerUrl', pooler?.url)
  return async () => {
    await pooler?.stop()
    await Promise.all([redis?.stop(), postgres?.stop()])
  }
}
