import { randomBytes } from 'node:crypto'
import type { ArchiveKind } from '@lyceum/contract/archive'
import { nowOf } from '../../../server/src/core/clock.ts'
import type { Services } from '../../../server/src/core/context.ts'
import { type Db, statement, statementExists, statementIn, statementOne } from '../../../server/src/db/index.ts'

/** The row of `settings` with the random id of the community. */
const KEY = 'archive_id'
const storeId = statement('insert into settings (key, value, updated_at) values ($1, $2, $3) on conflict (key) do nothing')
const storedId = statementOne<{ value: string }>('select value from settings where key = $1')

/** The random id of a community, which prefixes the ids in its archives. It is created by the first export and never changes. */
export const communityId = async ({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<string> => {
  const known = await storedId(database.read, [KEY])
  if (known) return JSON.parse(known.value) as string
  return database.write(async (db) => {
    await storeId(db, [KEY, JSON.stringify(randomBytes(5).toString('hex')), nowOf(clock)])
    return JSON.parse((await storedId(db, [KEY]))?.value ?? '') as string
  })
}

/** Kinds that other records reference, or that have no natural key. */
export type IdentifiedKind = Extract<
  ArchiveKind,
  | 'people'
  | 'media'
  | 'space_groups'
  | 'spaces'
  | 'topics'
  | 'posts'
  | 'course_categories'
  | 'courses'
  | 'course_sections'
  | 'lessons'
  | 'comments'
  | 'reports'
>

type Wanted = { readonly [K in IdentifiedKind]?: readonly (number | null)[] }

/** Archive ids of requested rows. */
export interface RowIds {
  readonly of: (kind: IdentifiedKind, id: number) => string
  readonly ifAny: (kind: IdentifiedKind, id: number | null) => string | undefined
}

export type ArchiveIds = (wanted: Wanted) => Promise<RowIds>

const hasImported = statementExists(`select 1 as one from import_map where source = 'lyceum' limit 1`)
const importedIds = statementIn<{ local_id: number; foreign_id: string }>(
  (list) => `select local_id, min(foreign_id) as foreign_id from import_map
    where source = 'lyceum' and kind = $1 and local_id in (${list}) group by local_id`,
)

/**
 * Assigns the ids of rows in archives. Rows imported from an archive keep their id, so it is the same in every community that they move
 * through. Other ids start with this community's id.
 */
export const createArchiveIds = async (db: Db, community: string): Promise<ArchiveIds> => {
  const isImported = await hasImported(db, [])
  const own = (id: number) => `${community}-${id}`
  const imported = async (kind: IdentifiedKind, given: readonly (number | null)[]): Promise<Map<number, string>> => {
    const rows = await importedIds(db, [...new Set(given.filter((id) => id !== null))], [kind])
    return new Map(rows.map(({ local_id, foreign_id }) => [local_id, foreign_id]))
  }
  return async (wanted) => {
    const known = new Map<string, Map<number, string>>()
    if (isImported) for (const [kind, ids] of Object.entries(wanted)) known.set(kind, await imported(kind as IdentifiedKind, ids))
    const of: RowIds['of'] = (kind, id) => known.get(kind)?.get(id) ?? own(id)
    return { of, ifAny: (kind, id) => (id === null ? undefined : of(kind, id)) }
  }
}
