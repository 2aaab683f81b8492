import type { Readable } from 'node:stream'

/** Byte range; both ends are inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredFile {
  readonly path: string
  readonly size: number
  /** Seconds since 1970. */
  readonly modifiedAt: number
}

/** A local file, and the path and type under which it is to be stored. */
export interface NewFile {
  readonly from: string
  readonly to: string
  readonly type: string
}

/** Storage of uploaded files. Paths look like `ab/abcdef….jpg`. */
export interface ObjectStorage {
  readonly kind: 'disk' | 's3'
  /** Stores a copy of a local file durably and atomically. @throws StorageUnavailable */
  put(path: string, file: string, type: string): Promise<void>
  /** The same for many files, which takes less time than one by one. If it fails, some of them may be stored. @throws StorageUnavailable */
  putAll(files: readonly NewFile[]): Promise<void>
  /** The content or a range of it; null if there is no such file. @throws StorageUnavailable */
  get(path: string, range?: ByteRange): Promise<Readable | null>
  /** Deletes a file; a missing file is not an error. @throws StorageUnavailable */
  remove(path: string): Promise<void>
  /** Whether a file exists. @throws StorageUnavailable */
  has(path: string): Promise<boolean>
  /** Files whose paths begin with two hexadecimal digits. @throws StorageUnavailable */
  list(shard: string): AsyncIterable<StoredFile>
}

export class StorageUnavailable extends Error {
  readonly full: boolean
  constructor(cause: unknown, full = false) {
    super(`the store is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'StorageUnavailable'
    this.full = full
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether an error of the operating system means that the disk, the quota or the file is full. */
export const isFull = (error: unknown): boolean => FULL.has(String((error as NodeJS.ErrnoException | null)?.code))

const PATH = /^[0-9a-f]{2}\/[0-9a-z._-]{1,100}$/

export const isStoredPath = (path: string): boolean => PATH.test(path)

/** Paths come from the database. The check keeps a corrupt row from reaching other files. */
export const checkPath = (path: string): string => {
  if (!isStoredPath(path)) throw new Error('that is no path of a stored file')
  return path
}
