import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { statementOne } from '../../db/index.ts'

/** How long after a deletion the hourly task overwrites freed pages: the last rows are erased after ten minutes, files after two hours. */
const RECENT_S = 6 * 3600

const deletedSince = statementOne<{ id: number }>(`select id from events where created_at > $1 and name = 'user.deleted' limit 1`)

/** Overwrites freed pages of the database files if accounts were deleted recently; returns 1 if so. */
export const scrubDeleted = async ({ database, clock }: Services): Promise<number> => {
  if (!(await deletedSince(database.read, [shift(nowOf(clock), -RECENT_S)]))) return 0
  await database.scrub()
  return 1
}
