import type { Filled } from '@lyceum/demo'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { INTERRUPTED, interruption } from './interruption.ts'
import { textTable } from './table.ts'
import { printResult, type Terminal } from './terminal.ts'

const COUNTS = { members: 200, spaces: 12, posts: 2000, comments: 6000, reactions: 10_000, courses: 6 }

type Options = Partial<typeof COUNTS> & { readonly feeds?: number; readonly seed: string; readonly json?: true }

const MOST = 10_000_000

const wholeNumber = (text: string): number => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > MOST) throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST}.`)
  return number
}

/** Defaults for `--feeds`. */
const sized = (feeds: number) => ({
  posts: feeds,
  comments: Math.min(MOST, 3 * feeds),
  reactions: Math.min(MOST, 5 * feeds),
  members: Math.min(100_000, Math.ceil(feeds / 10)),
  spaces: Math.min(500, Math.ceil(feeds / 200)),
  courses: Math.min(200, Math.ceil(feeds / 500)),
})

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

const summary = ({ complete, counts, milliseconds, shortfalls }: Filled, total: number): string => {
  const rows = Object.keys(counts).map((name) => [
    name,
    String(counts[name]),
    name in milliseconds ? seconds(milliseconds[name] ?? 0) : name === 'students' || complete ? '' : 'stopped',
  ])
  const end = complete ? `Done in ${seconds(total)}.` : 'Stopped before the end. The stored part is consistent.'
  return `${textTable(['', 'ROWS', 'TIME'], rows)}${shortfalls.map((text) => `${text}\n`).join('')}${end}\n`
}

const countOption = (name: string, about: string) => new Option(`--${name} <number>`, about).argParser(wholeNumber)

export const demoCommand = (program: Command, terminal: Terminal, end: (code: number) => void) => {
  const command = program
    .command('demo')
    .description('fill the community with generated members, posts and courses; the same seed gives the same data')
    .addOption(countOption('feeds', 'how many feeds; all other numbers are derived from it'))
  for (const [name, number] of Object.entries(COUNTS)) command.addOption(countOption(name, `how many ${name} (default: ${number})`))
  command.option('--seed <text>', 'seed of the random generator', '1').action(async ({ json, feeds, ...given }: Options) => {
    const wanted = { ...COUNTS, ...(feeds !== undefined && sized(feeds)), ...given }
    const { signal, forget } = interruption()
    const start = performance.now()
    try {
      // The texts are large: only this command loads them.
      const { fill } = await import('@lyceum/demo')
      const filled = await fill({ terminal, wanted, signal })
      printResult(terminal, json, { ...filled, seed: wanted.seed }, summary(filled, performance.now() - start))
      if (!filled.complete) end(INTERRUPTED)
    } finally {
      forget()
    }
  })
}
