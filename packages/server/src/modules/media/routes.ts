import { isHttpUrl } from '@lyceum/content'
import { api, MEDIA_TYPES } from '@lyceum/contract'
import { ApiError } from '../../core/errors.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { statementOne } from '../../db/index.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { audit } from '../audit/index.ts'
import { updateFeed } from '../feeds/index.ts'
import { profileFor } from '../members/index.ts'
import { listMedia, mediaAbilities } from './access.ts'
import { previewOf } from './previews/index.ts'
import { insertMedia, markDeleted, mediaById } from './repository.ts'
import { storeUpload } from './upload.ts'
import { viewItem, viewMedia, viewUpload } from './view.ts'

const uploader = statementOne<{ id: number; display_name: string; avatar: string }>(
  'select id, display_name, avatar from users where id = $1',
)

/** Matches an exact type (`image/png`) or a group (`image`). */
const typesLike = (asked: string): string[] => MEDIA_TYPES.filter((type) => type === asked || type.startsWith(`${asked}/`))

export const fileHandlers: Handlers<typeof api.media> = {
  upload: prepared(
    api.media.upload,
    (ctx, { file }) => storeUpload(ctx, file),
    async ({ db, now, services }, { body }, stored) => {
      const { object_source = 'feed', object_id } = body
      const row = { ...stored, object_source, object_id: object_id === undefined ? null : Number(object_id) }
      const id = await insertMedia(db, row, now)
      return { message: 'The file was uploaded.', data: viewUpload({ ...row, id, created_at: now }, services.origin()) }
    },
  ),

  get: async ({ db, actor, now, services }, { params }) => {
    const media = await mediaById(db, [params.media_id])
    if (!media || !(await mediaAbilities({ db, actor, now }, media)).view) throw new ApiError('media_not_found')
    const person = await uploader(db, [media.user_id])
    if (!person) throw new ApiError('media_not_found')
    return { data: viewMedia(media, person, services.origin()) }
  },

  remove: async (ctx, { params }) => {
    const { db, actor, now } = ctx
    const media = await mediaById(db, [params.media_id])
    const { view, remove } = media ? await mediaAbilities({ db, actor, now }, media) : { view: false, remove: false }
    if (!view) throw new ApiError('media_not_found')
    if (!remove) throw new ApiError('rest_forbidden')
    if (!(await markDeleted(db, [params.media_id, now]))) throw new ApiError('media_not_found')
    if (media && media.user_id !== actor.id)
      await audit(ctx, 'media.removed', { object_type: 'media', object_id: media.id, details: { author_id: media.user_id } })
    return { message: 'The file was deleted.' }
  },

  ofProfile: async (ctx, { params, query }) => {
    const { page = 1, per_page = 20, file_type, object_source } = query
    const { id } = await profileFor(ctx, params.username)
    const what = { userId: id, types: file_type === undefined ? undefined : typesLike(file_type), source: object_source }
    const { rows, total } = await listMedia(ctx.db, ctx.actor, what, pageOf({ page, per_page }))
    const origin = ctx.services.origin()
    return { data: rows.map((row) => viewItem(row, origin)), meta: pagination(total, page, per_page) }
  },

  oembed: async (ctx, { query }) => {
    if (!isHttpUrl(query.url)) throw new ApiError('invalid_url', { data: { field: 'url' } })
    const preview = await previewOf(ctx, query.url)
    if (!preview) throw new ApiError('preview_not_found')
    return { data: preview }
  },

  removePreview: async (ctx, { params }) => {
    await updateFeed(ctx, params.feed_id, { meta: { preview: null, gif: null }, reason: 'The preview was removed.' }, null)
    return { message: 'The preview was removed.' }
  },
}
