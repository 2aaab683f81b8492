import { hash, hkdfSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../util/make-directory.ts'

/** Purposes of derived keys; two purposes never share a key. */
export type KeyPurpose =
  | 'application-passwords'
  | 'sessions'
  | 'nonces'
  | 'sealing'
  | 'cursors'
  | 'unsubscribing'
  | 'push'
  | 'fingerprints'
  | 'devices'
  | 'usernames'

const HEX = /^[0-9a-f]{64}$/
const SHORTEST_FROM_ENV = 32
const posix = process.platform !== 'win32'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Ensures that only the owner can read the file: corrects the mode, or explains what to do. */
const keepPrivate = (fd: number, file: string) => {
  if (!posix || (fstatSync(fd).mode & 0o077) === 0) return
  try {
    fchmodSync(fd, 0o600)
  } catch (error) {
    throw new Error(`Other users can read ${file}, and its mode cannot be changed (${codeOf(error)}). Run: chmod 600 ${file}`)
  }
  if ((fstatSync(fd).mode & 0o077) !== 0)
    throw new Error(`Other users can read ${file}, and its file system keeps no modes. Set LYCEUM_SECRET instead.`)
}

const readSecret = (file: string): Buffer | null => {
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new Error(`The secret in ${file} cannot be read (${codeOf(error)}).`)
  }
  try {
    keepPrivate(fd, file)
    const text = readFileSync(fd, 'utf8').trim()
    if (!HEX.test(text)) throw new Error(`${file} is not a secret of Lyceum: 64 hexadecimal digits are expected. Restore it from a backup.`)
    return Buffer.from(text, 'hex')
  } finally {
    closeSync(fd)
  }
}

/** Creates the file atomically, so that a second process never reads part of it. */
const publish = (draft: string, file: string) => {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    // The file system has no hard links.
    try {
      copyFileSync(draft, file, constants.COPYFILE_EXCL)
    } catch (second) {
      if (codeOf(second) !== 'EEXIST') throw second
    }
  }
}

const syncDirectory = (directory: string) => {
  if (!posix) return
  const fd = openSync(directory, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

const makeSecret = (file: string) => {
  const directory = dirname(file)
  makeDirectory(directory)
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true })
    publish(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  syncDirectory(directory)
}

/**
 * The 32 bytes from which every key is derived: LYCEUM_SECRET, or the file `secret` in the data directory, created at the first start. Two
 * processes that start simultaneously get the same one.
 * @throws Error for a short LYCEUM_SECRET, a file that is not a secret, or one that others can read and that cannot be corrected
 */
export const loadSecret = (dataDir: string, fromEnv?: string): Buffer => {
  if (fromEnv) {
    if (fromEnv.length < SHORTEST_FROM_ENV) throw new Error(`LYCEUM_SECRET must have at least ${SHORTEST_FROM_ENV} characters.`)
    // The content of a `secret` file is accepted as is, so that it can be moved to the variable.
    return HEX.test(fromEnv) ? Buffer.from(fromEnv, 'hex') : hash('sha256', fromEnv, 'buffer')
  }
  const file = join(dataDir, 'secret')
  const present = readSecret(file)
  if (present) return present
  makeSecret(file)
  const made = readSecret(file)
  if (!made) throw new Error(`${file} vanished while the server started.`)
  return made
}

/** The 32-byte key for one purpose (HKDF-SHA-256). */
export const deriveKey = (secret: Buffer, purpose: KeyPurpose): Buffer => Buffer.from(hkdfSync('sha256', secret, 'lyceum', purpose, 32))
