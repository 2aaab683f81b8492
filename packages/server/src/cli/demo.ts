import { type Command, InvalidArgumentError, Option } from 'commander'
import { isServed } from '../db/index.ts'
import { nowOf } from '../platform/clock.ts'
import { placeOf, withCore } from './core.ts'
import type { Inserted } from './demo/insert.ts'
import type { Rows } from './demo/plan.ts'
import { createProgress } from './demo/progress.ts'
import { textTable } from './table.ts'
import type { Terminal } from './terminal.ts'

const DEFAULTS = { members: 200, spaces: 12, posts: 2000, comments: 6000, reactions: 10_000, seed: '1' }

interface Options {
  readonly members: number
  readonly spaces: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly seed: string
  readonly json?: true
}

const MOST = 10_000_000

const wholeNumber = (text: string): number => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > MOST) throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST}.`)
  return number
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** Aborts on the first Ctrl-C; the second one ends the process as usual. */
const interruption = () => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return {
    signal: controller.signal,
    forget: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

const words = ({ complete, counts, milliseconds }: Inserted, planned: number, shortfalls: readonly string[]): string => {
  const total = Object.values(milliseconds).reduce((sum, each) => sum + each, planned)
  const rows = (Object.keys(counts) as Rows[]).map((name) => [
    name,
    String(counts[name]),
    name in milliseconds ? seconds(milliseconds[name] ?? 0) : 'stopped',
  ])
  const end = complete ? `Done in ${seconds(total)}.` : 'Stopped before the end; what was stored holds together.'
  return `${textTable(['', 'ROWS', 'TIME'], rows)}${shortfalls.map((text) => `${text}\n`).join('')}${end}\n`
}

export const demoCommand = (program: Command, terminal: Terminal, end: (code: number) => void) => {
  const count = (name: Exclude<keyof typeof DEFAULTS, 'seed'>) =>
    new Option(`--${name} <number>`, `how many ${name}`).argParser(wholeNumber).default(DEFAULTS[name])
  return program
    .command('demo')
    .description('fill the community with people who talk: the same ones for the same seed')
    .addOption(count('members'))
    .addOption(count('spaces'))
    .addOption(count('posts'))
    .addOption(count('comments'))
    .addOption(count('reactions'))
    .option('--seed <text>', 'another seed gives another community', DEFAULTS.seed)
    .option('--json', 'print machine-readable output')
    .action(({ json, ...wanted }: Options) =>
      withCore(terminal, async ({ services: { config, database, clock } }) => {
        // The texts are large: only this command loads them.
        const [{ plan }, { insertPlan }] = await Promise.all([import('./demo/plan.ts'), import('./demo/insert.ts')])
        const start = performance.now()
        const planned = plan({ ...wanted, now: Math.floor(clock.now().getTime() / 1000) })
        const planning = Math.round(performance.now() - start)
        const bar = createProgress({ tty: terminal.shows, write: terminal.err }, planned.counts)
        const { signal, forget } = interruption()
        try {
          const beside = await isServed(placeOf(config))
          const inserted = await insertPlan({ database, plan: planned, now: nowOf(clock), beside, signal, onProgress: bar.show })
          bar.clear()
          terminal.out(
            json
              ? `${JSON.stringify({ ...inserted, seed: wanted.seed, shortfalls: planned.shortfalls })}\n`
              : words(inserted, planning, planned.shortfalls),
          )
          if (!inserted.complete) end(INTERRUPTED)
        } finally {
          forget()
        }
      }),
    )
}

/** What a shell expects of a command that Ctrl-C ended. */
const INTERRUPTED = 130
