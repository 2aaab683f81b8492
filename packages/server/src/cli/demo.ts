import { type Command, InvalidArgumentError, Option } from 'commander'
import { isServed } from '../db/index.ts'
import { rebuildFigures } from '../modules/analytics/index.ts'
import { nowOf } from '../platform/clock.ts'
import { placeOf, withCore } from './core.ts'
import type { Inserted } from './demo/insert.ts'
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

interface Shown extends Pick<Inserted, 'complete'> {
  readonly counts: Readonly<Record<string, number>>
  readonly milliseconds: Readonly<Record<string, number>>
}

const words = ({ complete, counts, milliseconds }: Shown, planned: number, shortfalls: readonly string[]): string => {
  const total = Object.values(milliseconds).reduce((sum, each) => sum + each, planned)
  const rows = Object.keys(counts).map((name) => [
    name,
    String(counts[name]),
    name in milliseconds ? seconds(milliseconds[name] ?? 0) : name === 'students' ? '' : 'stopped',
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
      withCore(terminal, async ({ services }) => {
        const { config, database, clock } = services
        // The texts are large: only this command loads them.
        const [{ plan }, { insertPlan }, { insertCourses }, { insertPoints }] = await Promise.all([
          import('./demo/plan.ts'),
          import('./demo/insert.ts'),
          import('./demo/courses.ts'),
          import('./demo/points.ts'),
        ])
        const start = performance.now()
        const now = Math.floor(clock.now().getTime() / 1000)
        const planned = plan({ ...wanted, now })
        const planning = Math.round(performance.now() - start)
        const bar = createProgress({ tty: terminal.shows, write: terminal.err }, planned.counts)
        const { signal, forget } = interruption()
        try {
          const beside = await isServed(placeOf(config))
          const { members, ...placed } = await insertPlan({
            database,
            plan: planned,
            now: nowOf(clock),
            beside,
            signal,
            onProgress: bar.show,
          })
          const begun = performance.now()
          const taught = placed.complete
            ? await insertCourses({ services, database, members, seed: wanted.seed, now, beside, signal })
            : { courses: 0, students: 0 }
          const counting = performance.now()
          if (placed.complete && !signal.aborted) await insertPoints({ services, beside, signal })
          // Taking in one change after the other would take the server minutes.
          if (placed.complete && !signal.aborted) await rebuildFigures(services, () => !signal.aborted)
          const inserted = {
            complete: placed.complete && !signal.aborted,
            counts: { ...placed.counts, ...taught },
            milliseconds: { ...placed.milliseconds, ...(placed.complete && { courses: Math.round(counting - begun) }) },
          }
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
