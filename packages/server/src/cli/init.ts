import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { describeConfig } from '../config.ts'
import { CommandError, printResult, type Terminal } from './terminal.ts'

const HEAD = `# Configuration of Lyceum, read from the working directory. Variables of the environment take precedence.
# Each variable can also be set as NAME_FILE, the path of a file that contains the value.
`

const template = (): string =>
  HEAD +
  describeConfig({})
    .map(({ name, default: fallback, meaning }) => `\n# ${meaning}\n# ${name}=${/[\s#<>]/.test(fallback) ? `"${fallback}"` : fallback}\n`)
    .join('')

export const initCommand = (program: Command, terminal: Terminal) =>
  program
    .command('init')
    .description('write a configuration with every variable, commented out, to a new file')
    .argument('[file]', 'the file', '.env')
    .action((name: string, { json }: { json?: true }) => {
      const file = resolve(name)
      try {
        // It may get secrets.
        writeFileSync(file, template(), { flag: 'wx', mode: 0o600 })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`${file} exists; remove it first`)
        throw error
      }
      printResult(terminal, json, { file }, `${file} contains every variable with its default. Remove the # before those to change.\n`)
    })
