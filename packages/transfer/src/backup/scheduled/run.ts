import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { dataLocationOf, withDatabase } from '../../../../server/src/cli/bootstrap.ts'
import { CommandError, configFor, printResult, type Terminal } from '../../../../server/src/cli/terminal.ts'
import type { Config } from '../../../../server/src/config.ts'
import { nowOf, shift, systemClock } from '../../../../server/src/core/clock.ts'
import type { Database } from '../../../../server/src/db/index.ts'
import { loadSecret } from '../../../../server/src/secrets/server-secret.ts'
import { type Encryption, encrypts, type Keys, oneTimeKey } from '../encryption.ts'
import { encryptionOf, makeBackup } from '../make-backup.ts'
import { placeOf } from '../place/configured.ts'
import { backupName, communityMark } from '../place/names.ts'
import type { Place } from '../place/place.ts'
import { withPlainFile, withScratch } from '../plain-file.ts'
import { proveBackup } from '../prove.ts'
import { backupsOf, prune } from './retention.ts'
import { claim, newestProvenName, provenAt, reconcile, recordAlive, recordComplete, recordFailure } from './state.ts'

const HEARTBEAT_MS = 30_000
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S
const CONNECTIONS = 2

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isProofDue = async (config: Config, database: Database, now: string): Promise<boolean> => {
  if (config.backupProve !== 'on' || config.backupEvery >= HOUR_S) return config.backupProve !== 'off'
  const last = await provenAt(database.read)
  return last === null || last <= shift(now, -DAY_S)
}

/** The configured encryption, and the keys for the test restore: with recipients, a key that only this process knows. */
const encryptionFor = async (config: Config, isProven: boolean): Promise<{ encryption: Encryption; keys: Keys }> => {
  const encryption = encryptionOf(config)
  const { recipients = [], passphrase = '' } = encryption
  if (!isProven || recipients.length === 0) return { encryption, keys: { passphrase } }
  const { identity, recipient } = await oneTimeKey()
  return { encryption: { recipients: [...recipients, recipient] }, keys: { identities: [identity] } }
}

const prove = (config: Config, place: Place, name: string, keys: Keys) =>
  withScratch(config.dataDir, (folder) =>
    place.read(name, folder, (file) =>
      withPlainFile(file, keys, folder, async (plain) => {
        const target = join(folder, 'restored')
        await mkdir(target, { mode: 0o700 })
        await proveBackup({ file: plain, folder: target, key: config.backupKey, minFreeBytes: config.minFreeDisk * 2 ** 20 })
      }),
    ),
  )

const tidy = async (config: Config, database: Database, place: Place, mark: string): Promise<void> => {
  await prune(place, { mark, kind: 'scheduled', keep: config.backupKeep, proven: await newestProvenName(database.read) })
  const kinds = config.backupDir ? ['scheduled', 'before-upgrade'] : ['scheduled']
  await reconcile(database, kinds, await backupsOf(place, mark))
}

const makeAndProve = async (config: Config, database: Database, place: Place) => {
  const now = nowOf(systemClock)
  const mark = communityMark(loadSecret(config.dataDir, config.secret))
  const name = backupName(mark, 'scheduled', now, encrypts(encryptionOf(config)))
  const id = await claim(database, name, encrypts(encryptionOf(config)), now, config.backupEvery)
  if (id === null) return null
  const beat = setInterval(() => recordAlive(database, id, nowOf(systemClock)).catch(() => {}), HEARTBEAT_MS)
  try {
    const isProven = await isProofDue(config, database, now)
    const { encryption, keys } = await encryptionFor(config, isProven)
    const size = await place.write(name, (write) => makeBackup({ config, database, now, encryption }, write))
    const error = isProven ? await prove(config, place, name, keys).then(() => null, messageOf) : null
    const proven_at = isProven && error === null ? nowOf(systemClock) : null
    await recordComplete(database, id, { size, provenAt: proven_at, error })
    await tidy(config, database, place, mark)
    return { name, size, proven_at, error }
  } catch (error) {
    await recordFailure(database, id, messageOf(error))
    throw error
  } finally {
    clearInterval(beat)
  }
}

/** Makes the scheduled backup if it is due, and verifies it by a test restore. The server runs this in a separate process. */
export const scheduledBackup = async (terminal: Terminal, json?: true): Promise<void> => {
  const config = configFor(terminal)
  const place = placeOf(config)
  if (!place) throw new CommandError('set LYCEUM_BACKUP_DIR or LYCEUM_BACKUP_S3_URL')
  try {
    const made = await withDatabase({ ...config, databasePool: CONNECTIONS }, dataLocationOf(config), (database) =>
      makeAndProve(config, database, place),
    )
    if (made?.error) throw new CommandError(`${made.name} was made, but its test restore failed: ${made.error}`)
    printResult(terminal, json, made, made ? `${made.name}\n` : 'No backup is due.\n')
  } finally {
    await place.close()
  }
}
