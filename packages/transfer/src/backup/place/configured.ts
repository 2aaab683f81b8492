import { join } from 'node:path'
import type { Config } from '../../../../server/src/config.ts'
import { createDirectoryPlace } from './directory.ts'
import type { Place } from './place.ts'
import { createS3Place } from './s3.ts'

/** The configured place of scheduled backups; null without one. */
export const placeOf = (config: Config): Place | null => {
  if (config.backupDir) return createDirectoryPlace(config.backupDir)
  if (!config.backupS3Url) return null
  return createS3Place({
    url: config.backupS3Url,
    region: config.backupS3Region || config.s3Region,
    accessKey: config.backupS3AccessKey || config.s3AccessKey,
    secretKey: config.backupS3SecretKey || config.s3SecretKey,
  })
}

/** The directory of backups that are made before a migration. */
export const upgradePlace = ({ backupDir, dataDir }: Config): Place => createDirectoryPlace(backupDir || join(dataDir, 'backups'))
