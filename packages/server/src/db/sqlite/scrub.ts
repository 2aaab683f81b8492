import type Sqlite from 'better-sqlite3'
import type { Database } from '../database.ts'

/** Pages that one write merges: few enough for others not to wait. */
const STEP = 500

/**
 * Merges the segments of the full-text index into one, in steps: rows that were deleted are only marked so, and their words stay in the
 * index, until their segment is merged.
 */
export const mergeSearch = async (writer: Sqlite.Database, write: Database['write']): Promise<void> => {
  const merge = writer.prepare('insert into feed_search (feed_search, rank) values (?, ?)')
  const changes = writer.prepare<[], number>('select total_changes()').pluck()
  /** Two are those of the command itself (sqlite.org/fts5.html#the_merge_command). */
  const step = async (pages: number): Promise<boolean> =>
    write(async () => {
      const before = changes.get() ?? 0
      merge.run('merge', pages)
      return (changes.get() ?? 0) - before >= 2
    }, 'background')
  // A negative number begins with all segments there are.
  if (!(await step(-STEP))) return
  while (await step(STEP));
}
