import type { ArchiveRecord } from '@lyceum/contract/archive'
import { previewOf } from './attachments.ts'
import type { Context } from './context.ts'
import { type Site, uploadUrls } from './site.ts'
import { validTime } from './times.ts'

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const IN_TEXT = /\/wp-content\/uploads\/([^\s"'<>()\\?#]{1,500})/g

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Paths of uploaded files that a text embeds or links. */
export const filesInText = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(IN_TEXT), ([, path = '']) => decoded(path.replace(/(?<![.,;:!])[.,;:!]+$/, '')))),
]

/** A post or comment that embeds or links uploaded files. */
interface LinkingRow {
  readonly type: string
  readonly text: string
  readonly person: number | null
  readonly created: string | null
}

const linkedFile = (path: string, row: LinkingRow, site: Site): ArchiveRecord<'media'> => ({
  id: `file:${path}`.slice(0, 500),
  urls: uploadUrls(site, path),
  file: path,
  file_name: nameOf(path),
  ...(row.person !== null && { owner: String(row.person) }),
  used_for: row.type === 'activity_comment' ? 'comment' : 'feed',
  created_at: validTime(row.created) ?? site.founded,
})

const COLUMNS = `a.type, u.ID as person, a.date_recorded as created`
const OWNERS = `left join users u on u.ID = a.user_id where a.type in ('activity_update', 'activity_comment')`

const TEXTS = `select ${COLUMNS}, a.content as text from bp_activity a ${OWNERS} and a.content like '%/uploads/%' order by a.id`
const PREVIEWS = `select ${COLUMNS}, m.meta_value as text from bp_activity_meta m join bp_activity a on a.id = m.activity_id ${OWNERS}
  and m.meta_key = '_link_preview_data' and m.meta_value like '%attachment_id%' order by m.id`

/** SQL for the path of a WordPress attachment below the uploads folder. */
export const pathOfAttachment = (id: string) =>
  `(select meta_value from postmeta p where p.post_id = ${id} and p.meta_key = '_wp_attached_file' and p.meta_value <> '' limit 1)`
const PATH = `select ${pathOfAttachment('?')} as path`

export const previewImage = ({ staging }: Pick<Context, 'staging'>, preview: string | null): string | null => {
  const attachment = previewOf(preview)?.attachment ?? null
  return attachment === null ? null : (staging.get<{ path: string | null }>(PATH, attachment)?.path ?? null)
}

/** Yields uploaded files that texts embed or link, and images of link previews, once each, as used by the first post or comment. */
export function* readLinkedFiles(context: Pick<Context, 'staging' | 'site'>): Generator<ArchiveRecord<'media'>> {
  const seen = new Set<string>()
  const fresh = (path: string) => !seen.has(path) && seen.add(path)
  for (const row of context.staging.rows<LinkingRow>(TEXTS))
    for (const path of filesInText(row.text).filter(fresh)) yield linkedFile(path, row, context.site)
  for (const row of context.staging.rows<LinkingRow>(PREVIEWS)) {
    const path = previewImage(context, row.text)
    if (path !== null && fresh(path)) yield linkedFile(path, row, context.site)
  }
}
