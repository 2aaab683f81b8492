import { resolve } from 'node:path'
import { dataLocationOf, withDatabase } from '../../../server/src/cli/bootstrap.ts'
import { CommandError, configFor, printResult, type Terminal } from '../../../server/src/cli/terminal.ts'
import { nowOf, systemClock } from '../../../server/src/core/clock.ts'
import { lockData } from '../../../server/src/db/index.ts'
import { loadSecret } from '../../../server/src/secrets/server-secret.ts'
import { type Authenticity, verifyArchive } from './archive.ts'
import { loadBackup } from './load.ts'
import { saveBackup } from './save.ts'

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`

export const backup = async (terminal: Terminal, name: string, json?: true): Promise<void> => {
  const config = configFor(terminal)
  const file = resolve(name)
  await withDatabase(config, dataLocationOf(config), async (database) => {
    const secret = loadSecret(config.dataDir, config.secret)
    const saved = await saveBackup({ database, dataDir: config.dataDir, secret, file, now: nowOf(systemClock), key: config.backupKey })
    const text = `${file}: ${saved.rows} rows and ${saved.media} media files in ${megabytes(saved.bytes)}. It contains the server secret: store it where only you can read it.\n`
    printResult(terminal, json, { file, ...saved }, text)
  })
}

/** Warns if the signature could not be verified. @throws CommandError for an unsigned backup if LYCEUM_BACKUP_KEY is set */
const reportAuthenticity = (terminal: Terminal, file: string, found: Authenticity, hasKey: boolean, untrusted = false): void => {
  if (found === 'unchecked') terminal.err(`${file} is signed, but the signature was not checked: LYCEUM_BACKUP_KEY is not set.\n`)
  if (found !== 'unsigned' || !hasKey) return
  if (!untrusted)
    throw new CommandError(`${file} is not signed, so it may have been changed since it was made; use --untrusted to restore it anyway`)
  terminal.err(`${file} is not signed: nobody can tell whether it was changed since it was made.\n`)
}

export const restore = async (terminal: Terminal, name: string, { json, untrusted }: { json?: true; untrusted?: true }): Promise<void> => {
  const config = configFor(terminal)
  const file = resolve(name)
  reportAuthenticity(terminal, file, await verifyArchive(file, config.backupKey), config.backupKey !== '', untrusted)
  const hold = await lockData(dataLocationOf(config), 'restore')
  try {
    const restored = await withDatabase(config, dataLocationOf(config), (database) =>
      loadBackup({ database, dataDir: config.dataDir, envSecret: config.secret, file, now: nowOf(systemClock) }),
    )
    const text = `Restored ${restored.rows} rows and ${restored.media} media files as of ${restored.created_at} UTC into ${config.dataDir}.\n`
    printResult(terminal, json, { file, ...restored }, text)
  } finally {
    await hold.release()
  }
}
