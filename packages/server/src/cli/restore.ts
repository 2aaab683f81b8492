import { resolve } from 'node:path'
import type { Command } from 'commander'
import { nowOf, systemClock } from '../core/clock.ts'
import { lockData } from '../db/index.ts'
import { type Authenticity, verifyArchive } from './backup/archive.ts'
import { loadBackup } from './backup/load.ts'
import { dataLocationOf, withDatabase } from './bootstrap.ts'
import { CommandError, configFor, printResult, type Terminal } from './terminal.ts'

/** Warns if the signature could not be verified. @throws CommandError for an unsigned backup if LYCEUM_BACKUP_KEY is set */
const reportAuthenticity = (terminal: Terminal, file: string, found: Authenticity, hasKey: boolean, untrusted = false): void => {
  if (found === 'unchecked') terminal.err(`${file} is signed, but the signature was not checked: LYCEUM_BACKUP_KEY is not set.\n`)
  if (found !== 'unsigned' || !hasKey) return
  if (!untrusted)
    throw new CommandError(`${file} is not signed, so it may have been changed since it was made; use --untrusted to restore it anyway`)
  terminal.err(`${file} is not signed: nobody can tell whether it was changed since it was made.\n`)
}

export const restoreCommand = (program: Command, terminal: Terminal) =>
  program
    .command('restore')
    .description('restore a backup to an empty data directory (and an empty database), all or nothing')
    .argument('<file>', 'a backup')
    .option('--untrusted', 'accept a backup that is not signed, although LYCEUM_BACKUP_KEY is set')
    .action(async (name: string, { json, untrusted }: { json?: true; untrusted?: true }) => {
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
    })
