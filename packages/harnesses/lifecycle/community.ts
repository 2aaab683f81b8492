import type { Env } from '#test/command.ts'
import { type Core, createCore } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { runText } from '../../server/src/db/index.ts'

const MISCOUNTED = `select count(*) as n from (
  select f.id from feeds f where f.status = 'published'
    and (select count(*) from activities a where a.action_type = 'post_created' and a.object_id = f.id) <> 1
  union all select c.id from comments c
    where (select count(*) from activities a where a.action_type = 'comment_added' and a.object_id = c.id) <> 1) as p1`

/** Feeds and comments whose activity is missing or duplicated. Call after all jobs have run. */
export const miscounted = async ({ services }: Core): Promise<number> => {
  const [row] = await runText<{ n: number }>(services.database.read, MISCOUNTED, [])
  return Number(row?.n)
}

/** Inspects the community from a separate process after all jobs have run. */
export const withCommunity = async <T>(env: Env, look: (core: Core) => Promise<T>): Promise<T> => {
  const core = createCore({ config: readConfig(env) })
  try {
    await core.worker.runPending()
    return await look(core)
  } finally {
    await core.close()
  }
}
