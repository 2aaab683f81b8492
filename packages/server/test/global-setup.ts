import type { TestProject } from 'vitest/node'
import { startPostgres } from './services/postgres.ts'
import { folderForThisRun } from './services/private-server.ts'
import { findRedis } from './services/programs.ts'
import { startRedis } from './services/redis.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address of the cluster that the postgres project tests on; absent in the others. */
    postgresUrl?: string
    /** Absent where this machine has no Redis. */
    redisUrl?: string
    /** A folder for files, in memory where possible, removed at the end of the run. */
    scratch: string
  }
}

/** Starts what the tests of one project need besides this repository, once a run. */
export async function setup(project: TestProject) {
  project.provide('scratch', folderForThisRun('files'))

  const { LYCEUM_TEST_POSTGRES_URL: givenPostgres, LYCEUM_TEST_REDIS_URL: givenRedis } = process.env
  const redis = givenRedis || !findRedis() ? undefined : await startRedis()
  project.provide('redisUrl', redis?.url ?? givenRedis)
  if (project.name !== 'postgres') return redis?.stop
  const postgres = givenPostgres ? undefined : await startPostgres()
  project.provide('postgresUrl', postgres?.url ?? givenPostgres)
  return async () => {
    await Promise.all([redis?.stop(), postgres?.stop()])
  }
}
