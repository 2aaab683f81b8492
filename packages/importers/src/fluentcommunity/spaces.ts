import type { ArchiveRecord } from '@lyceum/contract/archive'
import { isArray, type PhpValue, plain, readMeta } from '../wordpress/index.ts'
import { type Community, clean, countOf, type KindReader, noted, personId, positionOf, slugOf } from './community.ts'
import { pictureFields } from './media-files.ts'

export interface SpaceRow {
  readonly id: number
  readonly created_by: number | null
  readonly parent_id: number | null
  readonly title: string | null
  readonly slug: string | null
  readonly logo: string | null
  readonly cover_photo: string | null
  readonly description: string | null
  readonly privacy: string | null
  readonly status: string | null
  readonly serial: number | null
  readonly settings: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

export const settingsOf = (value: PhpValue): { readonly settings?: Record<string, unknown> } =>
  isArray(value) && value.size > 0 ? { settings: plain(value) as Record<string, unknown> } : {}

/** The privacy of a space. Unknown values count as private. */
export const privacyOf = (privacy: string | null): 'public' | 'private' | 'secret' =>
  privacy === 'public' || privacy === 'private' || privacy === 'secret' ? privacy : 'private'

const STATUSES: Readonly<Record<string, ArchiveRecord<'spaces'>['status']>> = {
  published: 'published',
  active: 'published',
  draft: 'draft',
}

export const groupOf = ({ staging }: Community, parent: number | null): string | null =>
  parent && staging.get("select 1 from fcom_spaces where id = ? and type = 'space_group'", parent) ? String(parent) : null

/** Fields that spaces and courses share. */
export const spaceFields = (community: Community, row: SpaceRow, settings: PhpValue) => ({
  id: String(row.id),
  title: clean(row.title).trim() || slugOf(row.slug) || `${row.id}`,
  slug: slugOf(row.slug) || `space-${row.id}`,
  description: clean(row.description),
  privacy: privacyOf(row.privacy),
  ...settingsOf(settings),
  ...pictureFields(community, 'logo', row.logo),
  ...pictureFields(community, 'cover_photo', row.cover_photo),
  position: positionOf(row.serial),
  ...(row.created_by ? { created_by: personId(row.created_by) } : {}),
  ...timesOf(community, 'fcom_spaces', row),
})

/** `created_at` and `updated_at` of a row. */
export const timesOf = (
  { created, stamp }: Community,
  table: string,
  row: { readonly id: number; readonly created_at: string | null; readonly updated_at: string | null },
) => {
  const updated = stamp.toUtc(row.updated_at)
  return { created_at: created(table, row.id, row.created_at, row.updated_at), ...(updated !== null && { updated_at: updated }) }
}

export const spaceOf = (community: Community, row: SpaceRow) => {
  const settings = readMeta(row.settings)
  const fields = spaceFields(community, row, settings.value)
  const record: ArchiveRecord<'spaces'> = {
    ...fields,
    urls: [`${community.portal}/space/${fields.slug}/home`, `${community.portal}/space/${fields.slug}`],
    group: groupOf(community, row.parent_id),
    status: STATUSES[row.status ?? ''] ?? 'archived',
  }
  return [
    record,
    ...(settings.problem === null ? [] : [noted(row.id, `its settings were dropped, because they cannot be read: ${settings.problem}`)]),
  ]
}

export const spaceGroupOf = (community: Community, row: SpaceRow): ArchiveRecord<'space_groups'> => ({
  id: String(row.id),
  title: clean(row.title).trim() || slugOf(row.slug) || `${row.id}`,
  slug: slugOf(row.slug) || `group-${row.id}`,
  description: clean(row.description),
  ...settingsOf(readMeta(row.settings).value),
  position: positionOf(row.serial),
  ...timesOf(community, 'fcom_spaces', row),
})

const GROUPS = "from fcom_spaces where type = 'space_group'"
const SPACES = "from fcom_spaces where type = 'community'"

export const spaceGroups: KindReader<'space_groups'> = {
  table: 'fcom_spaces',
  count: (community) => countOf(community, GROUPS),
  read: function* (community) {
    for (const row of community.staging.rows<SpaceRow>(`select * ${GROUPS} order by id`)) yield spaceGroupOf(community, row)
  },
}

export const spaces: KindReader<'spaces'> = {
  table: 'fcom_spaces',
  count: (community) => countOf(community, SPACES),
  read: function* (community) {
    for (const row of community.staging.rows<SpaceRow>(`select * ${SPACES} order by id`)) yield* spaceOf(community, row)
  },
}
