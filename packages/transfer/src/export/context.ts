import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { type Db, runText, type Value } from '../../../server/src/db/index.ts'
import type { Storage } from '../../../server/src/storage/index.ts'
import type { ArchiveIds } from './archive-ids.ts'

export interface ExportContext {
  /** A snapshot. */
  readonly db: Db
  readonly ids: ArchiveIds
  readonly storage: Storage
  /** The only space to export; null for the whole community. */
  readonly spaceId: number | null
  /** Storage location of each media record's content. */
  readonly places: WeakMap<ArchiveRecord<'media'>, { readonly store: 'disk' | 's3'; readonly path: string }>
}

/** Reads the rows of a kind as records, in pages. */
export interface KindReader<K extends ArchiveKind> {
  readonly count: (ctx: ExportContext) => Promise<number>
  readonly pages: (ctx: ExportContext) => AsyncIterable<readonly ArchiveRecord<K>[]>
}

export const PAGE = 1000

interface Listing<K extends ArchiveKind, Row> {
  readonly columns: string
  /** SQL FROM clause with a WHERE condition, which may be extended. */
  readonly from: string
  /** Column that orders the rows. */
  readonly key: string
  /** SQL condition for rows of the space `p`; null if archives of a space exclude the kind. */
  readonly inSpace: ((p: string) => string) | null
  readonly view: (ctx: ExportContext, rows: readonly (Row & { readonly id: number })[]) => Promise<ArchiveRecord<K>[]>
}

/** A reader of a table with an id column. */
export const listing = <Row, K extends ArchiveKind>({ columns, from, key, inSpace, view }: Listing<K, Row>): KindReader<K> => {
  const place = ({ spaceId }: ExportContext, p: string): { readonly sql: string; readonly values: Value[] } | null => {
    if (spaceId === null) return { sql: '', values: [] }
    return inSpace && { sql: ` and ${inSpace(p)}`, values: [spaceId] }
  }
  return {
    count: async (ctx) => {
      const within = place(ctx, '$1')
      if (!within) return 0
      const [row] = await runText<{ n: number | string }>(ctx.db, `select count(*) as n from ${from}${within.sql}`, within.values)
      return Number(row?.n ?? 0)
    },
    pages: async function* (ctx) {
      const within = place(ctx, '$2')
      if (!within) return
      const text = `select ${key} as id, ${columns} from ${from}${within.sql} and ${key} > $1 order by ${key} limit ${PAGE}`
      for (let after = 0; ; ) {
        const rows = await runText<Row & { readonly id: number }>(ctx.db, text, [after, ...within.values])
        if (rows.length > 0) yield await view(ctx, rows)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE) return
        after = last.id
      }
    },
  }
}
