import { createApp } from './app.ts'
import { startBackups } from './cli/backup.ts'
import { migrateAfterBackup } from './cli/before-upgrade.ts'
import { nameDatabase } from './cli/bootstrap.ts'
import { configFingerprint, peerProblems } from './cluster/cluster-check.ts'
import type { Config } from './config.ts'
import { nowOf } from './core/clock.ts'
import type { Services } from './core/context.ts'
import { type DataLocation, lockData, type Migrated, openDatabase } from './db/index.ts'
import { checkAddress } from './http/check-address.ts'
import { builtWebApp } from './http/pages/static-web-app.ts'
import { setupLink } from './modules/accounts/index.ts'
import { updatePeriods } from './modules/leaderboard/index.ts'
import { relocateFiles } from './modules/media/index.ts'
import { enableImports } from './modules/migrations/index.ts'
import { limitYoungGeneration } from './util/gc-tuning.ts'
import { rememberAddress, rememberedAddress } from './util/public-address.ts'

const GRACE_MS = 10_000

/** Bypasses the pooler if possible: migrating a large database can take longer than a pooler's transaction timeout. */
const migrateAt = async (config: Config, place: DataLocation, now: string): Promise<Migrated> => {
  const database = openDatabase({ url: place.directUrl ?? '', dataDir: place.dataDir, poolSize: 2 })
  try {
    return await migrateAfterBackup(config, database, now)
  } finally {
    await database.close()
  }
}

/** Changes the addresses of files if the community is reached at another address than by the last server. */
const followAddress = async ({ config, database, log, origin }: Services): Promise<void> => {
  if (rememberedAddress(config.dataDir) === origin()) return
  const objects = await relocateFiles(database, origin())
  if (objects > 0) log.info({ event: 'files_relocated', objects }, 'addresses of files changed to the new address')
  rememberAddress(config.dataDir, origin())
}

/** Runs the server: migrates the database, listens, prints the URL, and shuts down gracefully on SIGTERM or SIGINT. */
export const serve = async (config: Config): Promise<void> => {
  limitYoungGeneration()
  // Before the server listens, it has acknowledged nothing, so it can exit immediately: the database rolls back open transactions.
  let stop = (_signal: string): void => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(signal))
  await checkAddress(config)
  const app = await createApp({ config, web: builtWebApp(), waitsForAdmin: true })
  const { log, database, clock, keys } = app.services
  enableImports(app.services, process.argv[1] ?? '')
  const { databaseUrl: url, dataDir, databasePooler: pooler, databaseDirectUrl: directUrl } = config
  const place: DataLocation = { url, dataDir, pooler, directUrl }
  const hold = await lockData(place, 'server', configFingerprint(config, keys)).catch(nameDatabase(config))
  if (hold.beside) for (const { level, event, text } of peerProblems(config, hold.beside)) log[level]({ event }, text)
  const ran = directUrl ? await migrateAt(config, place, nowOf(clock)) : await migrateAfterBackup(config, database, nowOf(clock))
  if (ran.migrations.length + ran.code.length > 0)
    log.info({ event: 'database_migrated', migrations: ran.migrations, triggers: ran.code }, 'database migrated')
  if (config.allowUnsafeDatabase === 'off') {
    const problems = await database.unsafeSettings()
    if (problems.length > 0) throw new Error(`${problems.join('; ')}. Set LYCEUM_DATABASE_ALLOW_UNSAFE=on to start anyway.`)
  }
  for (const advice of await database.advice()) log.warn({ event: 'database_advice' }, advice)
  let stopping = false
  // After downtime of a day or more, today's leaderboard totals do not exist yet, and the hourly job that computes them runs later.
  updatePeriods(app.services).catch((error) => {
    if (!stopping) log.warn({ event: 'leaderboard_rebuild_failed', err: error }, 'leaderboard totals not up to date')
  })
  const base = await app.listen()
  await followAddress(app.services).catch((error) => {
    if (!stopping) log.error({ event: 'file_relocation_failed', err: error }, 'addresses of files not changed')
  })
  if (config.s3Url)
    app.services.storage.current.has('00/reachable').catch((error) => {
      if (!stopping) log.error({ event: 'storage_unreachable', err: error }, 'the storage of LYCEUM_S3_URL does not respond')
    })
  const backups = await startBackups(app.services, process.argv[1] ?? '')

  // Ignore repeated signals: process managers often forward a signal that the process group has already received.
  stop = (signal) => {
    if (stopping) return
    stopping = true
    log.info({ event: 'server_stopping', signal }, 'stopping')
    const late = setTimeout(() => process.exit(1), config.drainSeconds * 1000 + GRACE_MS)
    app
      .leave()
      .then(() => backups?.stop())
      .then(() => app.close())
      .then(() => hold.release())
      .then(() => process.exit(0))
      .catch((error) => {
        log.error({ event: 'server_stop_failed', err: error }, 'did not stop cleanly')
        process.exit(1)
      })
      .finally(() => clearTimeout(late))
  }
  const link = await setupLink(app).catch((error) => {
    // A shutdown that started in the meantime closed the database.
    if (stopping) return null
    throw error
  })
  if (stopping) return
  if (link) process.stdout.write(`Set up the first administrator: ${link}\n`)
  process.stdout.write(`Lyceum is listening on ${base}\n`)
}
