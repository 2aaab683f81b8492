import type { ArchiveRecord } from '@lyceum/contract/archive'
import { at, flagAt, itemsAt, numberAt, type PhpValue, textAt } from '../wordpress/index.ts'
import { type Community, clean } from './community.ts'
import { pictureAt } from './media-files.ts'

export type Attached = Pick<ArchiveRecord<'posts'>, 'media' | 'gif' | 'preview'>

export interface Attachments extends Attached {
  /** Attachments that cannot be imported. */
  readonly problems: readonly string[]
}

const isWeb = (address: string): boolean => /^https?:\/\/\S+$/i.test(address)
const size = (value: number | null) => (value !== null && value > 0 && value <= 100_000 ? Math.round(value) : undefined)
const sizeOf = (item: PhpValue) => {
  const [width, height] = [size(numberAt(item, 'width')), size(numberAt(item, 'height'))]
  return { ...(width && { width }), ...(height && { height }) }
}

/** Media id of an uploaded item, by its row or else by its URL. */
const uploadOf = (community: Community, item: PhpValue): string | null => {
  const { staging } = community
  const row = numberAt(item, 'media_id') ?? numberAt(item, 'id')
  if (row !== null && staging.get('select 1 from fcom_media_archive where id = ?', row)) return String(row)
  const key = textAt(item, 'media_key')
  const byKey = key === '' ? undefined : staging.get<{ id: number }>('select id from fcom_media_archive where media_key = ? limit 1', key)
  if (byKey) return String(byKey.id)
  const picture = pictureAt(community, textAt(item, 'url') || textAt(item, 'image'))
  return picture && 'id' in picture ? picture.id : null
}

const isUpload = (preview: PhpValue): boolean => flagAt(preview, 'is_uploaded') || textAt(preview, 'provider') === 'uploader'

const isGif = (preview: PhpValue): boolean =>
  /giphy|tenor/i.test(textAt(preview, 'provider')) || (textAt(preview, 'type') === 'image' && textAt(preview, 'url') === '')

const gifOf = (preview: PhpValue): Attached['gif'] => {
  const url = textAt(preview, 'image')
  if (!isWeb(url)) return undefined
  const title = textAt(preview, 'title')
  return { url, ...(title && { title }), ...sizeOf(preview) }
}

const previewOf = (preview: PhpValue): Attached['preview'] => {
  const url = textAt(preview, 'url')
  if (!isWeb(url)) return undefined
  const image = textAt(preview, 'image')
  const texts = Object.fromEntries(
    (['title', 'description', 'provider', 'author_name'] as const).flatMap((name) => {
      const text = textAt(preview, name).slice(0, 2000)
      return text === '' ? [] : [[name, text]]
    }),
  )
  const type = textAt(preview, 'content_type') || (textAt(preview, 'type') === 'oembed' ? 'video' : '')
  return { url, ...texts, ...(isWeb(image) && { image }), ...(type && { type }), ...(isWeb(image) && sizeOf(preview)) }
}

/** Pictures, files, GIF and link preview of a post or comment. */
export const attachmentsOf = (community: Community, meta: PhpValue): Attachments => {
  const problems: string[] = []
  const media: string[] = []
  const attach = (item: PhpValue, what: string) => {
    const id = uploadOf(community, item)
    if (id === null)
      problems.push(
        `its ${what} ${clean(textAt(item, 'url') || textAt(item, 'image')) || '(no URL)'} was dropped: it is not an upload of the site`,
      )
    else if (!media.includes(id)) media.push(id)
  }
  const preview = at(meta, 'media_preview') ?? null
  if (isUpload(preview)) attach(preview, 'picture')
  for (const item of itemsAt(meta, 'media_items')) attach(item, 'picture')
  for (const item of itemsAt(meta, 'document_lists')) attach(item, 'file')
  const gif = isUpload(preview) || !isGif(preview) ? undefined : gifOf(preview)
  const link = isUpload(preview) || gif ? undefined : previewOf(preview)
  return { ...(media.length > 0 && { media }), ...(gif && { gif }), ...(link && { preview: link }), problems }
}
