import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { dataLocationOf, withDatabase } from '../../../server/src/cli/bootstrap.ts'
import { configFor, printResult, type Terminal } from '../../../server/src/cli/terminal.ts'
import type { Config } from '../../../server/src/config.ts'
import { nowOf, systemClock } from '../../../server/src/core/clock.ts'
import { pending } from '../../../server/src/db/index.ts'
import { loadSecret } from '../../../server/src/secrets/server-secret.ts'
import { writeBackupFile } from './backup-file.ts'
import { identitiesIn, type Keys } from './encryption.ts'
import { makeBackup } from './make-backup.ts'
import { placeOf } from './place/configured.ts'
import { communityMark } from './place/names.ts'
import { withPlainFile, withScratch } from './plain-file.ts'
import { proveBackup } from './prove.ts'
import { backupsOf } from './scheduled/retention.ts'

/** Runs work on the newest stored backup, or on a new one if none exists. */
const withNewestBackup = async <T>(config: Config, folder: string, work: (file: string, name: string) => Promise<T>): Promise<T> => {
  const place = placeOf(config)
  try {
    const [newest] = place ? await backupsOf(place, communityMark(loadSecret(config.dataDir, config.secret))) : []
    if (place && newest) return await place.read(newest.name, folder, (file) => work(file, newest.name))
    const file = join(folder, 'new.backup')
    await withDatabase(config, dataLocationOf(config), (database) =>
      writeBackupFile(file, (write) => makeBackup({ config, database, now: nowOf(systemClock), encryption: {} }, write)),
    )
    return await work(file, 'a new backup')
  } finally {
    await place?.close()
  }
}

/** Restores the newest backup to a temporary place, migrates it to this version, checks it, and reports the duration. */
export const rehearseUpgrade = async (terminal: Terminal, { json, identity }: { json?: true; identity?: string }): Promise<void> => {
  const config = configFor(terminal)
  const keys: Keys = { passphrase: config.backupPassphrase, identities: await identitiesIn(identity) }
  const { migrations } = await withDatabase(config, dataLocationOf(config), pending)
  const begun = performance.now()
  await withScratch(resolve(config.dataDir), (folder) =>
    withNewestBackup(config, folder, (file, backup) =>
      withPlainFile(file, keys, folder, async (plain) => {
        const target = join(folder, 'restored')
        await mkdir(target, { mode: 0o700 })
        const minFreeBytes = config.minFreeDisk * 2 ** 20
        const { rows, media, createdAt, migrationMs } = await proveBackup(
          { file: plain, folder: target, key: config.backupKey, minFreeBytes },
          true,
        )
        const seconds = (milliseconds: number) => Math.round(milliseconds) / 1000
        const result = { backup, created_at: createdAt, rows, media, migrations, migration_seconds: seconds(migrationMs) }
        const text =
          `${backup} of ${createdAt} UTC was restored, migrated to this version and checked: ${rows} rows and ${media} media files.\n` +
          `Pending migrations: ${migrations.join(', ') || 'none'}. They took ${seconds(migrationMs)} s on a temporary SQLite file.\n`
        printResult(terminal, json, { ok: true, ...result, seconds: seconds(performance.now() - begun) }, text)
      }),
    ),
  )
}
