import type { Readable } from 'node:stream'

/** Bytes of a file from the first to the last, both counted. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredFile {
  readonly path: string
  /** Seconds since 1970. */
  readonly modifiedAt: number
}

/** Where files lie. Paths look like `ab/abcdef….jpg`. */
export interface Store {
  readonly kind: 'disk' | 's3'
  /** Keeps a copy of a local file; durable, and there as a whole or not at all. @throws StorageUnavailable */
  put(path: string, file: string, type: string): Promise<void>
  /** The content, or part of it; null when there is no such file. @throws StorageUnavailable */
  get(path: string, range?: ByteRange): Promise<Readable | null>
  /** Removes a file; that there is none is no error. @throws StorageUnavailable */
  remove(path: string): Promise<void>
  /** Whether a file is there. @throws StorageUnavailable */
  has(path: string): Promise<boolean>
  /** The files whose paths begin with two hexadecimal digits. @throws StorageUnavailable */
  list(shard: string): AsyncIterable<StoredFile>
}

/** The store did not do what it was asked for. */
export class StorageUnavailable extends Error {
  readonly full: boolean
  constructor(cause: unknown, full = false) {
    super(`the store is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'StorageUnavailable'
    this.full = full
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What the operating system says of a disk that has no room, no more to give to this user, or none in this file. */
export const isFull = (error: unknown): boolean => FULL.has(String((error as NodeJS.ErrnoException | null)?.code))

const PATH = /^[0-9a-f]{2}\/[0-9a-z._-]{1,100}$/

/** Paths come from our own rows; should one ever not, it must not lead anywhere else. */
export const checkPath = (path: string): string => {
  if (!PATH.test(path)) throw new Error('that is no path of a stored file')
  return path
}
