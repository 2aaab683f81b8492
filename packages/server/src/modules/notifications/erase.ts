import type { WriteContext } from '../../core/context.ts'
import { statement, statementIn } from '../../db/index.ts'

// Open and closed notifications have separate indexes.
const own = ['is_open = 1', 'is_open = 0'].map((state) =>
  statement<{ id: number }>(
    `delete from notifications where id in (select id from notifications where user_id = $1 and ${state} limit $2) returning id`,
  ),
)
const causes = statement<{ notification_id: number }>(
  'delete from notification_actors where id in (select id from notification_actors where actor_id = $1 limit $2) returning notification_id',
)
const bare = statementIn(
  (list) =>
    `delete from notifications where id in (${list}) and not exists (select 1 from notification_actors k where k.notification_id = notifications.id)`,
)

/** Erases a deleted account's notifications, and its part in those of others, up to `limit` each; returns how many. */
export const eraseNotifications = async ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> => {
  const told: number[] = []
  for (const run of own) told.push((await run(db, [userId, limit])).length)
  const gone = await causes(db, [userId, limit])
  await bare(db, [...new Set(gone.map(({ notification_id }) => notification_id))])
  return Math.max(...told, gone.length)
}
