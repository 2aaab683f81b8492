import type { MediaRecord } from './repository.ts'

const segment = (name: string) => encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')

/** Path of a file on this site. The name is only informative. */
export const filePath = ({ key, file_name }: Pick<MediaRecord, 'key' | 'file_name'>): string => `/media/${key}/${segment(file_name)}`

const thumbnailPath = ({ key, file_name }: Pick<MediaRecord, 'key' | 'file_name'>): string =>
  `/media/${key}/thumbnail/${segment(file_name.replace(/\.[a-z0-9]+$/, ''))}.webp`

type Shown = Pick<MediaRecord, 'id' | 'key' | 'file_name' | 'file_type' | 'thumbnail_path' | 'created_at'>

export const viewItem = (row: Shown, origin: string) => ({
  id: row.id,
  file_name: row.file_name,
  file_url: origin + filePath(row),
  file_type: row.file_type,
  thumbnail_url: row.thumbnail_path ? origin + thumbnailPath(row) : null,
  created_at: row.created_at,
})

export const viewUpload = (row: Shown & Pick<MediaRecord, 'file_size' | 'width' | 'height'>, origin: string) => ({
  ...viewItem(row, origin),
  file_size: row.file_size,
  width: row.width,
  height: row.height,
})

interface Uploader {
  readonly id: number
  readonly display_name: string
  readonly avatar: string
}

export const viewMedia = (row: MediaRecord, uploader: Uploader, origin: string) => ({
  ...viewUpload(row, origin),
  user_id: row.user_id,
  file_path: filePath(row),
  object_source: row.object_source,
  object_id: row.object_id,
  // The uploader sees an unattached file like any other; `object_id` shows that it is unattached.
  status: 'active' as const,
  uploader,
})
