import type { ImportCommandOptions } from '@lyceum/transfer'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { limitHeap } from '../util/gc-tuning.ts'
import { INTERRUPTED, interruption } from './interruption.ts'
import { printResult, type Terminal } from './terminal.ts'

type Options = ImportCommandOptions & { readonly json?: true; readonly run?: number }

const FAILED = 1

const runId = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be the id of an import.')
  return Number(text)
}

export const importCommand = (program: Command, terminal: Terminal, end: (code: number) => void) =>
  program
    .command('import')
    .usage('<source> <place> [options]')
    .description('move a community in; can be repeated, and the server may be running')
    .argument('[source]', 'what it comes from: fluentcommunity, buddypress, nodebb, discourse, csv or lyceum')
    .argument('[place]', 'a dump, an archive, a folder, a csv file, the URL of a database or of a site')
    .option('--uploads <place>', 'a folder or an archive with the uploaded files of the site')
    .option('--user <name>', 'the account of an administrator, for the URL of a site')
    .option('--password-file <file>', 'a file with an application password of that account')
    .option('--only <kinds>', 'import only some of people, spaces, posts, comments, reactions, media, courses')
    .option('--map <file>', 'a JSON file that assigns spaces and people to existing ones, and changes the privacy of spaces')
    .option('--as <name>', 'a name for the source, to import several sites of one platform')
    .option('--dry-run', 'write nothing, and show what would be imported and who would see it')
    .option('--strict', 'end with exit code 1 if a record failed')
    .option('--report <file>', 'write every remark about a record to a file, as JSON Lines')
    // The server starts imports of the administration with it.
    .addOption(new Option('--run <id>').argParser(runId).hideHelp())
    .action(async (source: string | undefined, place: string | undefined, { json, run, ...options }: Options, command: Command) => {
      if (run === undefined && (source === undefined || place === undefined)) command.error('error: name a source and a place')
      const { signal, forget } = interruption()
      limitHeap()
      try {
        // Only this command loads the code of imports.
        const { runImport, runStarted } = await import('@lyceum/transfer')
        if (run !== undefined) return await runStarted(terminal, run, signal)
        const { result, text, isRefused } = await runImport({ terminal, source: source ?? '', place: place ?? '', options, signal })
        printResult(terminal, json, result, text)
        if (!result.complete) end(INTERRUPTED)
        else if (isRefused) end(FAILED)
      } catch (error) {
        if (!signal.aborted) throw error
        terminal.err('lyceum: stopped before anything was written\n')
        end(INTERRUPTED)
      } finally {
        forget()
      }
    })
