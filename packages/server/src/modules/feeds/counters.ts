import { type Db, statement } from '../../db/index.ts'

const addComments = statement('update feeds set comments_count = comments_count + $2, active_at = $3 where id = $1')
const addReactions = statement('update feeds set reactions_count = reactions_count + $2 where id = $1')

/** Counts published comments in or out, and tells when the feed was last active. The feed's row is locked. */
export const countComments = async (db: Db, feedId: number, by: number, activeAt: string): Promise<void> => {
  await addComments(db, [feedId, by, activeAt])
}

/** Counts reactions to the feed itself in or out. The feed's row is locked. */
export const countReactions = async (db: Db, feedId: number, by: number): Promise<void> => {
  await addReactions(db, [feedId, by])
}
