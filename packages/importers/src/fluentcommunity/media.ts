import type { MediaSource } from '@lyceum/contract'
import { readMeta, textAt } from '../wordpress/index.ts'
import { type Community, clean, countOf, type KindReader, personId, skipped } from './community.ts'
import { rowPath } from './media-files.ts'

export interface MediaRow {
  readonly id: number
  readonly object_source: string | null
  readonly media_key: string | null
  readonly user_id: number | null
  readonly media_path: string | null
  readonly media_url: string | null
  readonly settings: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

const usedFor = (source: string): MediaSource => {
  if (source.startsWith('user_')) return 'profile'
  if (source === 'space_document') return 'feed'
  return (['comment', 'space', 'course', 'lesson'] as const).find((what) => source.startsWith(what)) ?? 'feed'
}

const nameOf = (path: string): string => path.split('/').at(-1) ?? ''
/** Extracts the original file name; uploads are stored as `fluentcom-KEY-fluentcom-NAME`. */
const originalName = (stored: string): string => stored.replace(/^fluentcom-[^-]+-(?:fluentcom-)?/, '') || stored

export const mediaOf = (community: Community, row: MediaRow) => {
  const path = rowPath(community, row)
  const url = clean(row.media_url)
  const key = clean(row.media_key)
  const isDocument = key !== '' && /document/.test(clean(row.object_source))
  const name = textAt(readMeta(row.settings).value, 'original_name') || originalName(nameOf(path ?? url))
  return {
    id: String(row.id),
    urls: [
      ...(url === '' ? [] : [url]),
      ...(isDocument ? [`${community.portal}/?fcom_action=download_document&media_key=${key}&media_id=${row.id}`] : []),
    ],
    ...(path !== null && { file: path }),
    ...(/^https?:\/\//i.test(url) && { url }),
    file_name: name || 'file',
    owner: personId(row.user_id),
    used_for: usedFor(clean(row.object_source)),
    created_at: community.created('fcom_media_archive', row.id, row.created_at, row.updated_at),
  }
}

/** Whether a picture belongs to a person that is not imported. */
const isOfNobody = ({ staging }: Community, { object_source, user_id }: MediaRow): boolean =>
  clean(object_source).startsWith('user_') && !staging.get('select 1 from imported_people where id = ?', user_id)

/** Uploads that are in use. Others are drafts that were never published. */
const USED = 'from fcom_media_archive m where coalesce(is_active, 1) <> 0 or exists (select 1 from fcom_posts p where p.id = m.feed_id)'
const OTHERS = "from media_files where id like 'file:%'"

export const media: KindReader<'media'> = {
  table: 'fcom_media_archive',
  count: (community) => countOf(community, USED) + countOf(community, OTHERS),
  read: function* (community) {
    for (const row of community.staging.rows<MediaRow>(`select * ${USED} order by id`))
      yield isOfNobody(community, row)
        ? skipped(row.id, 'the account of the pictured member does not exist in the source')
        : mediaOf(community, row)
    const files = community.staging.rows<{
      path: string
      id: string
      owner: number | null
      used_for: MediaSource
      created_at: string | null
      url: string
    }>(`select * ${OTHERS} order by path`)
    for (const { id, path, owner, used_for, created_at, url } of files)
      yield {
        id,
        urls: [url],
        file: path,
        ...(/^https?:\/\//i.test(url) && { url }),
        file_name: nameOf(path) || 'file',
        owner: personId(owner),
        used_for,
        created_at: community.stamp.toUtc(created_at) ?? community.created('fcom_posts', 0),
      }
  },
}
