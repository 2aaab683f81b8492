import { type FileHandle, readFile } from 'node:fs/promises'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import type { Write } from './archive.ts'

/** Loaded only for encrypted backups. */
const age = () => import('age-encryption')

/** Encryption in age format, with a passphrase or for recipients. Without either, backups are not encrypted. */
export interface Encryption {
  readonly passphrase?: string
  readonly recipients?: readonly string[]
}

/** Decryption keys: a passphrase, or age secret keys. */
export interface Keys {
  readonly passphrase?: string
  readonly identities?: readonly string[]
}

/** scrypt work factor (log2). It needs 64 MiB of memory, which small machines have. */
const WORK_FACTOR = 16
const MAGIC = Buffer.from('age-encryption.org/v1\n')

export const isEncrypted = async (handle: FileHandle): Promise<boolean> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
  return buffer.subarray(0, bytesRead).equals(MAGIC)
}

export const encrypts = ({ passphrase = '', recipients = [] }: Encryption): boolean => passphrase !== '' || recipients.length > 0

const encrypterFor = async ({ passphrase = '', recipients = [] }: Encryption) => {
  const encrypter = new (await age()).Encrypter()
  encrypter.setScryptWorkFactor(WORK_FACTOR)
  try {
    // age does not allow a passphrase with recipients. If both are set, the passphrase only decrypts older backups.
    if (recipients.length === 0) encrypter.setPassphrase(passphrase)
    for (const recipient of recipients) encrypter.addRecipient(recipient)
  } catch (error) {
    throw new CommandError(`LYCEUM_BACKUP_AGE_RECIPIENTS cannot be used: ${(error as Error).message}`)
  }
  return encrypter
}

const bytesOf = (chunk: Uint8Array) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)

/** Passes the output of `fill` to `write`, encrypted if configured. */
export const encrypting = async (encryption: Encryption, write: Write, fill: (write: Write) => Promise<unknown>): Promise<void> => {
  if (!encrypts(encryption)) {
    await fill(write)
    return
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const encrypted = await (await encrypterFor(encryption)).encrypt(readable)
  const pass = async () => {
    for await (const chunk of encrypted) await write(bytesOf(chunk))
  }
  const passed = pass()
  // Its failure is reported below.
  passed.catch(() => {})
  const writer = writable.getWriter()
  try {
    await fill((chunk) => writer.write(chunk))
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => {})
    // If a write failed, report that error: it caused the failure of `fill`.
    await passed
    throw error
  }
  await passed
}

/** Decrypts a backup. @throws CommandError if no key matches, or the file was modified */
export async function* decrypting(name: string, content: AsyncIterable<Buffer>, { passphrase = '', identities = [] }: Keys) {
  if (passphrase === '' && identities.length === 0)
    throw new CommandError(
      `${name} is encrypted; set LYCEUM_BACKUP_PASSPHRASE, or use --identity FILE with a file that contains the age secret key`,
    )
  const decrypter = new (await age()).Decrypter()
  if (passphrase) decrypter.addPassphrase(passphrase)
  try {
    for (const identity of identities) decrypter.addIdentity(identity)
    const plain = await decrypter.decrypt(ReadableStream.from(content) as ReadableStream<Uint8Array>)
    for await (const chunk of plain) yield bytesOf(chunk)
  } catch (error) {
    throw new CommandError(`${name} cannot be decrypted: ${(error as Error).message}`)
  }
}

/** A temporary key pair for a test restore. Its secret key exists only in this process. */
export const oneTimeKey = async () => {
  const { generateX25519Identity, identityToRecipient } = await age()
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Reads the secret keys of an age identity file. */
export const identitiesIn = async (file: string | undefined): Promise<string[]> => {
  const text = file === undefined ? '' : await readFile(file, 'utf8')
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
