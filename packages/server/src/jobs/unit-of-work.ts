import type { Services, Writer } from '../core/context.ts'
import { runWrite } from './queue.ts'
import type { Registry } from './registry.ts'

export const createWriter =
  (services: Services, registry: Registry, worker: { readonly wake: () => void }): Writer =>
  async (actorId, work, place) => {
    const added = { event: false, job: false }
    const told = (what: 'event' | 'job') => {
      added[what] = true
    }
    const result = await services.database.write((db) => runWrite(services, registry, db, actorId, told, work), 'request', place)
    if (added.job) worker.wake()
    if (added.event) services.realtime.committed()
    return result
  }
