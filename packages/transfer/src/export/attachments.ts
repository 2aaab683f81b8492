import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type MediaIndex, mediaIn } from './addresses.ts'
import type { ExportContext } from './context.ts'
import { filled } from './filled.ts'

type Attachments = Pick<ArchiveRecord<'comments'>, 'media' | 'gif' | 'preview' | 'meta'>
type Meta = Readonly<Record<string, unknown>>

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const urlOf = (item: unknown): unknown => (typeof item === 'string' ? item : (item as Meta | null)?.['url'])

/** Whether an item contains no more than the file's media record. */
const isPlain = (item: unknown): boolean => typeof item === 'string' || !((item as Meta)['alt'] || (item as Meta)['title'])

/** Media ids of the attached files; null if the items contain further data. */
const attachedMedia = (meta: Meta, media: MediaIndex): string[] | null => {
  const [items, images] = [listOf(meta['media_items']), listOf(meta['media_images'])]
  if (items.length > 0 && images.length > 0) return null
  const files = [...items, ...images].map((item) => (isPlain(item) ? media.idOf(urlOf(item)) : undefined))
  return files.every((id) => id !== undefined) ? files : null
}

/** Removes file ids, which differ in each community. */
const withoutIds = (items: unknown): unknown =>
  Array.isArray(items)
    ? items.map((item) => {
        if (typeof item !== 'object' || item === null) return item
        const { id: _, ...others } = item as Record<string, unknown>
        return others
      })
    : items

export const attachmentsOf = (meta: Meta, media: MediaIndex): Attachments => {
  const { gif, preview, media_items, media_images, ...others } = meta
  const files = attachedMedia(meta, media)
  const lists = files === null ? { media_items: withoutIds(media_items), media_images } : {}
  return filled({
    media: files ?? undefined,
    gif: gif as Attachments['gif'],
    preview: preview as Attachments['preview'],
    meta: { ...others, ...filled(lists) },
  })
}

/** The files that `meta` of the rows references. */
export const mediaOfRows = (ctx: ExportContext, rows: readonly { readonly meta: string }[], ...further: readonly (string | null)[]) =>
  mediaIn(ctx, [...rows.map(({ meta }) => meta), ...further])
