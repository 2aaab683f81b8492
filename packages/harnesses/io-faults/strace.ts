import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const succeeds = (program: string, ...args: string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Whether strace is available and may trace its child processes. */
export const canTrace = (): boolean => succeeds('strace', '-qq', '-e', 'trace=none', 'true')

/** Whether a tmpfs can be mounted in a private mount namespace. */
export const canMount = (): boolean => succeeds('unshare', '-rm', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt')

export interface Fault {
  readonly call: 'fdatasync' | 'pwrite64' | 'openat' | 'ftruncate'
  readonly error: 'EIO' | 'ENOSPC'
  /** Index of the call that fails in each thread; later calls succeed. */
  readonly at: number
}

/** Makes one call of the server on its database fail, using strace. */
export const withFault = (dataDir: string, { call, error, at }: Fault): string[] => {
  const paths = ['lyceum.db', 'lyceum.db-wal', 'lyceum.db-shm'].flatMap((name) => ['-P', join(dataDir, name)])
  const fault = `inject=${call}:error=${error}:when=${at}`
  return ['strace', '-f', '-qq', '-o', '/dev/null', ...paths, '-e', `trace=${call}`, '-e', fault]
}

/** Gives the server a data directory on a file system of this many bytes that only its process sees. */
export const onSmallDisk = (dataDir: string, bytes: number): string[] => {
  const place = `"${dataDir}"`
  const steps = [`cp -a ${place} ${place}.copy`, `mount -t tmpfs -o size=${bytes} tmpfs ${place}`, `cp -a ${place}.copy/. ${place}`]
  return ['unshare', '-rm', '/bin/sh', '-c', `${steps.join(' && ')} && exec "$@"`, 'sh']
}

/** The folder as a process sees it. */
export const asSeenBy = (pid: number, folder: string): string => `/proc/${pid}/root${folder}`
