import type { Command } from 'commander'
import { nowOf } from '../core/clock.ts'
import { updatePeriods } from '../modules/leaderboard/index.ts'
import { coreAction } from './bootstrap.ts'
import { POINTS_AGGREGATES } from './doctor/checks.ts'
import { mend } from './doctor/repair.ts'
import { offenders } from './doctor/run-checks.ts'
import type { Terminal } from './terminal.ts'

export const pointsCommand = (program: Command, terminal: Terminal) =>
  program
    .command('points')
    .description('manage the points of members')
    .command('rebuild')
    .description('recompute totals and sums from the ledger and list the members whose values were wrong')
    .action(
      coreAction(terminal, async ({ services }) => {
        const { database, clock, points } = services
        await points.fold()
        const differences: Record<string, (string | number)[]> = {}
        for (const check of POINTS_AGGREGATES) {
          const ids = await offenders(database.read, check, nowOf(clock))
          const work = mend(check)
          for (const id of ids) await database.write(async (db) => work?.(db, id))
          differences[check.name] = ids
        }
        await updatePeriods(services)
        const members = new Set(Object.values(differences).flat()).size
        const text =
          members === 0
            ? 'All points are what the ledger gives.\n'
            : `The points of ${members} ${members === 1 ? 'member' : 'members'} were not what the ledger gives; now they are.\n`
        return [{ members, differences }, text]
      }),
    )
