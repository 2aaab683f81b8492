import type { Command } from 'commander'
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
    .argument('<file>', 'path of the backup, - for standard output; an existing backup is replaced')
    .action(async (file: string, { json }: { json?: true }) => (await backups()).backup(terminal, file, json))

export const restoreCommand = (program: Command, terminal: Terminal) =>
  program
    .command('restore')
    .description('restore a backup to an empty data directory (and an empty database), all or nothing')
    .argument('<file>', 'a backup; also the name of one in LYCEUM_BACKUP_DIR or LYCEUM_BACKUP_S3_URL')
    .option('--identity <file>', 'a file with the secret key of age that decrypts it')
    .option('--untrusted', 'accept a backup that is not signed, although LYCEUM_BACKUP_KEY is set')
    .action(async (file: string, options: RestoreOptions) => (await backups()).restore(terminal, file, options))
