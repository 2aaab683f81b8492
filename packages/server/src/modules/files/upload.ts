import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { MEDIA_TYPES, type MediaType } from '@lyceum/contract'
import { shift } from '../../core/clock.ts'
import type { ReadRequest, Services } from '../../core/context.ts'
import { ApiError, tooMany } from '../../core/errors.ts'
import type { UploadedFile } from '../../http/requests/multipart.ts'
import { BadImage, convertImage, isImageType } from '../../images/index.ts'
import { StorageUnavailable, storedBytes } from '../../storage/index.ts'
import { type NewMedia, usageOf } from '../media/index.ts'
import { refuseBlocked } from '../screening/index.ts'
import { detectType, EXTENSIONS, safeName } from './types.ts'
import { stripMovie } from './video-metadata.ts'

/** Most files of one member that nothing refers to. */
const MOST_LOOSE = 100
const LOOSE_LIVE_S = 2 * 3600
/** The longest that a deleted file stays on the disk; the chore that removes it runs every hour. */
const DELETED_LIVE_S = 3 * 3600
const MB = 2 ** 20

export type Stored = Omit<NewMedia, 'object_source' | 'object_id'>

const refusedType = (message?: string) =>
  new ApiError('invalid_file_type', { ...(message && { message }), data: { allowed_types: [...MEDIA_TYPES] } })

/**
 * Refuses a file for which the member, or everybody together, has no room left. Moderators have no quota of their own; administrators have
 * no quota.
 * @throws storage_quota_exceeded, rate_limit_exceeded for too many uploads that nothing refers to
 */
const checkQuota = async ({ db, actor, now, services }: ReadRequest, size: number) => {
  const { budgets, caches, database } = services
  if (actor.role === 'admin') return
  const limits = await budgets.read(caches.now())
  const refuse = (kind: string, most: number, used: number, message?: string): never => {
    budgets.refused(kind)
    throw new ApiError('storage_quota_exceeded', { ...(message && { message }), data: { quota: most * MB, used } })
  }
  const isOver = (most: number, used: number) => most > 0 && used + size > most * MB
  const used = await usageOf(db, actor.id, shift(now, -DELETED_LIVE_S))
  if (used.looseFiles >= MOST_LOOSE) throw tooMany(LOOSE_LIVE_S)
  const { total_storage_mb: all, member_storage_mb: own, unattached_storage_mb: loose } = limits
  if (actor.role === 'member' && isOver(own, used.bytes)) refuse('storage_member', own, used.bytes)
  if (actor.role === 'member' && isOver(loose, used.looseBytes))
    refuse(
      'storage_unattached',
      loose,
      used.looseBytes,
      'Too many uploads wait to be used, or were deleted lately. Post them, or try again in some hours.',
    )
  if (all === 0) return
  const { attached, unattached } = await storedBytes(database)
  if (isOver(all, attached + unattached)) refuse('storage_total', all, attached + unattached, 'The storage of this community is used up.')
}

interface Made {
  /** Local files and the names under which they are to be kept. */
  readonly files: readonly { readonly from: string; readonly to: string; readonly type: string }[]
  readonly width: number | null
  readonly height: number | null
  readonly size: number
}

const prepareImage = async (owner: number, file: Given, type: MediaType, stem: string): Promise<Made> => {
  if (type === 'video/mp4') await stripMovie(file.path)
  if (!isImageType(type))
    return { files: [{ from: file.path, to: `${stem}.${EXTENSIONS[type]}`, type }], width: null, height: null, size: file.size }
  const [whole, small] = [`${file.path}.whole`, `${file.path}.small`]
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

/** Puts all of them into the store, or none. @throws storage_full, service_unavailable */
const keep = async ({ storage, log }: Services, { files }: Made) => {
  const { current } = storage
  try {
    for (const { from, to, type } of files) await current.put(to, from, type)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    log.error({ err: error }, 'a file could not be stored')
    await Promise.all(files.map(({ to }) => current.remove(to).catch(() => {})))
    throw new ApiError(error.full ? 'storage_full' : 'service_unavailable')
  }
}

type Given = Pick<UploadedFile, 'path' | 'name' | 'size'>

/** A file that was looked at; what is to be stored of it lies beside it until `forget`. */
export interface LookedAt {
  readonly file: Given
  readonly type: MediaType
  readonly key: string
  readonly made: Made
}

const beside = ({ path }: Given) => [`${path}.whole`, `${path}.small`]
/** Removes what was made of a file. */
export const forget = async (file: Given): Promise<void> => {
  await Promise.all(beside(file).map((path) => rm(path, { force: true })))
}

/** Looks at what a file of a member holds, and makes of it what is to be stored. @throws invalid_file_type, service_unavailable */
export const lookAt = async (userId: number, file: Given): Promise<LookedAt> => {
  const type = await detectType(file.path)
  if (!type) throw refusedType()
  const key = randomBytes(16).toString('hex')
  try {
    return { file, type, key, made: await prepareImage(userId, file, type, `${key.slice(0, 2)}/${key}`) }
  } catch (error) {
    throw error instanceof BadImage ? refusedType(error.message) : error
  }
}

/** Stores a file that was looked at; the row comes later, so that there is never one without its file. @throws storage_full, service_unavailable */
export const keepLookedAt = async (services: Services, userId: number, { file, type, key, made }: LookedAt): Promise<Stored> => {
  await keep(services, made)
  return {
    key,
    user_id: userId,
    file_name: safeName(file.name, type),
    file_type: type,
    file_size: made.size,
    width: made.width,
    height: made.height,
    store: services.storage.current.kind,
    path: made.files[0]!.to,
    thumbnail_path: made.files[1]?.to ?? null,
  }
}

/**
 * Looks at what was uploaded and stores it.
 * @throws missing_required_field, invalid_file_type, storage_quota_exceeded, rate_limit_exceeded, storage_full, service_unavailable
 */
export const storeUpload = async (ctx: ReadRequest, file: UploadedFile | null): Promise<Stored> => {
  if (!file || (file.size === 0 && file.name === '')) {
    throw new ApiError('missing_required_field', { message: 'The upload holds no file.', data: { field: 'file' } })
  }
  await refuseBlocked(ctx, ctx.actor, { file: file.name })
  await checkQuota(ctx, file.size)
  try {
    return await keepLookedAt(ctx.services, ctx.actor.id, await lookAt(ctx.actor.id, file))
  } finally {
    await forget(file)
  }
}
