import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { dataLocationOf, prepareBackupDir, prepareDataDir, withDatabase } from './bootstrap.ts'
import { containsCommunity, isInterrupted } from './interrupted-restore.ts'
import { CommandError, configFor, explain, type Terminal } from './terminal.ts'

const FAILED = 1

/** @throws CommandError if a restore was killed before its rows were committed: its files must not become part of another community */
const refuseInterrupted = async (config: Config): Promise<void> => {
  if (await withDatabase(config, dataLocationOf(config), containsCommunity)) return
  throw new CommandError(`a restore into ${config.dataDir} was interrupted: run "lyceum restore" again, or name another LYCEUM_DATA_DIR`)
}

const serveHere = async (terminal: Terminal) => {
  const config = configFor(terminal)
  prepareDataDir(config)
  prepareBackupDir(config)
  if (isInterrupted(config.dataDir)) await refuseInterrupted(config)
  const { serve } = await import('../main.ts')
  await serve(config)
}

/** `runCommand` for `lyceum serve` alone: loading the other commands would slow down the start. */
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
    .description('run the server')
    .action(async () => {
      await serveHere(terminal)
      end(null)
    })
