import type { Command } from 'commander'
import { nowOf } from '../core/clock.ts'
import { statement, type Tables } from '../db/index.ts'
import { coreAction } from './bootstrap.ts'
import { textTable } from './table.ts'
import { CommandError, type Terminal } from './terminal.ts'

type ListedJob = Pick<Tables['jobs'], 'id' | 'name' | 'status' | 'run_at' | 'attempts' | 'last_error' | 'payload'>

const MOST_LISTED = 1000

const listJobs = statement<ListedJob>(
  `select id, name, status, run_at, attempts, last_error, payload from jobs where status = $1 order by run_at, id limit ${MOST_LISTED}`,
)
const unparkOne = statement<{ id: number }>(
  `update jobs set status = 'ready', attempts = 0, run_at = $2 where id = $1 and status = 'parked' returning id`,
)
const unparkAll = statement<{ id: number }>(
  `update jobs set status = 'ready', attempts = 0, run_at = $1 where status = 'parked' returning id`,
)

const jobId = (text: string): number => {
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw new CommandError(`${text} is not the id of a job`)
  return id
}

export const jobsCommand = (program: Command, terminal: Terminal) => {
  const jobs = program.command('jobs').description('manage background jobs')

  jobs
    .command('list', { isDefault: true })
    .description('list failed (parked) and waiting jobs')
    .action(
      coreAction(terminal, async ({ services }) => {
        const { read } = services.database
        const [parked, waiting] = [await listJobs(read, ['parked']), await listJobs(read, ['ready'])]
        const view = (job: ListedJob) => ({ ...job, payload: JSON.parse(job.payload) as unknown })
        const rows = [...parked, ...waiting].map((job) => [
          String(job.id),
          job.status === 'ready' ? 'waiting' : job.status,
          job.name,
          job.run_at,
          String(job.attempts),
          job.last_error ?? '',
        ])
        const table = textTable(['ID', 'STATUS', 'NAME', 'DUE (UTC)', 'TRIES', 'LAST ERROR'], rows)
        return [{ parked: parked.map(view), waiting: waiting.map(view) }, rows.length === 0 ? 'No job is parked or waiting.\n' : table]
      }),
    )

  jobs
    .command('retry')
    .description('retry parked jobs')
    .argument('[id]', 'a parked job')
    .option('--all', 'every parked job')
    .hook('preAction', (command) => {
      if ((command.args.length === 0) === !command.opts<{ all?: true }>().all) command.error('error: name either the id of a job or --all')
    })
    .action(
      coreAction(terminal, async ({ services: { database, clock } }, id?: string) => {
        const now = nowOf(clock)
        const retried = await database.write((db) => (id === undefined ? unparkAll(db, [now]) : unparkOne(db, [jobId(id), now])))
        if (id !== undefined && retried.length === 0) throw new CommandError(`no parked job has the id ${id}`)
        return [{ retried: retried.map((row) => row.id) }, `Jobs to retry: ${retried.length}\n`]
      }),
    )
}
