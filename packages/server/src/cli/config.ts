import type { Command } from 'commander'
import { describeConfig } from '../config.ts'
import { textTable } from './table.ts'
import { configFor, type Terminal } from './terminal.ts'

export const configCommand = (program: Command, terminal: Terminal) =>
  program
    .command('config')
    .description('list all configuration variables with default, meaning and current value')
    .action(({ json }: { json?: true }) => {
      const variables = describeConfig(terminal.env)
      if (json) terminal.out(`${JSON.stringify(variables, null, 2)}\n`)
      else {
        const rows = variables.map(({ name, value, default: fallback, meaning }) => [
          name,
          value || '-',
          value === fallback ? '' : fallback || '-',
          meaning,
        ])
        terminal.out(textTable(['VARIABLE', 'VALUE', 'DEFAULT', 'MEANING'], rows))
      }
      // Reports invalid values after the list that helps to correct them.
      configFor(terminal)
    })
