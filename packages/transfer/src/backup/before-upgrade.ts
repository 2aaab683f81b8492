import { CommandError } from '../../../server/src/cli/terminal.ts'
import type { Config } from '../../../server/src/config.ts'
import { type Database, type Migrated, pending } from '../../../server/src/db/index.ts'
import { loadSecret } from '../../../server/src/secrets/server-secret.ts'
import { encrypts } from './encryption.ts'
import { encryptionOf, makeBackup } from './make-backup.ts'
import { upgradePlace } from './place/configured.ts'
import { backupName, communityMark } from './place/names.ts'
import { prune } from './scheduled/retention.ts'
import { recordFound } from './scheduled/state.ts'

const KEPT = 3

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Backs up a community, then migrates it.
 * @throws CommandError if the backup fails; nothing is migrated in that case
 */
export const migrateWithBackup = async (
  config: Config,
  database: Database,
  now: string,
  run: () => Promise<Migrated>,
): Promise<Migrated> => {
  const place = upgradePlace(config)
  const mark = communityMark(loadSecret(config.dataDir, config.secret))
  const name = backupName(mark, 'before-upgrade', now, encrypts(encryptionOf(config)))
  let size = 0
  try {
    size = await place.write(name, (write) => makeBackup({ config, database, now }, write))
  } catch (error) {
    // Another instance that started at the same time has already migrated.
    if ((await pending(database)).migrations.length === 0) return run()
    throw new CommandError(
      `the backup before the migration failed, so nothing was migrated: ${messageOf(error)}; fix the cause, or set LYCEUM_BACKUP_BEFORE_UPGRADE=off`,
    )
  }
  const migrated = await run()
  await recordFound(database, { name, size })
  await prune(place, { mark, kind: 'before-upgrade', keep: KEPT, proven: null })
  return migrated
}
