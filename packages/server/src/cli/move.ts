import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

export const moveCommand = (program: Command, terminal: Terminal) =>
  program
    .command('move')
    .description('copy the community to an empty SQLite or PostgreSQL database and verify it by hash; the server must be stopped')
    .requiredOption('--to <address>', 'postgres://…, or the name of a SQLite file')
    .action(async ({ to, json }: { to: string; json?: true }) => {
      // Only this command loads the code that copies rows.
      const { move } = await import('@lyceum/transfer/move')
      await move(terminal, to, json)
    })
