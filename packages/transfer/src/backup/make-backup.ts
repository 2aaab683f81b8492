import type { Config } from '../../../server/src/config.ts'
import type { Database } from '../../../server/src/db/index.ts'
import { loadSecret } from '../../../server/src/secrets/server-secret.ts'
import { bucketOf } from '../../../server/src/storage/index.ts'
import type { Write } from './archive.ts'
import { type Encryption, encrypting } from './encryption.ts'
import { saveBackup } from './save.ts'

export const encryptionOf = ({ backupPassphrase, backupAgeRecipients }: Config): Encryption => ({
  passphrase: backupPassphrase,
  recipients: backupAgeRecipients,
})

interface MakeOptions {
  readonly config: Config
  readonly database: Database
  readonly now: string
  readonly encryption?: Encryption
}

/** Writes a backup of the configured community, encrypted if configured. */
export const makeBackup = async ({ config, database, now, encryption = encryptionOf(config) }: MakeOptions, write: Write) => {
  const bucket = bucketOf(config)
  try {
    const saved = { rows: 0, media: 0 }
    await encrypting(encryption, write, async (plain) => {
      const { dataDir, backupKey: key } = config
      const secret = loadSecret(dataDir, config.secret)
      Object.assign(saved, await saveBackup({ database, dataDir, secret, write: plain, now, key, bucket }))
    })
    return saved
  } finally {
    await bucket?.close()
  }
}
