import { type Db, indexFeeds, listTables, migrateWithin, runText, statement, withoutTriggers } from '../../../server/src/db/index.ts'
import { SEARCHED_COLUMNS, type SearchedText, searchText } from '../../../server/src/modules/feeds/index.ts'
import { pagesById } from '../../../server/src/util/pages-by-id.ts'

const INDEXED_AT_ONCE = 500

const feedsAfter = statement<SearchedText & { id: number }>(
  `select id, ${SEARCHED_COLUMNS.join(', ')} from feeds where id > $1 and lesson_id is null order by id limit $2`,
)

/** Rebuilds the full-text index. Backups exclude it because its format depends on the database. */
const reindex = async (db: Db): Promise<void> => {
  for await (const feeds of pagesById(INDEXED_AT_ONCE, (after) => feedsAfter(db, [after, INDEXED_AT_ONCE])))
    await indexFeeds(
      db,
      feeds.map((feed) => ({ id: feed.id, text: searchText(feed) })),
    )
}

/** Creates the tables of these migrations, fills them with triggers disabled, and migrates them to this version. */
export const importRows = async <T>(
  db: Db,
  now: string,
  migrations: readonly string[],
  fill: () => Promise<T>,
  onMigrated?: (milliseconds: number) => void,
): Promise<T> => {
  await migrateWithin(db, now, migrations)
  const filled = await withoutTriggers(db, async () => {
    // The backup also contains the rows that migrations insert.
    for (const { name } of (await listTables(db)).toReversed()) await runText(db, `delete from ${name}`, [])
    return fill()
  })
  const begun = performance.now()
  await migrateWithin(db, now)
  onMigrated?.(performance.now() - begun)
  await reindex(db)
  return filled
}
