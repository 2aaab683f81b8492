import { type Command, InvalidArgumentError, Option } from 'commander'
import { COUNTS, type DemoOptions, MOST } from './demo-options.ts'
import type { Terminal } from './terminal.ts'

const wholeNumber = (text: string): number => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > MOST) throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST}.`)
  return number
}

const countOption = (name: string, about: string) => new Option(`--${name} <number>`, about).argParser(wholeNumber)

export const demoCommand = (program: Command, terminal: Terminal, end: (code: number) => void) => {
  const command = program
    .command('demo')
    .description('fill the community with generated members, posts and courses; the same seed gives the same data')
    .addOption(countOption('feeds', 'how many feeds; all other numbers are derived from it'))
  for (const [name, number] of Object.entries(COUNTS)) command.addOption(countOption(name, `how many ${name} (default: ${number})`))
  command.option('--seed <text>', 'seed of the random generator', '1').action(async (options: DemoOptions) => {
    // The texts are large: only this command loads them.
    const { runDemo } = await import('@lyceum/demo')
    await runDemo(terminal, options, end)
  })
}
