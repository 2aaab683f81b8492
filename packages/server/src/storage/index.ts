import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createDiskStorage } from './disk.ts'
import type { ObjectStorage } from './object-storage.ts'
import { createS3Storage } from './s3.ts'

export { createDiskStorage } from './disk.ts'
export { type ByteRange, isFull, isStoredPath, type NewFile, type ObjectStorage, StorageUnavailable } from './object-storage.ts'
export { createS3Client, createS3Storage, type S3Options, type S3Storage, uploadTime, xmlText } from './s3.ts'
export { freeBytes, storedBytes } from './usage.ts'

export interface Storage {
  readonly current: ObjectStorage
  /** Storage of existing files. @throws Error if it is not configured */
  of(kind: ObjectStorage['kind']): ObjectStorage
  close(): Promise<void>
}

/** The configured bucket of media; null if there is none. */
export const bucketOf = ({ s3Url, s3Region, s3AccessKey, s3SecretKey }: Config) =>
  s3Url ? createS3Storage({ url: s3Url, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey }) : null

/** Files are stored in the data directory, or in a bucket if one is configured. Files stored on disk earlier stay readable. */
export const createStorage = (config: Config): Storage => {
  const disk = createDiskStorage(join(config.dataDir, 'media'))
  const s3 = bucketOf(config)
  return {
    current: s3 ?? disk,
    of: (kind) => {
      if (kind === 'disk') return disk
      if (!s3) throw new Error('the file lies in an S3 store, but LYCEUM_S3_URL is not set')
      return s3
    },
    close: async () => s3?.close(),
  }
}
