import { resolve } from 'node:path'
import type { Command } from 'commander'
import { nowOf, systemClock } from '../core/clock.ts'
import { loadSecret } from '../secrets/server-secret.ts'
import { saveBackup } from './backup/save.ts'
import { dataLocationOf, withDatabase } from './bootstrap.ts'
import { configFor, printResult, type Terminal } from './terminal.ts'

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`

export const backupCommand = (program: Command, terminal: Terminal) =>
  program
    .command('backup')
    .description('write the database, media files and server secret to one file; the server may be running')
    .argument('<file>', 'path of the backup; an existing backup is replaced')
    .action(async (name: string, { json }: { json?: true }) => {
      const config = configFor(terminal)
      const file = resolve(name)
      await withDatabase(config, dataLocationOf(config), async (database) => {
        const secret = loadSecret(config.dataDir, config.secret)
        const saved = await saveBackup({ database, dataDir: config.dataDir, secret, file, now: nowOf(systemClock), key: config.backupKey })
        const text = `${file}: ${saved.rows} rows and ${saved.media} media files in ${megabytes(saved.bytes)}. It contains the server secret: store it where only you can read it.\n`
        printResult(terminal, json, { file, ...saved }, text)
      })
    })
