import type { Command } from 'commander'
import { configFor, explain, type Terminal } from './terminal.ts'

const FAILED = 1

const serveHere = async (terminal: Terminal) => {
  const { serve } = await import('../main.ts')
  await serve(configFor(terminal))
}

/** `lyceum serve` without the other commands, which take as long to load as much of the server does. As `runCommand`. */
export const runServe = async (terminal: Terminal): Promise<number | null> => {
  try {
    await serveHere(terminal)
    return null
  } catch (error) {
    terminal.err(explain(error, terminal.env))
    return FAILED
  }
}

export const serveCommand = (program: Command, terminal: Terminal, end: (code: number | null) => void) =>
  program
    .command('serve')
    .description('run the server until it is told to stop')
    .action(async () => {
      await serveHere(terminal)
      end(null)
    })
