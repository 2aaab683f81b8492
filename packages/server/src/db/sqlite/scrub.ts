import type Sqlite from 'better-sqlite3'
import type { Database } from '../database.ts'

/** Pages merged per write, few enough not to delay other writes. */
const STEP = 500

/**
 * Merges the segments of the full-text index into one, in steps. Deleted rows are only marked until then, and their words stay in the index.
 */
export const mergeSearch = async (writer: Sqlite.Database, write: Database['write']): Promise<void> => {
  const merge = writer.prepare('insert into feed_search (feed_search, rank) values (?, ?)')
  const changes = writer.prepare<[], number>('select total_changes()').pluck()
  /** Whether it merged anything: the command itself counts up to two changes (sqlite.org/fts5.html#the_merge_command). */
  const step = async (pages: number): Promise<boolean> =>
    write(async () => {
      const before = changes.get() ?? 0
      merge.run('merge', pages)
      return (changes.get() ?? 0) - before >= 2
    }, 'background')
  // A negative number starts with all segments.
  if (!(await step(-STEP))) return
  while (await step(STEP));
}
