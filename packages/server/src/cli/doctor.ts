import type { Command } from 'commander'
import { nowOf } from '../core/clock.ts'
import { coreAction } from './bootstrap.ts'
import { type Repaired, repair } from './doctor/repair.ts'
import { type Findings, runChecks } from './doctor/run-checks.ts'
import type { Terminal } from './terminal.ts'

const SAMPLE = 20_000

interface Options {
  readonly repair?: true
  readonly full?: true
}

const words = ({ checked, violations, warnings }: Findings, repaired: readonly Repaired[]): string => {
  const lines = [
    ...repaired.map(({ check, ids }) => `repaired   ${check}: ${ids.length}`),
    ...warnings.map((text) => `warning    ${text}`),
    ...violations.map(({ check, about, count, examples }) => {
      const some = examples.length > 0 ? `: ${examples.join(', ')}${count > examples.length ? ', …' : ''}` : ''
      return `violation  ${check} (${count})${some}\n           Expected: ${about}.`
    }),
    violations.length === 0
      ? `All ${checked.length} checks passed.`
      : `${violations.length} of ${checked.length} checks failed.${repaired.length > 0 ? '' : ' "lyceum doctor --repair" repairs stored counters.'}`,
  ]
  return `${lines.join('\n')}\n`
}

export const doctorCommand = (program: Command, terminal: Terminal, end: (code: number) => void) =>
  program
    .command('doctor')
    .description('check the data for inconsistencies; exit code 1 if there are any')
    .option(
      '--repair',
      'reinstall triggers, recompute counters, search entries and stored HTML, mark lost files as deleted, remove orphaned files',
    )
    .option('--full', `render all feeds and comments for comparison, not only a sample of ${SAMPLE} each`)
    .action(
      coreAction(
        terminal,
        async ({ services: { database, clock, storage } }, options: Options) => {
          const settings = { now: nowOf(clock), sample: options.full ? Number.MAX_SAFE_INTEGER : SAMPLE, storage }
          const repaired = options.repair ? await repair(database, settings) : []
          const findings = await runChecks(database, settings)
          const ok = findings.violations.length === 0
          const { violations, warnings } = findings
          if (!ok) end(1)
          return [{ ok, violations, warnings, ...(options.repair && { repaired }) }, words(findings, repaired)]
        },
        true,
      ),
    )
