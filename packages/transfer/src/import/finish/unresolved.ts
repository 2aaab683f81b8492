import type { ArchiveKind } from '@lyceum/contract/archive'
import { renderAgain } from '../../../../server/src/cli/doctor/rendering.ts'
import { batchStatement, indexFeed, statement, statementExists, type Value } from '../../../../server/src/db/index.ts'
import { searchText } from '../../../../server/src/modules/feeds/fields.ts'
import { fingerprintOf } from '../hashes.ts'
import { COMMENT_COLUMNS } from '../kinds/comments.ts'
import { POST_COLUMNS } from '../kinds/post-decision.ts'
import { setColumns } from '../kinds/write-columns.ts'
import { type Mapped, updateMapped } from '../lookups.ts'
import type { Run } from '../run.ts'
import { findReferences, replaceAddresses } from '../texts/scan.ts'

const exists = statementExists('select 1 as one from import_map where unresolved = 1 and source = $1 and kind = $2 limit 1')

/** Whether records of a kind reference records that were not imported yet. */
export const hasUnresolved = (run: Run, kind: ArchiveKind): Promise<boolean> => exists(run.services.database.read, [run.name, kind])

const PAGE = 200
const page = statement<Mapped>(
  `select foreign_id, local_id, hash, fingerprint, unresolved from import_map
   where unresolved = 1 and source = $1 and kind = $2 and foreign_id > $3 order by foreign_id limit ${PAGE}`,
)

const TABLES = {
  posts: { table: 'feeds', columns: POST_COLUMNS },
  comments: { table: 'comments', columns: COMMENT_COLUMNS },
} as const
type TextKind = keyof typeof TABLES

const rowsOf = (kind: TextKind) =>
  batchStatement<Record<string, Value>>(
    { id: 'bigint' },
    (rows) =>
      `select t.id, t.message_rendered, t.${TABLES[kind].columns.join(', t.')} from ${rows} d cross join ${TABLES[kind].table} t where t.id = d.id`,
  )
const ROWS = { posts: rowsOf('posts'), comments: rowsOf('comments') } as const

/** Paths of this community, which have replaced those of the source. */
const OWN_PATH = /^\/(?:spaces|feeds|media|u|courses)\//

/** Replaces URLs in texts whose targets were imported later. Texts that were changed in this community are kept. */
export const resolveTexts = async (run: Run, kind: TextKind): Promise<void> => {
  const { database } = run.services
  const { table, columns } = TABLES[kind]
  for (let after = ''; ; ) {
    run.checkSignal()
    const mapped = await page(database.read, [run.name, kind, after])
    const rows = await ROWS[kind](
      database.read,
      mapped.map(({ local_id }) => local_id ?? 0),
    )
    const byId = new Map(rows.map((row) => [row['id'], row]))
    const texts = mapped.flatMap((one) => {
      const row = byId.get(one.local_id ?? 0)
      const isUntouched = row && fingerprintOf(columns.map((column) => row[column] ?? null)) === one.fingerprint
      return isUntouched ? [{ one, row }] : []
    })
    const named = texts.map(({ row }) => findReferences(`${row['message']}\n${row['meta']}`, run.addresses.isOwn).addresses)
    const targets = await run.targets([...new Set(named.flat())])
    const resolved = texts.flatMap(({ one, row }, i) => {
      const text = String(row['message'])
      const message = replaceAddresses(text, (address, isBare) => targets.get(address)?.[isBare ? 'absolute' : 'address'] ?? address)
      const meta = replaceAddresses(String(row['meta']), (address) => targets.get(address)?.absolute ?? address)
      if (message === text && meta === row['meta']) return []
      const html = renderAgain({ message, message_rendered: String(row['message_rendered']), content_type: String(row['content_type']) })
      const isLeft = named[i]?.some((address) => !targets.has(address) && !OWN_PATH.test(address)) ?? false
      return [{ one, row: { ...row, message, meta } as Record<string, Value>, id: one.local_id as number, message, meta, html, isLeft }]
    })
    await database.write(async (db) => {
      const store = async ({ row, id, message, meta, html }: (typeof resolved)[number]) => {
        await setColumns(db, table, ['message', 'meta', 'message_rendered'], id, [message, meta, html])
        if (kind === 'posts') await indexFeed(db, id, searchText({ title: String(row['title']), message_rendered: html }), false)
      }
      // Independent statements are sent together.
      await Promise.all(resolved.map(store))
      await updateMapped(
        db,
        run.name,
        kind,
        resolved.map(({ one, row, isLeft }) => [
          one.foreign_id,
          one.hash,
          fingerprintOf(columns.map((column) => row[column] ?? null)),
          isLeft ? 1 : 0,
        ]),
      )
    })
    await run.pace.rest()
    const last = mapped.at(-1)
    if (!last || mapped.length < PAGE) return
    after = last.foreign_id
  }
}
