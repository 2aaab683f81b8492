import { nowOf } from '../core/clock.ts'
import type { Services, Writer } from '../core/context.ts'
import { writeContext } from './queue.ts'
import type { Registry } from './registry.ts'

export const createWriter =
  (services: Services, registry: Registry, worker: { readonly wake: () => void }): Writer =>
  async (actorId, work, place) => {
    const added = { event: false, job: false }
    const result = await services.database.write(
      (db) =>
        work(
          writeContext(services, registry, db, nowOf(services.clock), actorId, (what) => {
            added[what] = true
          }),
        ),
      'request',
      place,
    )
    if (added.job) worker.wake()
    if (added.event) services.realtime.committed()
    return result
  }
