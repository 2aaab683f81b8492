import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { Entry } from '../source.ts'
import { skipped } from '../unreadable.ts'
import type { Context } from './context.ts'
import { nameOf, pathOfAttachment, previewImage, readLinkedFiles } from './linked-files.ts'
import { type Site, uploadUrls } from './site.ts'
import { plainText } from './text.ts'
import { timeOfSeconds, validTime } from './times.ts'

type Media = ArchiveRecord<'media'>

// ---- pictures of people and groups ------------------------------------------------------------------------------

/** The time in a picture's file name: Unix seconds, or hexadecimal from PHP's uniqid(). */
export const timeInName = (name: string): string | null => {
  const [, seconds, digits] = /^(?:(\d{10})|([0-9a-f]{8})[0-9a-f]{5})-/.exec(name) ?? []
  return timeOfSeconds(seconds ? Number(seconds) : Number.parseInt(digits ?? '', 16))
}

const IMAGE = /\.(?:jpe?g|png|gif|webp)$/i
/** File name patterns of each kind of picture, in order of preference. */
const WANTED = { avatar: [/-bpfull\.\w+$/i, /-bpthumb\.\w+$/i], cover: [/-bp-cover-image\.\w+$/i, IMAGE] } as const

/** Chooses a picture among the files of a folder: the newest of the preferred size; null if there is none. */
export const pictureAmong = (kind: keyof typeof WANTED, names: readonly string[]): string | null => {
  const images = names.filter((name) => IMAGE.test(name))
  for (const pattern of WANTED[kind]) {
    const found = images.filter((name) => pattern.test(name))
    const age = (name: string) => `${timeInName(name) ?? ''} ${name}`
    if (found.length > 0) return found.reduce((best, name) => (age(name) > age(best) ? name : best))
  }
  return null
}

/** A picture of a person or group. No table of the source lists these. */
export interface PictureRow {
  readonly id: string
  readonly path: string
  /** Id of the pictured person, or of the creator of the group; null if the account was deleted. */
  readonly owner: number | null
  readonly used_for: 'profile' | 'space'
  /** Registration time of the person, or creation time of the group. */
  readonly since: string | null
}

export const pictureOf = (row: PictureRow, site: Site): Media => ({
  id: row.id,
  urls: uploadUrls(site, row.path),
  file: row.path,
  file_name: nameOf(row.path),
  ...(row.owner !== null && { owner: String(row.owner) }),
  used_for: row.used_for,
  created_at: timeInName(nameOf(row.path)) ?? validTime(row.since) ?? site.founded,
})

// ---- attached files ----------------------------------------------------------------------------------------------

/** A BuddyBoss picture, video or document attached to a post or comment. */
export interface AttachedRow {
  /** `media` or `document`. */
  readonly kind: string
  readonly id: number
  readonly user_id: number | null
  readonly person: number | null
  readonly title: string | null
  readonly path: string | null
  readonly privacy: string | null
  readonly target_type: string
  readonly target_privacy: string | null
  readonly date_created: string | null
  readonly target_created: string | null
}

/** Privacy levels of files that are stricter than that of a public post. Such a file must not appear in a less restricted post. */
const NARROW = new Set(['onlyme', 'friends'])

/** The reason why an attached file is not imported; null if it is. */
export const attachedProblem = ({
  path,
  privacy,
  target_privacy,
}: Pick<AttachedRow, 'path' | 'privacy' | 'target_privacy'>): string | null => {
  if (!path) return 'its file is not among the attachments of the source'
  const narrow = NARROW.has(privacy ?? '') && privacy !== target_privacy && target_privacy !== 'onlyme'
  return narrow ? `its privacy (${privacy}) is stricter than that of its post` : null
}

const withExtension = (title: string, path: string): string => {
  const extension = /\.\w{1,10}$/.exec(path)?.[0] ?? ''
  return title === '' ? nameOf(path) : title.toLowerCase().endsWith(extension.toLowerCase()) ? title : title + extension
}

const attachedOf = (row: AttachedRow, site: Site): Entry<'media'> => {
  const id = `${row.kind}:${row.id}`
  const reason = attachedProblem(row)
  if (reason || !row.path) return skipped(id, reason ?? '')
  return {
    id,
    urls: uploadUrls(site, row.path),
    file: row.path,
    file_name: withExtension(plainText(row.title ?? '').replace(/\s+/g, ' '), row.path),
    ...(row.person !== null && { owner: String(row.person) }),
    used_for: row.target_type === 'activity_comment' ? 'comment' : 'feed',
    created_at: validTime(row.date_created, row.target_created) ?? site.founded,
  }
}

// ---- reading ---------------------------------------------------------------------------------------------------------

/** All attached files with their posts or comments. */
const ATTACHED = `select f.kind, f.id, f.target, f.position, coalesce(m.user_id, d.user_id) as user_id, coalesce(m.title, d.title) as title,
  coalesce(m.privacy, d.privacy) as privacy, coalesce(m.date_created, d.date_created) as date_created,
  ${pathOfAttachment('coalesce(m.attachment_id, d.attachment_id)')} as path,
  a.type as target_type, a.privacy as target_privacy, a.date_recorded as target_created, u.ID as person
  from attached f join bp_activity a on a.id = f.target left join bp_media m on f.kind = 'media' and m.id = f.id
  left join bp_document d on f.kind = 'document' and d.id = f.id left join users u on u.ID = coalesce(m.user_id, d.user_id)`

const OF_ONE = `${ATTACHED} where f.target = ? order by f.kind desc, f.position, f.id`
/** Media ids of a post or comment, pictures first, and the path of its link preview image. */
export const attachedTo = (context: Context, row: { readonly id: number; readonly has_files: number; readonly preview: string | null }) => {
  const files = row.has_files ? [...context.staging.rows<AttachedRow>(OF_ONE, row.id)] : []
  return {
    media: files.filter((file) => attachedProblem(file) === null).map(({ kind, id }) => `${kind}:${id}`),
    preview_image: previewImage(context, row.preview),
  }
}

const OF_PEOPLE = `select p.id, p.path, u.ID as owner, 'profile' as used_for, u.user_registered as since
  from pictures p join users u on u.ID = p.owner where p.id like 'avatar:%' or p.id like 'cover:%'`
const OF_GROUPS = `select p.id, p.path, u.ID as owner, 'space' as used_for, g.date_created as since
  from pictures p join bp_groups g on g.id = p.owner left join users u on u.ID = g.creator_id where p.id like 'group-%'`
const PICTURES = `${OF_PEOPLE} union all ${OF_GROUPS} order by 1`

export function* readMedia(context: Context): Generator<Entry<'media'>> {
  const { staging, site } = context
  for (const row of staging.rows<PictureRow>(PICTURES)) yield pictureOf(row, site)
  for (const row of staging.rows<AttachedRow>(`${ATTACHED} order by f.kind, f.id`)) yield attachedOf(row, site)
  yield* readLinkedFiles(context)
}

const COUNT = `select (select count(*) from (${PICTURES})) + (select count(*) from attached) as n`

/** Number of entries. */
export const countMedia = (context: Context): number => {
  let count = context.staging.get<{ n: number }>(COUNT)?.n ?? 0
  for (const _ of readLinkedFiles(context)) count++
  return count
}
