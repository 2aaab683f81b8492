import type { Value } from '../../staging/shape.ts'
import type { Loader, Staging } from '../../staging/staging.ts'
import { DISCOURSE_TABLES, type DiscourseTable } from '../tables.ts'
import { sha1OfShortName } from '../uploads.ts'

type Row = Readonly<Record<string, unknown>>

/** Adds rows to the tables of a dump. Columns missing in a row are null. */
export interface Stager {
  readonly add: (table: DiscourseTable, row: Row) => void
  /** Records that a post references the upload with this short name, such as `aB3.png`. */
  readonly reference: (post: number, name: string) => void
  /** Returns an upload id for a picture URL of the site. */
  readonly picture: (url: string) => number
  /** Returns an id for a row without one. */
  readonly nextId: () => number
}

const cellOf = (value: unknown): Value => {
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

export const createStager = (staging: Staging): Stager => {
  const tables = new Map<DiscourseTable, { loader: Loader; columns: readonly string[] }>()
  const uploads = new Map<string, number>()
  let last = 0
  const tableOf = (name: DiscourseTable) => {
    const columns = Object.keys(DISCOURSE_TABLES[name].columns)
    const table = tables.get(name) ?? { loader: staging.loader(name, DISCOURSE_TABLES[name], columns), columns }
    tables.set(name, table)
    return table
  }
  const add: Stager['add'] = (name, row) => {
    const { loader, columns } = tableOf(name)
    loader.add(
      columns.map((column) => cellOf(row[column])),
      `${name} ${String(row['id'] ?? '')}`,
    )
  }
  const nextId = () => ++last
  const upload = (key: string, row: Row): number => {
    const known = uploads.get(key)
    if (known !== undefined) return known
    const id = nextId()
    uploads.set(key, id)
    add('uploads', { id, ...row })
    return id
  }
  // Create required tables even if they have no rows.
  for (const name of ['users', 'categories', 'topics', 'posts'] as const) tableOf(name)
  return {
    add,
    nextId,
    reference: (post, name) => {
      const [base = '', extension = ''] = name.split('.')
      const sha1 = sha1OfShortName(base)
      if (sha1)
        add('upload_references', {
          upload_id: upload(name, { sha1, extension, original_filename: name }),
          target_type: 'Post',
          target_id: post,
        })
    },
    picture: (url) => upload(url, { url, original_filename: url.slice(url.lastIndexOf('/') + 1) }),
  }
}
