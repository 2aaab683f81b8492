import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createDiskStore } from './disk.ts'
import { createS3Store } from './s3.ts'
import type { Store } from './store.ts'

export { createDiskStore } from './disk.ts'
export { createS3Store } from './s3.ts'
export { type ByteRange, isFull, StorageUnavailable, type Store, type StoredFile } from './store.ts'
export { freeBytes, storedBytes } from './usage.ts'

/** The stores of this installation. */
export interface Storage {
  /** Takes new files. */
  readonly current: Store
  /** Holds what was stored there earlier. @throws Error for a store that is not set up */
  of(kind: Store['kind']): Store
  close(): Promise<void>
}

/** Files lie in the data directory, or in a bucket where one is set up; what lay on disk before stays readable there. */
export const createStorage = ({ dataDir, s3Url, s3Region, s3AccessKey, s3SecretKey }: Config): Storage => {
  const disk = createDiskStore(join(dataDir, 'media'))
  const s3 = s3Url ? createS3Store({ url: s3Url, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey }) : null
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
