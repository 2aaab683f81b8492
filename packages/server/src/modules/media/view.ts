import type { MediaRow } from '../../db/index.ts'
import { pick } from '../../util/pick.ts'

const segment = (name: string) => encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')

/** Path of a file on this site. The name is only informative. */
export const filePath = ({ key, file_name }: Pick<MediaRow, 'key' | 'file_name'>): string => `/media/${key}/${segment(file_name)}`

const thumbnailPath = ({ key, file_name }: Pick<MediaRow, 'key' | 'file_name'>): string =>
  `/media/${key}/thumbnail/${segment(file_name.replace(/\.[a-z0-9]+$/, ''))}.webp`

export type ListedMedia = Pick<MediaRow, 'id' | 'key' | 'file_name' | 'file_type' | 'thumbnail_path' | 'created_at'>

export const viewItem = (row: ListedMedia, origin: string) => ({
  ...pick(row, 'id', 'file_name', 'file_type', 'created_at'),
  file_url: origin + filePath(row),
  thumbnail_url: row.thumbnail_path ? origin + thumbnailPath(row) : null,
})

export const viewUpload = (row: ListedMedia & Pick<MediaRow, 'file_size' | 'width' | 'height'>, origin: string) => ({
  ...viewItem(row, origin),
  ...pick(row, 'file_size', 'width', 'height'),
})

export const viewMedia = <Uploader>(row: MediaRow, uploader: Uploader, origin: string) => ({
  ...viewUpload(row, origin),
  ...pick(row, 'user_id', 'object_source', 'object_id'),
  file_path: filePath(row),
  // The uploader sees an unattached file like any other; `object_id` shows that it is unattached.
  status: 'active' as const,
  uploader,
})
