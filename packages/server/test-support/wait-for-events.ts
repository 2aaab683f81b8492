import { type Database, type EventPosition, eventsAfter, latestPosition } from '../src/db/index.ts'

/** Waits until all that has happened can be read as events: transactions of other databases of the cluster hold it back as well. */
export const settledPosition = async ({ read }: Pick<Database, 'read'>): Promise<EventPosition> => {
  for (;;) {
    const position = await latestPosition(read)
    if (!(await eventsAfter(read, position, 1)).held) return position
  }
}
