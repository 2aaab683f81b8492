import { type Db, statement } from '../../db/index.ts'

const addComments = statement('update feeds set comments_count = comments_count + $2, active_at = $3 where id = $1')
const addReactions = statement('update feeds set reactions_count = reactions_count + $2 where id = $1')

/** Changes the number of published comments and sets the time of the last activity. The caller holds the lock of the feed's row. */
export const countComments = async (db: Db, feedId: number, delta: number, activeAt: string): Promise<void> => {
  await addComments(db, [feedId, delta, activeAt])
}

/** Changes the number of reactions to the feed itself. The caller holds the lock of the feed's row. */
export const countReactions = async (db: Db, feedId: number, delta: number): Promise<void> => {
  await addReactions(db, [feedId, delta])
}
