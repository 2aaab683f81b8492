import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { MEDIA_TYPES, type MediaType } from '@lyceum/contract'
import { shift } from '../../core/clock.ts'
import type { ReadRequest, Services } from '../../core/context.ts'
import { ApiError, tooMany } from '../../core/errors.ts'
import type { UploadedFile } from '../../http/requests/multipart.ts'
import { BadImage, convertImage, isImageType } from '../../images/index.ts'
import { type NewFile, StorageUnavailable, storedBytes } from '../../storage/index.ts'
import { assertNotBlocked } from '../automod/index.ts'
import { stripAudio } from './audio-metadata.ts'
import { type NewMedia, usageOf } from './repository.ts'
import { detectType, EXTENSIONS, safeName } from './types.ts'
import { stripMovie } from './video-metadata.ts'

const MAX_UNATTACHED = 100
const UNATTACHED_RETENTION_S = 2 * 3600
/** Maximum time a deleted file stays on disk; the cleanup task runs hourly. */
const DELETED_RETENTION_S = 3 * 3600
const MB = 2 ** 20

export type Stored = Omit<NewMedia, 'object_source' | 'object_id'>

const refusedType = (message?: string) =>
  new ApiError('invalid_file_type', { ...(message && { message }), data: { allowed_types: [...MEDIA_TYPES] } })

/**
 * Refuses a file that exceeds the quota of the member or of the community. Moderators have no personal quota; administrators have none at
 * all.
 * @throws storage_quota_exceeded; rate_limit_exceeded for too many unattached files
 */
const checkQuota = async ({ db, actor, now, services, snapshot }: ReadRequest, size: number) => {
  const { budgets, database } = services
  if (actor.role === 'admin') return
  const limits = await budgets.read(snapshot)
  const refuse = (kind: string, most: number, used: number, message?: string): never => {
    budgets.refused(kind)
    throw new ApiError('storage_quota_exceeded', { ...(message && { message }), data: { quota: most * MB, used } })
  }
  const isOver = (most: number, used: number) => most > 0 && used + size > most * MB
  const used = await usageOf(db, actor.id, shift(now, -DELETED_RETENTION_S))
  if (used.looseFiles >= MAX_UNATTACHED) throw tooMany(UNATTACHED_RETENTION_S)
  const { total_storage_mb: all, member_storage_mb: own, unattached_storage_mb: loose } = limits
  if (actor.role === 'member' && isOver(own, used.bytes)) refuse('storage_member', own, used.bytes)
  if (actor.role === 'member' && isOver(loose, used.looseBytes))
    refuse(
      'storage_unattached',
      loose,
      used.looseBytes,
      'You have too many unused or recently deleted uploads. Use them in a post or try again in a few hours.',
    )
  if (all === 0) return
  const { attached, unattached } = await storedBytes(database)
  if (isOver(all, attached + unattached))
    refuse('storage_total', all, attached + unattached, 'The storage quota of this community is exceeded.')
}

interface ConvertedFile {
  /** Local paths and their names in the storage. */
  readonly files: readonly NewFile[]
  readonly width: number | null
  readonly height: number | null
  readonly size: number
}

const convertedPaths = ({ path }: LocalFile) => [`${path}.whole`, `${path}.small`] as const

/** Removes what was made of a file. */
export const discardConverted = async (file: LocalFile): Promise<void> => {
  for (const path of convertedPaths(file)) await rm(path, { force: true })
}

const prepareImage = async (owner: number, file: LocalFile, type: MediaType, stem: string): Promise<ConvertedFile> => {
  if (type === 'video/mp4' || type === 'audio/mp4') await stripMovie(file.path)
  else if (type === 'audio/mpeg' || type === 'audio/ogg' || type === 'audio/wav') await stripAudio(file.path, type)
  if (!isImageType(type))
    return { files: [{ from: file.path, to: `${stem}.${EXTENSIONS[type]}`, type }], width: null, height: null, size: file.size }
  const [whole, small] = convertedPaths(file)
  const { width, height } = await convertImage(owner, file.path, type, whole, small)
  return {
    files: [
      { from: whole, to: `${stem}.${EXTENSIONS[type]}`, type },
      { from: small, to: `${stem}.small.webp`, type: 'image/webp' },
    ],
    width,
    height,
    size: (await stat(whole)).size,
  }
}

/** Stores all files or none. @throws storage_full, service_unavailable */
const storeFiles = async ({ storage, log }: Services, files: readonly NewFile[]) => {
  const { current } = storage
  try {
    await current.putAll(files)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    log.error({ event: 'file_store_failed', err: error }, 'failed to store a file')
    await Promise.all(files.map(({ to }) => current.remove(to).catch(() => {})))
    throw new ApiError(error.full ? 'storage_full' : 'service_unavailable')
  }
}

type LocalFile = Pick<UploadedFile, 'path' | 'name' | 'size'>

/** An inspected file. The converted files lie next to it until they are discarded. */
export interface InspectedFile {
  readonly file: LocalFile
  readonly type: MediaType
  readonly key: string
  readonly made: ConvertedFile
}

/** Detects the type of a file and converts it for storage. @throws invalid_file_type, service_unavailable */
export const inspectFile = async (userId: number, file: LocalFile, key = randomBytes(16).toString('hex')): Promise<InspectedFile> => {
  const type = await detectType(file.path)
  if (!type) throw refusedType()
  try {
    return { file, type, key, made: await prepareImage(userId, file, type, `${key.slice(0, 2)}/${key}`) }
  } catch (error) {
    throw error instanceof BadImage ? refusedType(error.message) : error
  }
}

/** The row of an inspected file without what it belongs to. */
export const rowOf = ({ file, type, key, made }: InspectedFile, userId: number, store: Stored['store']): Stored => ({
  key,
  user_id: userId,
  file_name: safeName(file.name, type),
  file_type: type,
  file_size: made.size,
  width: made.width,
  height: made.height,
  store,
  path: made.files[0]!.to,
  thumbnail_path: made.files[1]?.to ?? null,
})

/**
 * Stores inspected files. Their rows are inserted later, so that there is never a row without a file.
 * @throws storage_full, service_unavailable
 */
export const storeInspected = (services: Services, inspected: readonly InspectedFile[]): Promise<void> =>
  storeFiles(
    services,
    inspected.flatMap(({ made }) => made.files),
  )

/** @throws missing_required_field, invalid_file_type, storage_quota_exceeded, rate_limit_exceeded, storage_full, service_unavailable */
export const storeUpload = async (ctx: ReadRequest, file: UploadedFile | null): Promise<Stored> => {
  if (!file || (file.size === 0 && file.name === '')) {
    throw new ApiError('missing_required_field', { message: 'The upload contains no file.', data: { field: 'file' } })
  }
  await assertNotBlocked(ctx, ctx.actor, { file: file.name })
  await checkQuota(ctx, file.size)
  try {
    const inspected = await inspectFile(ctx.actor.id, file)
    await storeInspected(ctx.services, [inspected])
    return rowOf(inspected, ctx.actor.id, ctx.services.storage.current.kind)
  } finally {
    await discardConverted(file)
  }
}
