import { nowOf } from '../clock.ts'
import type { Services, WriteContext } from '../context.ts'
import { writeContext } from './queue.ts'
import type { Registry } from './registry.ts'
import type { Worker } from './worker.ts'

/** Runs `work` as one write of `actorId` (null: the system): rows, events and jobs are durable together when it resolves. */
export type Writer = <T>(actorId: number | null, work: (ctx: WriteContext) => Promise<T>) => Promise<T>

export const createWriter =
  (services: Services, registry: Registry, worker: Pick<Worker, 'wake'>): Writer =>
  async (actorId, work) => {
    const added = { event: false, job: false }
    const result = await services.database.write((db) =>
      work(
        writeContext(services, registry, db, nowOf(services.clock), actorId, (what) => {
          added[what] = true
        }),
      ),
    )
    if (added.job) worker.wake()
    if (added.event) services.realtime.committed()
    return result
  }
