import { appendFileSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { type Core, createCore } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { type Clock, nowOf, systemClock } from '../../src/core/clock.ts'
import { type Db, migrate, runText, statement } from '../../src/db/index.ts'
import {
  createRegistry,
  createWorker,
  createWriter,
  type Listener,
  on,
  outgoing,
  type Registry,
  type Worker,
  type Writer,
} from '../../src/jobs/index.ts'
import type { Env } from '../command.ts'

/** A database with a worker that only knows the jobs of a test. */
export interface Trial {
  readonly core: Core
  readonly worker: Worker
  readonly write: Writer
  readonly read: Db
  close(): Promise<void>
}

export const openTrial = async (env: Env, registry: Registry, clock: Clock = systemClock): Promise<Trial> => {
  const core = createCore({ config: readConfig(env), clock, passwordCost: 4 })
  const { services } = core
  await migrate(services.database, nowOf(clock))
  // Without a unique constraint, so that duplicates are visible.
  await services.database.write((db) => sql`create table if not exists trial_effects (job text, n bigint)`.execute(db))
  const worker = createWorker(services, registry)
  return {
    core,
    worker,
    write: createWriter(services, registry, worker),
    read: services.database.read,
    close: async () => {
      await worker.stop()
      await core.close()
    },
  }
}

const insertEffect = statement('insert into trial_effects (job, n) values ($1, $2)')
export const leaveEffect = (db: Db, job: string, n: number) => insertEffect(db, [job, n])

/** How often a job has recorded each number. */
export const effectsOf = async (db: Db, job: string): Promise<Map<number, number>> => {
  const rows = await runText<{ n: number; times: number }>(db, 'select n, count(*) as times from trial_effects where job = $1 group by n', [
    job,
  ])
  return new Map(rows.map(({ n, times }) => [n, times]))
}

export const jobsLeft = (db: Db) => db.selectFrom('jobs').selectAll().orderBy('id').execute()

/** A listener that inserts a row for each event. */
export const tracingListener = (name: string): Listener =>
  on('user.active', `trial.${name}`, async ({ db }, users) => {
    for (const { user_id } of users) await leaveEffect(db, name, user_id)
  })

/** Two such listeners, and a delivery that appends a line to a file. */
export const tracingRegistry = (deliveries: string): Registry =>
  createRegistry(['first', 'second'].map(tracingListener), [
    outgoing<{ n: number }>('trial.deliver', async (_services, { n }) => appendFileSync(deliveries, `${n}\n`)),
  ])

/** One numbered write: a row, an event for both listeners, a delivery. */
export const writeNumber = ({ write }: Pick<Trial, 'write'>, n: number): Promise<void> =>
  write(null, async (ctx) => {
    await leaveEffect(ctx.db, 'written', n)
    await ctx.emit('user.active', { user_id: n })
    await ctx.enqueue('trial.deliver', { n })
  })

export interface Verdict {
  readonly written: number
  /** Numbers that were acknowledged or stored, but are incomplete. */
  readonly lost: readonly number[]
  /** Numbers with a duplicate row or effect. */
  readonly doubled: readonly number[]
  /** Numbers with effects but without a write. */
  readonly invented: readonly number[]
  /** Deliveries beyond the first of each number. */
  readonly redelivered: number
}

/** Compares the acknowledged writes with the data after all jobs have run. */
export const judge = async (db: Db, acked: ReadonlySet<number>, deliveries: string): Promise<Verdict> => {
  const written = await effectsOf(db, 'written')
  const effects = [await effectsOf(db, 'first'), await effectsOf(db, 'second')]
  const delivered = Map.groupBy(readFileSync(deliveries, 'utf8').split('\n').filter(Boolean).map(Number), (n) => n)
  const all = new Set([...acked, ...written.keys(), ...effects.flatMap((of) => [...of.keys()]), ...delivered.keys()])
  const where = (holds: (n: number) => boolean) => [...all].filter(holds)
  return {
    written: written.size,
    lost: where((n) => (acked.has(n) || written.has(n)) && ![written, ...effects, delivered].every((of) => of.has(n))),
    doubled: where((n) => [written, ...effects].some((of) => (of.get(n) ?? 0) > 1)),
    invented: where((n) => !written.has(n)),
    redelivered: [...delivered.values()].reduce((sum, times) => sum + times.length - 1, 0),
  }
}
