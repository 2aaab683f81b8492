import { createHash } from 'node:crypto'
import type { MediaSource } from '@lyceum/contract'
import { type Community, clean } from './community.ts'

/** A picture: a media record, or the URL of an external image. */
export type Picture = { readonly id: string } | { readonly url: string } | null

/** Media id of a file without a row in the media archive. */
const fileId = (path: string): string => (path.length <= 400 ? `file:${path}` : `file:${createHash('sha256').update(path).digest('hex')}`)

const TABLE = `
  create table media_files (path text primary key, id text not null, owner integer, used_for text, created_at text, url text) without rowid;
`

const ENDS = new Set(' \t\r\n"\'<>[]\\|')
const LONGEST = 2000

/** The URL around a position. It ends at white space, quotes, brackets and unbalanced closing parentheses. */
const addressAround = (text: string, position: number, from: number): { readonly address: string; readonly end: number } => {
  let start = position
  while (start > from && position - start < LONGEST && !ENDS.has(text[start - 1] as string) && text[start - 1] !== '(') start--
  let end = position
  for (let open = 0; end < text.length && end - start < LONGEST && !ENDS.has(text[end] as string); end++) {
    if (text[end] === '(') open++
    else if (text[end] === ')' && --open < 0) break
  }
  return {
    address: text
      .slice(start, end)
      .replaceAll('&amp;', '&')
      .replace(/(?<![.,;:!?*_])[.,;:!?*_]{1,200}$/, ''),
    end,
  }
}

/** URLs in a text that contain one of the needles, and so may be uploads. */
export const uploadAddresses = (text: string, needles: readonly string[]): string[] => {
  const found: string[] = []
  for (const needle of needles) {
    let from = 0
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, from)) {
      const { address, end } = addressAround(text, at, from)
      found.push(address)
      from = Math.max(end, at + needle.length)
    }
  }
  return found
}

interface TextRow {
  readonly user_id: number | null
  readonly created_at: string | null
  readonly used_for: MediaSource
  readonly text: string
}

/** SQL for the texts and fields that may reference files; `has` builds the condition for a column. */
const textsWith = (has: (column: string) => string): string => {
  const message = "coalesce(nullif(message, ''), message_rendered)"
  return `
    select user_id, created_at, 'profile' used_for, avatar text from fcom_xprofile where ${has('avatar')}
    union all select user_id, created_at, 'profile', meta from fcom_xprofile where ${has('meta')}
    union all select created_by, created_at, iif(type = 'course', 'course', 'space'), logo from fcom_spaces where ${has('logo')}
    union all select created_by, created_at, iif(type = 'course', 'course', 'space'), cover_photo from fcom_spaces where ${has('cover_photo')}
    union all select created_by, created_at, iif(type = 'course', 'course', 'space'), description from fcom_spaces where ${has('description')}
    union all select created_by, created_at, iif(type = 'course', 'course', 'space'), settings from fcom_spaces where ${has('settings')}
    union all select user_id, created_at, iif(type like 'course%', 'lesson', 'feed'), ${message} from fcom_posts where ${has(message)}
    union all select user_id, created_at, 'feed', featured_image from fcom_posts where ${has('featured_image')}
    union all select user_id, created_at, iif(type like 'course%', 'lesson', 'feed'), meta from fcom_posts where ${has('meta')}
    union all select user_id, created_at, 'comment', ${message} from fcom_post_comments where ${has(message)}
    union all select user_id, created_at, 'comment', meta from fcom_post_comments where ${has('meta')}`
}

/** The path of a row below the uploads folder; null for files in remote storage without a path. */
export const rowPath = (
  { uploads }: Community,
  row: { readonly media_url: string | null; readonly media_path: string | null },
): string | null => {
  const path = clean(row.media_path)
  const [before, ...after] = `/${path}`.split('/uploads/')
  const inPath = before === undefined || after.length === 0 ? undefined : after.join('/uploads/') || undefined
  return uploads.pathOf(clean(row.media_url)) ?? inPath ?? (path !== '' && !path.startsWith('/') && !path.includes('\\') ? path : null)
}

/**
 * Collects files by path: first those of the media archive, then those that only texts and profiles reference, such as images from the
 * WordPress media library.
 */
export const listFiles = (community: Community): void => {
  const { staging, uploads } = community
  staging.exec(TABLE)
  const add = staging.writer('media_files', ['path', 'id', 'owner', 'used_for', 'created_at', 'url'])
  for (const row of staging.rows<{ id: number; media_url: string | null; media_path: string | null }>(
    'select id, media_url, media_path from fcom_media_archive order by id',
  )) {
    const path = rowPath(community, row)
    if (path !== null) add(path, String(row.id), null, null, null, null)
  }
  const { needles } = uploads
  const has = (column: string) => `(${needles.map((needle) => `instr(${column}, '${needle.replaceAll("'", "''")}')`).join(' or ')})`
  for (const { text, user_id, used_for, created_at } of staging.rows<TextRow>(textsWith(has)))
    for (const address of uploadAddresses(text, needles)) {
      const path = uploads.pathOf(address)
      if (path !== null) add(path, fileId(path), user_id, used_for, created_at, address)
    }
}

/** Whether a URL is a real picture. Images of plugins and themes are placeholders. */
const isPicture = (address: string): boolean =>
  /^https?:\/\/[^\s]+$/i.test(address) && !/\/wp-(?:content\/(?:plugins|themes)|includes)\//i.test(address)

/** The picture of a profile or space, by URL. */
export const pictureAt = ({ staging, uploads }: Community, address: string | null): Picture => {
  const url = clean(address).trim()
  if (url === '') return null
  const row = staging.get<{ id: number }>('select id from fcom_media_archive where media_url = ? limit 1', url)
  if (row) return { id: String(row.id) }
  const path = uploads.pathOf(url)
  const file = path === null ? undefined : staging.get<{ id: string }>('select id from media_files where path = ?', path)
  if (file) return { id: file.id }
  return isPicture(url) ? { url } : null
}

/** Record fields for a picture: `name` for a media id, `name_url` for a URL. */
export const pictureFields = <N extends string>(
  community: Community,
  name: N,
  address: string | null,
): Partial<Record<N | `${N}_url`, string>> => {
  const picture = pictureAt(community, address)
  if (picture === null) return {}
  return ('id' in picture ? { [name]: picture.id } : { [`${name}_url`]: picture.url }) as Partial<Record<N | `${N}_url`, string>>
}
