import type { Command } from 'commander'
import type { Services } from '../core/context.ts'
import type { Terminal } from './terminal.ts'

interface RestoreOptions {
  readonly json?: true
  readonly untrusted?: true
  readonly identity?: string
}

/** Only these commands load the code of backups. */
const backups = () => import('@lyceum/transfer/backup')

export const backupCommand = (program: Command, terminal: Terminal) =>
  program
    .command('backup')
    .description('write the database, media files and server secret to one file; the server may be running')
    .argument('[file]', 'path of the backup, - for standard output; an existing backup is replaced')
    // The server runs this in a process of its own.
    .addOption(program.createOption('--scheduled').hideHelp())
    .action(async (file: string | undefined, { json, scheduled }: { json?: true; scheduled?: true }, command: Command) => {
      if (scheduled) return (await backups()).scheduledBackup(terminal, json)
      return (await backups()).backup(terminal, file ?? command.error('error: name a file'), json)
    })

export const restoreCommand = (program: Command, terminal: Terminal) =>
  program
    .command('restore')
    .description('restore a backup to an empty data directory (and an empty database), all or nothing')
    .argument('<file>', 'a backup; also the name of one in LYCEUM_BACKUP_DIR or LYCEUM_BACKUP_S3_URL')
    .option('--identity <file>', 'a file with the secret key of age that decrypts it')
    .option('--untrusted', 'accept a backup that is not signed, although LYCEUM_BACKUP_KEY is set')
    .action(async (file: string, options: RestoreOptions) => (await backups()).restore(terminal, file, options))

export const upgradeCommand = (program: Command, terminal: Terminal) =>
  program
    .command('upgrade')
    .description('try the migrations of this version on a backup; "serve" and "migrate" run them')
    .requiredOption('--rehearse', 'restore the newest backup, or a new one, to a temporary place, migrate it there and check it')
    .option('--identity <file>', 'a file with the secret key of age that decrypts it')
    .action(async (options: { json?: true; identity?: string }) => (await backups()).rehearseUpgrade(terminal, options))

/** Starts scheduled backups if they are configured. */
export const startBackups = async (services: Services, program: string) => {
  if (!services.config.backupDir && !services.config.backupS3Url) return null
  return (await import('@lyceum/transfer/schedule')).scheduleBackups(services, program)
}
