import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { statementOne } from '../../db/index.ts'

/** For so long after a deletion an hourly round overwrites what it left: the last rows go after ten minutes, files after two hours. */
const LATELY_S = 6 * 3600

const deletedSince = statementOne<{ id: number }>(`select id from events where created_at > $1 and name = 'user.deleted' limit 1`)

/** Overwrites what rows of deleted accounts left in the database's files; 1 if there was such an account. */
export const scrubDeleted = async ({ database, clock }: Services): Promise<number> => {
  if (!(await deletedSince(database.read, [shift(nowOf(clock), -LATELY_S)]))) return 0
  await database.scrub()
  return 1
}
