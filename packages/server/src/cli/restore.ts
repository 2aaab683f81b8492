import { resolve } from 'node:path'
import type { Command } from 'commander'
import { holdData, openDatabase } from '../db/index.ts'
import { nowOf, systemClock } from '../platform/clock.ts'
import { verifyArchive } from './backup/archive.ts'
import { loadBackup } from './backup/load.ts'
import { placeOf } from './core.ts'
import { configFor, type Terminal } from './terminal.ts'

export const restoreCommand = (program: Command, terminal: Terminal) =>
  program
    .command('restore')
    .description('put a backup into an empty data directory (and an empty database); all of it or nothing')
    .argument('<file>', 'a backup')
    .option('--json', 'print machine-readable output')
    .action(async (name: string, { json }: { json?: true }) => {
      const config = configFor(terminal)
      const file = resolve(name)
      await verifyArchive(file)
      const hold = await holdData(placeOf(config), 'restore')
      try {
        const database = openDatabase({ ...placeOf(config), poolSize: config.databasePool })
        try {
          const restored = await loadBackup({ database, dataDir: config.dataDir, envSecret: config.secret, file, now: nowOf(systemClock) })
          terminal.out(
            json
              ? `${JSON.stringify({ file, ...restored })}\n`
              : `Restored ${restored.rows} rows and ${restored.media} media files as of ${restored.created_at} UTC into ${config.dataDir}.\n`,
          )
        } finally {
          await database.close()
        }
      } finally {
        await hold.release()
      }
    })
