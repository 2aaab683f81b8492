import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { UTC, type Zone } from '../site-time.ts'
import type { Unreadable } from '../source.ts'
import type { Staging } from '../staging/staging.ts'
import { readSite, type Site, textAt, type UploadPlaces, uploadPlaces } from '../wordpress/index.ts'
import { stampZone } from './stamp-zone.ts'

/** A staged community: its tables and settings. */
export interface Community {
  readonly staging: Staging
  readonly site: Site
  /** Table prefix of the site. */
  readonly prefix: string
  /** Path of the portal, such as `/portal`, without a trailing slash. */
  readonly portal: string
  readonly uploads: UploadPlaces
  /** Time zone of the site, for texts and DATETIME columns. */
  readonly zone: Zone
  /** Time zone of TIMESTAMP columns. */
  readonly stamp: Zone
  /** `created_at` of a row: the first valid time, or else that of a neighboring row. */
  readonly created: (table: string, id: number, ...times: readonly (string | null)[]) => string
}

/** Reads one kind of records. */
export interface KindReader<K extends ArchiveKind> {
  /** The table whose broken rows are reported with this kind. */
  readonly table: string
  readonly count: (community: Community) => number
  readonly read: (community: Community) => Iterable<ArchiveRecord<K> | { readonly unreadable: Unreadable }>
}

export const unreadable = (id: string | number, reason: string, outcome: 'failed' | 'skipped' | 'noted' = 'failed') => ({
  unreadable: { id: String(id), reason, outcome },
})
export const skipped = (id: string | number, reason: string) => unreadable(id, reason, 'skipped')
export const noted = (id: string | number, reason: string) => unreadable(id, reason, 'noted')

export const clean = (text: string | null | undefined): string => text?.replaceAll('\0', '') ?? ''
/** The row count of a query's FROM clause. */
export const countOf = ({ staging }: Community, sql: string): number => staging.get<{ n: number }>(`select count(*) n ${sql}`)?.n ?? 0
export const positionOf = (value: number | null): number => (typeof value === 'number' && value > 0 ? Math.min(Math.trunc(value), 1e6) : 0)
/** Id of a person as text, also if the account was deleted; empty without an id. */
export const personId = (id: number | null): string => String(typeof id === 'number' ? id : 0)

const decoded = (slug: string): string => {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}

/** Decodes a slug: non-ASCII slugs are stored percent-encoded. */
export const slugOf = (slug: string | null): string => decoded(clean(slug).trim())

/** Tables of imported rows that other kinds reference. */
const IMPORTED = `
  create table imported_people (id integer primary key);
  insert or ignore into imported_people select ID from users;
  insert or ignore into imported_people select user_id from fcom_xprofile where user_id > 0;
  create table imported_posts (id integer primary key, lesson integer not null);
  insert into imported_posts select p.id, 0 from fcom_posts p
    where coalesce(p.type, '') not in ('course_section', 'course_lesson')
    and (coalesce(p.space_id, 0) = 0 or exists (select 1 from fcom_spaces s where s.id = p.space_id and s.type = 'community'));
  insert into imported_posts select p.id, 1 from fcom_posts p
    where p.type = 'course_lesson' and exists (select 1 from fcom_spaces s where s.id = p.space_id and s.type = 'course')
    and exists (select 1 from fcom_posts c where c.type = 'course_section' and c.space_id = p.space_id);
`

const NEVER = '2000-01-01 00:00:00'

export const openCommunity = (staging: Staging, prefix: string, options: { readonly isDump: boolean }): Community => {
  staging.exec(IMPORTED)
  const site = readSite(staging)
  const settings = site.metaOption('fluent_community_settings').value
  const slug = decoded(textAt(settings, 'slug') || 'portal').replace(/^\/+|\/+$/g, '')
  const stamp = options.isDump ? stampZone(staging, site.zone) : site.zone
  const first =
    UTC.toUtc(staging.get<{ at: string | null }>("select min(user_registered) at from users where user_registered > '1971'")?.at) ?? NEVER
  const neighbour = (table: string, id: number): string | null => {
    const before = `select created_at at from ${table} where id < ? and created_at > '1971' order by id desc limit 1`
    const after = `select created_at at from ${table} where id > ? and created_at > '1971' order by id limit 1`
    return (staging.get<{ at: string }>(before, id) ?? staging.get<{ at: string }>(after, id))?.at ?? null
  }
  return {
    staging,
    site,
    prefix,
    portal: `${site.basePath}${slug === '' ? '' : `/${slug}`}`,
    uploads: uploadPlaces(site),
    zone: site.zone,
    stamp,
    created: (table, id, ...times) => {
      for (const time of times) {
        const utc = stamp.toUtc(time)
        if (utc !== null) return utc
      }
      return stamp.toUtc(neighbour(table, id)) ?? first
    },
  }
}
