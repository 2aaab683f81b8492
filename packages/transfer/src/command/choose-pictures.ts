import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { Source } from '@lyceum/importers'

export interface PictureOptions {
  readonly migrate_avatars?: boolean
  readonly migrate_cover_images?: boolean
}

type Picture = keyof ArchiveRecord<'people'>

/** Excludes the profile pictures that the administrator deselected. */
export const withPictures = (source: Source, { migrate_avatars = true, migrate_cover_images = true }: PictureOptions): Source => {
  const dropped: Picture[] = [
    ...(migrate_avatars ? [] : (['avatar', 'avatar_url'] as const)),
    ...(migrate_cover_images ? [] : (['cover_photo', 'cover_photo_url'] as const)),
  ]
  if (dropped.length === 0) return source
  return {
    ...source,
    read: async function* (kind) {
      for await (const entry of source.read(kind))
        yield kind === 'people'
          ? (Object.fromEntries(Object.entries(entry).filter(([key]) => !dropped.includes(key as Picture))) as typeof entry)
          : entry
    },
  }
}
