import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createDiskStore } from './disk.ts'
import { createS3Store } from './s3.ts'
import type { Store } from './store.ts'

export { createDiskStore } from './disk.ts'
export { createS3Client, createS3Store, type S3Options, type S3Store, uploadTime, xmlText } from './s3.ts'
export { type ByteRange, isFull, isStoredPath, type NewFile, StorageUnavailable, type Store } from './store.ts'
export { freeBytes, storedBytes } from './usage.ts'

export interface Storage {
  readonly current: Store
  /** Store of existing files. @throws Error if it is not configured */
  of(kind: Store['kind']): Store
  close(): Promise<void>
}

/** The configured bucket of media; null if there is none. */
export const bucketOf = ({ s3Url, s3Region, s3AccessKey, s3SecretKey }: Config) =>
  s3Url ? createS3Store({ url: s3Url, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey }) : null

/** Files are stored in the data directory, or in a bucket if one is configured. Files stored on disk earlier stay readable. */
export const createStorage = (config: Config): Storage => {
  const disk = createDiskStore(join(config.dataDir, 'media'))
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
