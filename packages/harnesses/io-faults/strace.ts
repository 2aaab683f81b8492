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

/** Whether this machine has a tracer that may trace what it starts. */
export const canTrace = (): boolean => succeeds('strace', '-qq', '-e', 'trace=none', 'true')

/** Whether a file system in memory can be mounted, where only the process sees it that does so. */
export const canMount = (): boolean => succeeds('unshare', '-rm', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt')

export interface Fault {
  readonly call: 'fdatasync' | 'pwrite64' | 'openat' | 'ftruncate'
  readonly error: 'EIO' | 'ENOSPC'
  /** Which of the calls of each thread fails; later ones do not. */
  readonly at: number
}

/** Has a call of the server on its database fail, from outside. */
export const withFault = (dataDir: string, { call, error, at }: Fault): string[] => {
  const paths = ['lyceum.db', 'lyceum.db-wal', 'lyceum.db-shm'].flatMap((name) => ['-P', join(dataDir, name)])
  const fault = `inject=${call}:error=${error}:when=${at}`
  return ['strace', '-f', '-qq', '-o', '/dev/null', ...paths, '-e', `trace=${call}`, '-e', fault]
}

/** Has the server find its data on a file system of that many bytes, which no other process sees. */
export const onSmallDisk = (dataDir: string, bytes: number): string[] => {
  const place = `"${dataDir}"`
  const steps = [`cp -a ${place} ${place}.copy`, `mount -t tmpfs -o size=${bytes} tmpfs ${place}`, `cp -a ${place}.copy/. ${place}`]
  return ['unshare', '-rm', '/bin/sh', '-c', `${steps.join(' && ')} && exec "$@"`, 'sh']
}

/** The folder as a process sees it. */
export const asSeenBy = (pid: number, folder: string): string => `/proc/${pid}/root${folder}`
