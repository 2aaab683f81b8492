import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { recordProblem } from '../check-record.ts'
import type { Source, Unreadable } from '../source.ts'
import { openStaging } from '../staging/staging.ts'
import { noUploads } from '../staging/uploads/uploads.ts'
import { defineTables } from '../wordpress/index.ts'
import { openCommunity } from './community.ts'
import { sourceOf } from './source.ts'
import { TABLES } from './tables.ts'

type Row = Readonly<Record<string, string | number | null | undefined>>
export type Rows = Readonly<Record<string, readonly Row[]>>

/** PHP's serialization of a value. */
export const php = (value: unknown): string => {
  if (value === null || value === undefined) return 'N;'
  if (typeof value === 'boolean') return `b:${Number(value)};`
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`
  const entries = Array.isArray(value) ? value.map((item, at) => [at, item]) : Object.entries(value)
  return `a:${entries.length}:{${entries.map(([key, item]) => php(key) + php(item)).join('')}}`
}

const AT = { created_at: '2024-07-01 12:00:00', updated_at: '2024-07-01 12:00:00' }
/** Default column values of test rows. */
const STANDARD: Readonly<Record<string, Row>> = {
  users: { user_registered: '2024-01-01 10:00:00' },
  fcom_xprofile: { status: 'active', ...AT },
  fcom_spaces: { type: 'community', privacy: 'public', status: 'published', serial: 1, ...AT },
  fcom_space_user: { status: 'active', role: 'member', ...AT },
  fcom_posts: { user_id: 1, type: 'text', content_type: 'text', privacy: 'public', status: 'published', message: 'Text', ...AT },
  fcom_post_comments: { user_id: 1, type: 'comment', content_type: 'text', status: 'published', message: 'Text', ...AT },
  fcom_post_reactions: { user_id: 1, object_type: 'feed', type: 'like', ...AT },
  fcom_terms: { taxonomy_name: 'post_topic', ...AT },
  fcom_media_archive: { object_source: 'feed', is_active: 1, driver: 'local', user_id: 1, ...AT },
  fcom_followers: { level: 1, ...AT },
}

const OPTIONS = {
  home: 'https://club.example',
  siteurl: 'https://club.example',
  timezone_string: 'Europe/Berlin',
  fluent_community_settings: php({ slug: 'hub' }),
}

const optionRows = (options: Readonly<Record<string, string>>): Row[] =>
  Object.entries(options).map(([option_name, option_value], at) => ({ option_id: at + 1, option_name, option_value }))

interface SiteOptions {
  readonly prefix?: string
  readonly options?: Readonly<Record<string, string>>
}

/** A community with the given rows, and two people: Ann (1) and Bob (2). For tests. */
export const smallSite = (rows: Rows, { prefix = 'wp_', options = {} }: SiteOptions = {}): Source => {
  const staging = openStaging()
  const people = [
    { ID: 1, user_login: 'ann', user_email: 'ann@club.example' },
    { ID: 2, user_login: 'bob', user_email: 'bob@club.example' },
  ]
  const all: Rows = { users: people, ...rows, options: optionRows({ ...OPTIONS, ...options }) }
  for (const [table, items] of Object.entries(all))
    for (const [at, item] of items.entries()) {
      const row: Row = { ...(table === 'users' ? {} : { id: at + 1 }), ...STANDARD[table], ...item }
      const values = Object.values(row).map((value) => value ?? null)
      staging.loader(prefix + table, TABLES[table] as never, Object.keys(row)).add(values, `row ${at + 1}`)
    }
  staging.finish()
  defineTables(staging, prefix, TABLES)
  return sourceOf(openCommunity(staging, prefix, { isDump: true }), noUploads)
}

export interface Read<K extends ArchiveKind> {
  readonly records: readonly ArchiveRecord<K>[]
  readonly failed: readonly string[]
  readonly skipped: readonly string[]
  readonly noted: readonly string[]
}

/** The valid records of a kind, and the problems as `id: reason`. */
export const readAll = async <K extends ArchiveKind>(source: Source, kind: K): Promise<Read<K>> => {
  const records: ArchiveRecord<K>[] = []
  const reasons: Unreadable[] = []
  for await (const entry of source.read(kind))
    if ('unreadable' in entry) reasons.push(entry.unreadable)
    else {
      const problem = recordProblem(kind, entry)
      if (problem !== null) throw new Error(`${kind} ${entry.id}: ${problem}`)
      records.push(entry)
    }
  const of = (outcome: string) =>
    reasons.filter((each) => (each.outcome ?? 'failed') === outcome).map(({ id, reason }) => `${id}: ${reason}`)
  return { records, failed: of('failed'), skipped: of('skipped'), noted: of('noted') }
}

export const read = async <K extends ArchiveKind>(kind: K, rows: Rows, options?: SiteOptions): Promise<Read<K>> => {
  const source = smallSite(rows, options)
  try {
    return await readAll(source, kind)
  } finally {
    await source.close()
  }
}
