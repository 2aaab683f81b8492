import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { MigrationItem, MigrationSource } from '@lyceum/contract'
import { nowOf, shift } from '../../core/clock.ts'
import type { Services, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, type ImportRunRow, isUniqueViolation } from '../../db/index.ts'
import type { UploadedFile } from '../../http/requests/multipart.ts'
import { type Job, outgoing } from '../../jobs/index.ts'
import { decrypt, encrypt } from '../../secrets/encryption.ts'
import { StorageUnavailable } from '../../storage/index.ts'
import { dropFiles, endStaleRuns, filesOf, insertRun, oldSources, runningOne, siteOf } from './repository.ts'

/** A process that has not reported for so long is presumed dead. */
const STALE_S = 120
const FILE_RETENTION_S = 7 * 24 * 3600
const INTERRUPTED = 'The import was interrupted. Start it again to continue.'

const context = (source: string) => `import:${source}`
export const encryptPassword = ({ keys }: Pick<Services, 'keys'>, source: string, password: string) =>
  encrypt(keys.encryption, password, context(source))
export const decryptPassword = ({ keys }: Pick<Services, 'keys'>, source: string, encrypted: string) =>
  decrypt(keys.encryption, encrypted, context(source))

/** Starts the command that runs an import. Set by the server's process; tests run imports themselves. */
const importLauncher = () => ({ launch: null as ((runId: number) => void) | null })

/** Runs imports in processes of their own: they outlive a restart of the server, and do not slow down its requests. */
export const enableImports = (services: Services, program: string): void => {
  services.stateOf(importLauncher).launch = (runId) => {
    const args = [...process.execArgv, program, 'import', '--run', String(runId)]
    const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore' })
    child.on('error', (err) => services.log.error({ event: 'import_start_failed', err, run_id: runId }, 'failed to start an import'))
    child.unref()
  }
}

export const launchImport: Job = outgoing<{ run_id: number }>('migrations.launch', async (services, { run_id }) => {
  services.stateOf(importLauncher).launch?.(run_id)
})

/** Ends runs of dead processes. @throws migration_in_progress if one is alive */
export const assertNoneRuns = async ({ db, now }: Pick<WriteRequest, 'db' | 'now'>): Promise<void> => {
  await endStaleRuns(db, [shift(now, -STALE_S), INTERRUPTED])
  if (await runningOne(db)) throw new ApiError('migration_in_progress')
}

interface Start {
  readonly source: MigrationSource
  readonly items: readonly MigrationItem[]
  readonly dryRun: boolean
  readonly map: object
}

/** @throws migration_in_progress, source_not_ready */
export const startRun = async (ctx: WriteRequest, { source, items, dryRun, map }: Start): Promise<ImportRunRow> => {
  const { db, actor, now } = ctx
  await assertNoneRuns(ctx)
  const ready = (await siteOf(db, [source])) ?? (await filesOf(db, [source]))[0]
  if (!ready) throw new ApiError('source_not_ready')
  const progress = JSON.stringify({ step: '', kinds: {} })
  const values = [source, dryRun ? 1 : 0, JSON.stringify(items), JSON.stringify(map), progress, actor.id, now]
  const run = await insertRun(db, values).catch((error) => {
    throw isUniqueViolation(error) ? new ApiError('migration_in_progress') : error
  })
  return run as ImportRunRow
}

/** Stores an uploaded file where every instance can read it. @throws storage_full, service_unavailable */
export const storeFile = async ({ storage, log }: Services, file: UploadedFile): Promise<string> => {
  const key = randomBytes(16).toString('hex')
  const path = `${key.slice(0, 2)}/import-${key}`
  try {
    await storage.current.put(path, file.path, 'application/octet-stream')
    return path
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    log.error({ event: 'file_store_failed', err: error }, 'failed to store a file')
    throw new ApiError(error.full ? 'storage_full' : 'service_unavailable')
  }
}

/** Deletes the uploaded files of a source, which contain other people's data. */
export const removeFiles = async ({ storage }: Pick<Services, 'storage'>, db: Db, source: MigrationSource): Promise<number> => {
  const files = await filesOf(db, [source])
  for (const { store, path } of files) await storage.of(store).remove(path)
  return files.length
}

/** Deletes files that nobody imported within a week. */
export const sweepImportFiles = async (services: Services): Promise<number> => {
  const { database, clock } = services
  const before = shift(nowOf(clock), -FILE_RETENTION_S)
  let removed = 0
  for (const { source } of await oldSources(database.read, [before])) {
    removed += await removeFiles(services, database.read, source)
    await database.write((db) => dropFiles(db, [source]))
  }
  return removed
}
