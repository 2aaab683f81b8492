import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { dataLocationOf, prepareDataDir, requireCommunity, withDatabase } from '../../../server/src/cli/bootstrap.ts'
import { CommandError, configFor, printResult, type Terminal } from '../../../server/src/cli/terminal.ts'
import type { Config } from '../../../server/src/config.ts'
import { nowOf, systemClock } from '../../../server/src/core/clock.ts'
import { lockData } from '../../../server/src/db/index.ts'
import { createStorage } from '../../../server/src/storage/index.ts'
import { type Authenticity, verifyArchive } from './archive.ts'
import { writeBackupFile } from './backup-file.ts'
import { encrypts, identitiesIn, type Keys } from './encryption.ts'
import { loadBackup } from './load.ts'
import { encryptionOf, makeBackup } from './make-backup.ts'
import { placeOf } from './place/configured.ts'
import { parseBackupName } from './place/names.ts'
import { withPlainFile, withScratch } from './plain-file.ts'

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`

const toStandardOutput = async (config: Config): Promise<void> => {
  const write = (chunk: Buffer) =>
    new Promise<void>((done, failed) => process.stdout.write(chunk, (error) => (error ? failed(error) : done())))
  await withDatabase(config, dataLocationOf(config), (database) => makeBackup({ config, database, now: nowOf(systemClock) }, write))
}

export { rehearseUpgrade } from './rehearse.ts'
export { scheduledBackup } from './scheduled/run.ts'

/** `name`: a path, or `-` for standard output. */
export const backup = async (terminal: Terminal, name: string, json?: true): Promise<void> => {
  const config = configFor(terminal)
  await requireCommunity(config)
  if (name === '-') return toStandardOutput(config)
  const file = resolve(name)
  await withDatabase(config, dataLocationOf(config), async (database) => {
    let saved = { rows: 0, media: 0 }
    const bytes = await writeBackupFile(file, async (write) => {
      saved = await makeBackup({ config, database, now: nowOf(systemClock) }, write)
    })
    const encrypted = encrypts(encryptionOf(config))
    const advice = encrypted ? 'It is encrypted.' : 'It contains the server secret: store it where only you can read it.'
    const text = `${file}: ${saved.rows} rows and ${saved.media} media files in ${megabytes(bytes)}. ${advice}\n`
    printResult(terminal, json, { file, ...saved, bytes, encrypted }, text)
  })
}

/** Warns if the signature could not be verified. @throws CommandError for an unsigned backup if LYCEUM_BACKUP_KEY is set */
const reportAuthenticity = (terminal: Terminal, file: string, found: Authenticity, hasKey: boolean, untrusted = false): void => {
  if (found === 'unchecked') terminal.err(`${file} is signed, but the signature was not checked: LYCEUM_BACKUP_KEY is not set.\n`)
  if (found !== 'unsigned' || !hasKey) return
  if (!untrusted) throw new CommandError(`${file} is not signed, so it may have been modified; use --untrusted to restore it anyway`)
  terminal.err(`${file} is not signed, so it cannot be checked for modifications.\n`)
}

interface RestoreOptions {
  readonly json?: true
  readonly untrusted?: true
  /** A file with age secret keys. */
  readonly identity?: string
}

/** Runs work on a backup, given by path or by its name in the configured place. */
const withNamedFile = async (config: Config, name: string, work: (file: string) => Promise<void>): Promise<void> => {
  const file = resolve(name)
  const place = parseBackupName(name) && !existsSync(file) ? placeOf(config) : null
  if (!place) return work(file)
  try {
    await withScratch(config.dataDir, (folder) => place.read(name, folder, work))
  } finally {
    await place.close()
  }
}

const restoreFile = async (terminal: Terminal, config: Config, file: string, source: string, { json, untrusted }: RestoreOptions) => {
  reportAuthenticity(terminal, source, await verifyArchive(file, config.backupKey), config.backupKey !== '', untrusted)
  prepareDataDir(config)
  const hold = await lockData(dataLocationOf(config), 'restore')
  const storage = createStorage(config)
  try {
    const { rows, media, created_at } = await withDatabase(config, dataLocationOf(config), (database) =>
      loadBackup({ database, dataDir: config.dataDir, envSecret: config.secret, file, now: nowOf(systemClock), storage }),
    )
    const text = `Restored ${rows} rows and ${media} media files as of ${created_at} UTC into ${config.dataDir}.\n`
    printResult(terminal, json, { file: source, rows, media, created_at }, text)
  } finally {
    await storage.close()
    await hold.release()
  }
}

export const restore = async (terminal: Terminal, name: string, options: RestoreOptions): Promise<void> => {
  const config = configFor(terminal)
  const keys: Keys = {
    passphrase: config.backupPassphrase,
    identities: await identitiesIn(options.identity),
  }
  await withNamedFile(config, name, (file) =>
    withPlainFile(file, keys, config.dataDir, (plain) => restoreFile(terminal, config, plain, resolve(name), options)),
  )
}
