import { excerpt, plainText } from '@lyceum/content'
import type { AuditEntry, Infer } from '@lyceum/contract'
import { type Db, statementIn } from '../../db/index.ts'

type AuditObject = Infer<typeof AuditEntry>['objects'][number]

interface ObjectRow {
  readonly id: number
  readonly title: string
  /** Rendered text, used if there is no title. */
  readonly html: string
  readonly slug: string
}

interface ObjectKind {
  readonly find: (db: Db, ids: readonly number[]) => Promise<ObjectRow[]>
  readonly path?: (row: ObjectRow) => string
}

const rowsOf = (columns: string, from: string, id = 'id', only = '') =>
  statementIn<ObjectRow>((ids) => `select ${id} as id, ${columns} from ${from} where ${id} in (${ids}) ${only && `and ${only}`}`)

const KINDS: Readonly<Record<string, ObjectKind>> = {
  user: {
    find: rowsOf(`display_name as title, '' as html, username as slug`, 'users', 'id', `status <> 'deleted'`),
    path: ({ slug }) => `/u/${slug}`,
  },
  space: { find: rowsOf(`title, '' as html, slug`, 'spaces'), path: ({ slug }) => `/spaces/${slug}` },
  // Drafts are visible to their author only.
  feed: {
    find: rowsOf(`title, case when title = '' then message_rendered else '' end as html, slug`, 'feeds', 'id', `status <> 'draft'`),
    path: ({ slug }) => `/feeds/${slug}`,
  },
  comment: {
    find: rowsOf(
      `'' as title, c.message_rendered as html, f.slug`,
      'comments c join feeds f on f.id = c.post_id',
      'c.id',
      `f.status <> 'draft'`,
    ),
    path: ({ id, slug }) => `/feeds/${slug}?comment_id=${id}`,
  },
  course: { find: rowsOf(`title, '' as html, slug`, 'courses'), path: ({ slug }) => `/courses/${slug}` },
  course_section: { find: rowsOf(`title, '' as html, slug`, 'course_sections') },
  lesson: { find: rowsOf(`title, '' as html, slug`, 'lessons') },
  topic: { find: rowsOf(`title, '' as html, slug`, 'topics') },
  space_group: { find: rowsOf(`title, '' as html, slug`, 'space_groups') },
  webhook: { find: rowsOf(`name as title, '' as html, '' as slug`, 'webhooks') },
}

/** Entity kinds of the ids in an entry's details. */
const KIND_OF_FIELD: Readonly<Record<string, string>> = {
  author_id: 'user',
  reported_user_id: 'user',
  trusted_users: 'user',
  space_id: 'space',
  spaces: 'space',
  feed_id: 'feed',
  course_id: 'course',
}
const MAX_TITLE_LENGTH = 80

interface Entry {
  readonly object_type: string
  readonly object_id: number | null
  readonly details: Readonly<Record<string, unknown>>
}
const keyOf = (type: string, id: number) => `${type} ${id}`

const idsIn = ({ object_type, object_id, details }: Entry): (readonly [type: string, id: number])[] => [
  ...(object_id === null ? [] : [[object_type, object_id] as const]),
  ...Object.entries(KIND_OF_FIELD).flatMap(([field, type]) =>
    [details[field]].flat().flatMap((id) => (typeof id === 'number' ? [[type, id] as const] : [])),
  ),
]

/** The current title and URL of each object that an entry names; deleted objects are omitted. */
export const objectsOf = async (db: Db, entries: readonly Entry[], origin: string): Promise<AuditObject[][]> => {
  const named = entries.map(idsIn)
  const found = new Map<string, AuditObject>()
  for (const [type, { find, path }] of Object.entries(KINDS)) {
    const ids = new Set(named.flat().flatMap(([of, id]) => (of === type ? [id] : [])))
    for (const row of await find(db, [...ids])) {
      const title = row.title || excerpt(plainText(row.html), MAX_TITLE_LENGTH)
      found.set(keyOf(type, row.id), { object_type: type, object_id: row.id, title, url: path ? origin + path(row) : '' })
    }
  }
  return named.map((ids) => [...new Set(ids.flatMap(([type, id]) => found.get(keyOf(type, id)) ?? []))])
}
