import { isHttpUrl } from '@lyceum/content'
import { type api, type BodyOf, COMMENT_BYTES, COMMENT_IMAGES } from '@lyceum/contract'
import { ApiError } from '../../core/errors.ts'
import { type Meta, mergeMeta } from '../feeds/index.ts'

type Body = Pick<BodyOf<typeof api.comments.update>, 'comment' | 'message' | 'content_type' | 'media_images' | 'meta'>

/** The content of a comment as it is stored. */
export interface Content {
  readonly message: string
  readonly content_type: string
  readonly meta: Meta
}

export const BLANK: Content = { message: '', content_type: 'text', meta: {} }

const invalidContent = (message: string) => new ApiError('invalid_content', { message, data: { field: 'comment' } })

const checkImages = (images: unknown) => {
  if (Array.isArray(images) && images.length <= COMMENT_IMAGES && images.every(isHttpUrl)) return
  throw new ApiError('invalid_url', {
    message: `media_images must be a list of at most ${COMMENT_IMAGES} http or https URLs.`,
    data: { field: 'media_images' },
  })
}

const isEmpty = (value: unknown) => value === undefined || value === null || (Array.isArray(value) && value.length === 0)
const hasMedia = (meta: Meta) => ['media_images', 'media_items', 'gif'].some((key) => !isEmpty(meta[key]))

/** The meta keys that a body sets; `media_images` may be sent beside the meta or in it. */
const givenMeta = ({ meta, media_images }: Body): Meta => {
  const { media_images: images, ...others }: Meta = { ...meta, ...(media_images !== undefined && { media_images }) }
  if (images === undefined) return others
  if (isEmpty(images)) return { ...others, media_images: null }
  checkImages(images)
  return { ...others, media_images: images }
}

export const changesContent = ({ comment, message, content_type, media_images, meta }: Body): boolean =>
  [comment, message, content_type, media_images, meta].some((value) => value !== undefined)

/**
 * Applies a body to the content: only the fields that are sent change.
 * @throws invalid_content if it has neither text nor media or is too long, invalid_url, invalid_data
 */
export const applyContent = (before: Content, body: Body): Content => {
  const message = body.comment ?? body.message ?? before.message
  if (Buffer.byteLength(message) > COMMENT_BYTES) throw invalidContent(`A comment must have at most ${COMMENT_BYTES} bytes.`)
  const given = givenMeta(body)
  const meta = Object.keys(given).length > 0 ? mergeMeta(before.meta, given) : before.meta
  if (message.trim() === '' && !hasMedia(meta)) throw invalidContent('A comment requires a text, an image or a GIF.')
  return { message, content_type: body.content_type ?? before.content_type, meta }
}
