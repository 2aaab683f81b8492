import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { MEDIA_TYPES, type MediaType } from '@lyceum/contract'
import { tooMany } from '../../platform/auth/tries.ts'
import type { AskedRead, Services } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { UploadedFile } from '../../platform/http/multipart.ts'
import { BadImage, isImageType, makeImage } from '../../platform/images/index.ts'
import { StorageUnavailable } from '../../platform/storage/index.ts'
import { countLoose, type NewMedia } from '../media/index.ts'
import { refuseBlocked } from '../screening/index.ts'
import { detectType, EXTENSIONS, safeName } from './types.ts'

/** Uploads a minute, and files that nothing refers to, of one member. */
const UPLOADS_A_MINUTE = 30
const MOST_LOOSE = 100
const LOOSE_LIVE_S = 2 * 3600

export type Stored = Omit<NewMedia, 'object_source' | 'object_id'>

const refusedType = (message?: string) =>
  new ApiError('invalid_file_type', { ...(message && { message }), data: { allowed_types: [...MEDIA_TYPES] } })

/** @throws rate_limit_exceeded for a member who uploads too much; administrators may */
const checkPace = async ({ db, actor, services }: AskedRead) => {
  const { config, limiter } = services
  if (actor.role === 'admin') return
  if (config.rateLimit === 'on') {
    const { allowed, retryAfter } = await limiter.hit(`upload:${actor.id}`, UPLOADS_A_MINUTE, 60)
    if (!allowed) throw tooMany(retryAfter)
  }
  if ((await countLoose(db, actor.id)) >= MOST_LOOSE) throw tooMany(LOOSE_LIVE_S)
}

interface Made {
  /** Local files and the names under which they are to be kept. */
  readonly files: readonly { readonly from: string; readonly to: string; readonly type: string }[]
  readonly width: number | null
  readonly height: number | null
  readonly size: number
}

const prepareImage = async (owner: number, file: Given, type: MediaType, stem: string): Promise<Made> => {
  if (!isImageType(type))
    return { files: [{ from: file.path, to: `${stem}.${EXTENSIONS[type]}`, type }], width: null, height: null, size: file.size }
  const [whole, small] = [`${file.path}.whole`, `${file.path}.small`]
  const { width, height } = await makeImage(owner, file.path, type, whole, small)
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
 * @throws missing_required_field, invalid_file_type, rate_limit_exceeded, storage_full, service_unavailable
 */
export const storeUpload = async (ctx: AskedRead, file: UploadedFile | null): Promise<Stored> => {
  if (!file || (file.size === 0 && file.name === '')) {
    throw new ApiError('missing_required_field', { message: 'The upload holds no file.', data: { field: 'file' } })
  }
  await checkPace(ctx)
  await refuseBlocked(ctx, ctx.actor, { file: file.name })
  try {
    return await keepLookedAt(ctx.services, ctx.actor.id, await lookAt(ctx.actor.id, file))
  } finally {
    await forget(file)
  }
}
