import type { Command } from 'commander'
import { configFor, type Terminal } from './terminal.ts'

export const serveCommand = (program: Command, terminal: Terminal, end: (code: number | null) => void) =>
  program
    .command('serve')
    .description('run the server until it is told to stop')
    .action(async () => {
      const { serve } = await import('../main.ts')
      await serve(configFor(terminal))
      end(null)
    })
