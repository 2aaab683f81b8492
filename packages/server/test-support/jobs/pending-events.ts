import type { App } from '../../src/app.ts'
import { type Db, runText } from '../../src/db/index.ts'

/** Ids of the events whose listeners have not run, in order. */
export const pendingEvents = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('pending_events').select('event_id').orderBy('event_id').execute()).map(({ event_id }) => event_id)

/** Runs the listeners of pending events one event at a time, with what follows, in the given order. */
export const runEventsInOrder = async (
  { worker, services: { database } }: Pick<App, 'worker' | 'services'>,
  order: (ids: readonly number[]) => readonly number[] = (ids) => ids,
): Promise<void> => {
  const ids = await pendingEvents(database.read)
  await database.write((db) => db.deleteFrom('pending_events').execute())
  for (const id of order(ids)) {
    await database.write((db) => runText(db, 'insert into pending_events (event_id) values ($1)', [id]))
    await worker.runPending()
  }
}
