import type { ArchiveKind } from '@lyceum/contract/archive'
import { batchStatement, type Db, type Tables } from '../../../server/src/db/index.ts'

type UserRow = Tables['users']
type MediaRow = Tables['media']

/** Columns of referenced rows that an import needs. */
export interface Found {
  readonly people: Pick<UserRow, 'id' | 'username' | 'status'>
  readonly media: Pick<MediaRow, 'id' | 'key' | 'user_id' | 'file_name' | 'file_type' | 'width' | 'height' | 'object_id' | 'status'>
  readonly space_groups: { readonly id: number }
  readonly spaces: {
    readonly id: number
    readonly slug: string
    readonly privacy: string
    readonly status: string
    readonly created_by: number | null
  }
  readonly topics: { readonly id: number; readonly parent_id: number | null }
  /** `meta` contains the definition of a survey. */
  readonly posts: {
    readonly id: number
    readonly user_id: number
    readonly space_id: number | null
    readonly status: string
    readonly lesson_id: number | null
    readonly meta: string
  }
  readonly course_categories: { readonly id: number }
  readonly courses: {
    readonly id: number
    readonly slug: string
    readonly instructor_id: number | null
    readonly created_by: number | null
  }
  readonly course_sections: { readonly id: number; readonly course_id: number }
  readonly lessons: {
    readonly id: number
    readonly course_id: number
    readonly feed_id: number | null
    readonly type: 'lesson' | 'quiz'
    readonly status: string
    readonly title: string
  }
  readonly comments: {
    readonly id: number
    readonly user_id: number
    readonly post_id: number
    readonly parent_id: number | null
    readonly status: string
    readonly space_id: number | null
  }
}

export type FoundKind = keyof Found

const columns = <K extends FoundKind>(table: string, names: readonly (keyof Found[K] & string)[]) => ({
  table,
  columns: names.map((name) => `t.${name}`).join(', '),
  joins: '',
})

const QUERIES: Readonly<Record<FoundKind, { readonly table: string; readonly columns: string; readonly joins: string }>> = {
  people: columns<'people'>('users', ['id', 'username', 'status']),
  media: columns<'media'>('media', ['id', 'key', 'user_id', 'file_name', 'file_type', 'width', 'height', 'object_id', 'status']),
  space_groups: columns<'space_groups'>('space_groups', ['id']),
  spaces: columns<'spaces'>('spaces', ['id', 'slug', 'privacy', 'status', 'created_by']),
  topics: columns<'topics'>('topics', ['id', 'parent_id']),
  posts: {
    table: 'feeds',
    columns: `t.id, t.user_id, t.space_id, t.status, t.lesson_id, case when t.content_type = 'survey' then t.meta else '{}' end as meta`,
    joins: '',
  },
  course_categories: columns<'course_categories'>('course_categories', ['id']),
  courses: columns<'courses'>('courses', ['id', 'slug', 'instructor_id', 'created_by']),
  course_sections: columns<'course_sections'>('course_sections', ['id', 'course_id']),
  lessons: columns<'lessons'>('lessons', ['id', 'course_id', 'feed_id', 'type', 'status', 'title']),
  comments: {
    table: 'comments',
    columns: 't.id, t.user_id, t.post_id, t.parent_id, t.status, f.space_id',
    joins: 'join feeds f on f.id = t.post_id',
  },
}

const statements = Object.fromEntries(
  Object.entries(QUERIES).map(([kind, query]) => [
    kind,
    batchStatement<Found[FoundKind] & { readonly foreign_id: string }>(
      { id: 'text' },
      (
        rows,
      ) => `select d.id as foreign_id, ${query.columns} from ${rows} d cross join import_map m join ${query.table} t on t.id = m.local_id
        ${query.joins} where m.source = $2 and m.kind = '${kind}' and m.foreign_id = d.id`,
    ),
  ]),
)

/** Existing rows of imported records, by record id. */
export const findImported = async <K extends FoundKind>(
  db: Db,
  source: string,
  kind: K,
  ids: readonly string[],
): Promise<Map<string, Found[K]>> => {
  const rows = (await statements[kind]?.(db, ids, [source])) ?? []
  return new Map(rows.map(({ foreign_id, ...found }) => [foreign_id, found as unknown as Found[K]]))
}

/** A row of the import map. */
export interface Mapped {
  readonly foreign_id: string
  readonly local_id: number | null
  readonly hash: string
  readonly fingerprint: string
  readonly unresolved: 0 | 1
}

const mapped = batchStatement<Mapped>(
  { id: 'text' },
  (rows) => `select m.foreign_id, m.local_id, m.hash, m.fingerprint, m.unresolved from ${rows} d cross join import_map m
    where m.source = $2 and m.kind = $3 and m.foreign_id = d.id`,
)

/** The rows of the import map for some ids. */
export const findMapped = async (
  db: Db,
  source: string,
  kind: ArchiveKind | 'names',
  ids: readonly string[],
): Promise<Map<string, Mapped>> => new Map((await mapped(db, ids, [source, kind])).map((row) => [row.foreign_id, row]))

// The rows exist. With UPDATE, SQLite would read all rows of the kind for each batch.
const changeMapped = batchStatement(
  { foreign_id: 'text', hash: 'text', fingerprint: 'text', unresolved: 'bigint' },
  (rows) => `insert into import_map (source, kind, foreign_id, hash, fingerprint, unresolved)
    select $2, $3, d.foreign_id, d.hash, d.fingerprint, d.unresolved from ${rows} d where 1 = 1
    on conflict (source, kind, foreign_id) do update set hash = excluded.hash, fingerprint = excluded.fingerprint, unresolved = excluded.unresolved`,
)

/** Updates the import map for records that were imported again. */
export const updateMapped = (
  db: Db,
  source: string,
  kind: ArchiveKind,
  rows: readonly (readonly [id: string, hash: string, fingerprint: string, unresolved: 0 | 1])[],
) => changeMapped(db, rows, [source, kind])
