import { type Database, type EventPosition, eventsAfter, latestPosition } from '../src/db/index.ts'

const POLL_MS = 10

/** Waits until all events so far can be read; transactions in other databases of the cluster delay this, too. */
export const waitForEvents = async ({ read }: Pick<Database, 'read'>): Promise<EventPosition> => {
  for (;;) {
    const position = await latestPosition(read)
    if (!(await eventsAfter(read, position, 1)).held) return position
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
}
