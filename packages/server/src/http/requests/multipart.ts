import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { ApiError, invalidField, tooMany } from '../../core/errors.ts'
import { freeBytes, isFull, StorageUnavailable } from '../../storage/index.ts'
import { BusyError, createSemaphore, type Semaphore } from '../../util/semaphore.ts'

/** An uploaded file; it is deleted after the response. */
export interface UploadedFile {
  readonly path: string
  /** File name sent by the client. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly sha256: string
}

interface Received {
  readonly fields: Record<string, string>
  readonly file: UploadedFile | null
}

const MOST_FIELD_BYTES = 10_000
const LIMITS = { files: 1, fields: 100, parts: 101, fieldSize: MOST_FIELD_BYTES, headerPairs: 20 }
/** Maximum size of a request beyond that of its file. */
const FRAME_BYTES = 128 * 1024
/** Folder for files during the upload. */
const FOLDER = 'uploads'
const STALE_MS = 3_600_000
/** Maximum number of concurrent and of waiting uploads per member. */
const AT_ONCE = 6
const MOST_WAITING = 30
const RETRY_AFTER_S = 10
/** Timeout of an idle connection while its upload waits, is converted or is stored, in milliseconds. */
const QUIET_MS = 300_000

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** `10 MB` */
const withUnit = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power]}`
}

const tooLarge = (most: number, size: number) =>
  new ApiError('file_too_large', { data: { max_size: withUnit(most), file_size: withUnit(size) } })

const malformed = (text: string) => invalidField('file', text)

/** Errors of the parser are caused by the client; errors of the disk are not. */
const failure = (error: unknown): unknown => {
  if (error instanceof ApiError) return error
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined) return new StorageUnavailable(error, isFull(error))
  if (code === 'FST_FILES_LIMIT') return malformed('must be one file')
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') return malformed('comes with too many fields')
  return malformed('is not sent as well-formed multipart/form-data')
}

const readField = (fields: Record<string, string>, name: string, value: unknown, whole: boolean) => {
  if (typeof value !== 'string' || !whole) throw invalidField(name.slice(0, 100), `must be a text of at most ${MOST_FIELD_BYTES} bytes`)
  if (value.includes('\0') || name.includes('\0')) throw invalidField('body', 'must not contain NUL characters')
  if (Object.hasOwn(fields, name)) throw invalidField(name.slice(0, 100), 'must be sent only once')
  fields[name] = value.toWellFormed()
}

const store = async (part: MultipartFile, path: string): Promise<UploadedFile> => {
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(part.file, measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return { path, name: (part.filename ?? '').toWellFormed(), size, sha256: hash.digest('hex') }
}

/**
 * Reads a multipart body: its text fields, and the part `file` into a file of the data directory. The size limit applies while streaming,
 * with backpressure from the disk to the network.
 * @throws file_too_large, invalid_data
 */
const receive = async (request: FastifyRequest, path: string, most: number): Promise<Received> => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > most + FRAME_BYTES) throw tooLarge(most, announced)
  const fields: Record<string, string> = {}
  let file: UploadedFile | null = null
  const limits = { ...LIMITS, fileSize: most }
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        readField(fields, part.fieldname, part.value, !part.valueTruncated && !part.fieldnameTruncated)
        continue
      }
      if (part.fieldname !== 'file') throw malformed('must be the name of the part that holds the file')
      file = await store(part, path)
      if (part.file.truncated) throw tooLarge(most, Math.max(announced, most + 1))
    }
  } catch (error) {
    // The rest of the body is read and discarded, so that the client receives the response. Closing the connection early would reset it.
    request.raw.unpipe().resume()
    throw failure(error)
  }
  return { fields, file }
}

type UploadOptions = Pick<Config, 'dataDir' | 'mediaLimit' | 'minFreeDisk'>

/** Refuses uploads while the disk is nearly full, so that the database can still write. @throws storage_full */
const checkDisk = async ({ dataDir, minFreeDisk }: UploadOptions) => {
  if (minFreeDisk === 0) return
  const free = await freeBytes(dataDir)
  if (free !== null && free < minFreeDisk * 2 ** 20) throw new StorageUnavailable('the disk is nearly full', true)
}

/** Waits for an upload slot of the member. @throws rate_limit_exceeded if too many wait */
const enter = async (slots: Semaphore<number>, { actor, raw: { socket } }: FastifyRequest): Promise<() => void> => {
  const gone = new AbortController()
  const abort = () => gone.abort()
  socket.once('close', abort)
  try {
    return await slots.acquire(actor?.id ?? 0, gone.signal)
  } catch (error) {
    throw error instanceof BusyError ? tooMany(RETRY_AFTER_S) : malformed('did not arrive')
  } finally {
    socket.off('close', abort)
  }
}

/** Passes the received body to `work`, and then deletes the file. A request without a body has no fields and no file. */
export const createUploads = (options: UploadOptions) => {
  const { dataDir, mediaLimit } = options
  // A member can neither fill the disk with unfinished files nor the image queue with their own.
  const slots = createSemaphore<number>({ perKey: AT_ONCE, waitingPerKey: MOST_WAITING })
  const folder = join(dataDir, FOLDER)

  return async <T>(request: FastifyRequest, work: (received: Received) => Promise<T>): Promise<T> => {
    if (!request.isMultipart()) return work({ fields: {}, file: null })
    await checkDisk(options)
    const { socket } = request.raw
    const silence = socket.timeout ?? 0
    // Node resets the timeout for the next request on the connection. Injected requests have no real socket.
    const bearSilence = (ms: number) => (socket as Partial<typeof socket>).setTimeout?.(ms)
    bearSilence(QUIET_MS)
    const leave = await enter(slots, request)
    const path = join(folder, `${randomUUID()}.tmp`)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
        throw failure(error)
      })
      bearSilence(silence)
      const received = await receive(request, path, mediaLimit)
      bearSilence(QUIET_MS)
      return await work(received)
    } finally {
      await rm(path, { force: true })
      leave()
    }
  }
}

/** Deletes files of uploads that were interrupted by the end of a process. */
export const sweepUploads = async (dataDir: string): Promise<number> => {
  const folder = join(dataDir, FOLDER)
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (!found || Date.now() - found.mtimeMs < STALE_MS) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

/** A scope whose routes accept only multipart bodies. */
export const acceptMultipart = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers()
  // The error of this module includes the size of the file.
  scope.register(multipart, { throwFileSizeLimit: false })
  scope.addContentTypeParser('*', (_request: unknown, _payload: unknown, done: (error: Error) => void) =>
    done(new ApiError('unsupported_media_type', { message: 'Send the body as multipart/form-data.' })),
  )
}
