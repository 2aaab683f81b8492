import type { App } from '../../server/src/app.ts'
import { nowOf, shift } from '../../server/src/core/clock.ts'
import { runText } from '../../server/src/db/index.ts'
import { runEventsInOrder } from '../../server/test-support/jobs/pending-events.ts'

/** Less than a day: a job scheduled further ahead is treated as the effect of a clock that was set back. */
const LATER_S = 12 * 3600
const DUE = `select id, run_at from jobs where status = 'ready' and run_at <= $1 order by run_at, id`

/** Runs pending events and due jobs one at a time, with the jobs they schedule; concurrent ones would finish in random order. */
export const runInOrder = async (app: Pick<App, 'worker' | 'services'>): Promise<void> => {
  const { database, clock } = app.services
  const now = nowOf(clock)
  const due = await runText<{ id: number; run_at: string }>(database.read, DUE, [now])
  const change = (text: string, values: readonly (string | number)[]) => database.write((db) => runText(db, text, values))
  await change(`update jobs set run_at = $1 where status = 'ready' and run_at <= $2`, [shift(now, LATER_S), now])
  await runEventsInOrder(app)
  for (const { id, run_at } of due) {
    await change('update jobs set run_at = $1 where id = $2', [run_at, id])
    await app.worker.runPending()
  }
}
