import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { PACKAGE_FOLDER } from '../util/package-root.ts'
import { analyticsCommand } from './analytics.ts'
import { backupCommand, restoreCommand, upgradeCommand } from './backup.ts'
import { configCommand } from './config.ts'
import { courseCommand } from './course.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { giveToOwner } from './give-to-owner.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { jobsCommand } from './jobs.ts'
import { mailCommand } from './mail.ts'
import { migrateCommand } from './migrate.ts'
import { moveCommand } from './move.ts'
import { openapiCommand } from './openapi.ts'
import { pointsCommand } from './points.ts'
import { serveCommand } from './serve.ts'
import { configFor, explain, printResult, type Terminal } from './terminal.ts'
import { userCommand } from './user.ts'

const { version } = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as { version: string }

const COMMANDS = [
  serveCommand,
  migrateCommand,
  userCommand,
  courseCommand,
  demoCommand,
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
  upgradeCommand,
  moveCommand,
  doctorCommand,
  initCommand,
  configCommand,
  openapiCommand,
  jobsCommand,
  mailCommand,
  pointsCommand,
  analyticsCommand,
]

const FAILED = 1
const MISUSED = 2

/** Adds `--json` to all commands that print a result. */
const acceptJson = (command: Command): void => {
  for (const below of command.commands) acceptJson(below)
  const isOwn = command.name() === 'serve' || command.options.some(({ long }) => long === '--json')
  if (command.commands.length === 0 && !isOwn) command.option('--json', 'print machine-readable output')
}

const createProgram = (terminal: Terminal, end: (code: number | null) => void): Command => {
  // Subcommands inherit these settings.
  const program = new Command('lyceum')
    .description('An open-source community platform')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showSuggestionAfterError()
  for (const add of COMMANDS) add(program, terminal, end)
  program
    .command('version')
    .description('print the version')
    .action(({ json }: { json?: true }) => printResult(terminal, json, { version }, `${version}\n`))
  acceptJson(program)
  return program
}

/** Gives what the command wrote to the owner of the data directory, if there is one. */
const handOver = (terminal: Terminal): void => {
  let dataDir: string
  try {
    dataDir = configFor({ ...terminal, err: () => {} }).dataDir
  } catch {
    return
  }
  giveToOwner(dataDir)
}

/** Runs a command line. Returns the exit code (0 success, 1 failure, 2 usage error), or null if a server keeps running. */
export const runCommand = async (args: readonly string[], terminal: Terminal): Promise<number | null> => {
  let code: number | null = 0
  const program = createProgram(terminal, (value) => {
    code = value
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED
    terminal.err(explain(error, terminal.env))
    return FAILED
  } finally {
    if (code !== null) handOver(terminal)
  }
}
