import { type Command, InvalidArgumentError, Option } from 'commander'
import { nowOf, systemClock } from '../core/clock.ts'
import { DataLocked, type Hold, isServed, lockData, NotAlone } from '../db/index.ts'
import { rebuildRollups } from '../modules/analytics/index.ts'
import { placeOf, withCore } from './bootstrap.ts'
import type { Inserted } from './demo/insert.ts'
import { createProgress } from './demo/progress.ts'
import { textTable } from './table.ts'
import { configFor, type Terminal } from './terminal.ts'

const DEFAULTS = { members: 200, spaces: 12, posts: 2000, comments: 6000, reactions: 10_000, courses: 6, seed: '1' }

interface Options {
  readonly members: number
  readonly spaces: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly courses: number
  readonly feeds?: number
  readonly seed: string
  readonly json?: true
}

const MOST = 10_000_000
/** From so many rows on it is worth being alone with an empty community. */
const MANY = 100_000

const wholeNumber = (text: string): number => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > MOST) throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST}.`)
  return number
}

/** What goes with so many feeds where nothing else is said. */
const sized = (feeds: number) => ({
  posts: feeds,
  comments: Math.min(MOST, 3 * feeds),
  reactions: Math.min(MOST, 5 * feeds),
  members: Math.min(100_000, Math.ceil(feeds / 10)),
  spaces: Math.min(500, Math.ceil(feeds / 200)),
  courses: Math.min(200, Math.ceil(feeds / 500)),
})

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

const words = ({ complete, counts, milliseconds }: Shown, total: number, shortfalls: readonly string[]): string => {
  const rows = Object.keys(counts).map((name) => [
    name,
    String(counts[name]),
    name in milliseconds ? seconds(milliseconds[name] ?? 0) : name === 'students' || complete ? '' : 'stopped',
  ])
  const end = complete ? `Done in ${seconds(total)}.` : 'Stopped before the end; what was stored holds together.'
  return `${textTable(['', 'ROWS', 'TIME'], rows)}${shortfalls.map((text) => `${text}\n`).join('')}${end}\n`
}

interface Work {
  readonly terminal: Terminal
  readonly wanted: Required<Omit<Options, 'json' | 'feeds'>>
  readonly signal: AbortSignal
}

/** Fills the community beside whatever is there and whoever serves it. */
const fillBeside = ({ terminal, wanted, signal }: Work) =>
  withCore(terminal, async ({ services }) => {
    const { config, database, clock } = services
    // The texts are large: only this command loads them.
    const [{ plan }, { insertPlan }, { insertCourses }, { insertPoints }] = await Promise.all([
      import('./demo/plan.ts'),
      import('./demo/insert.ts'),
      import('./demo/courses.ts'),
      import('./demo/points.ts'),
    ])
    const now = Math.floor(clock.now().getTime() / 1000)
    const planned = plan({ ...wanted, now })
    const bar = createProgress({ tty: terminal.shows, write: terminal.err }, planned.counts)
    const beside = await isServed(placeOf(config))
    const { members, ...placed } = await insertPlan({
      ...{ database, plan: planned, now: nowOf(clock), beside, signal },
      onProgress: bar.show,
    })
    const begun = performance.now()
    const taught = placed.complete
      ? await insertCourses({ services, database, count: wanted.courses, members, seed: wanted.seed, now, beside, signal })
      : { courses: 0, students: 0 }
    const counting = performance.now()
    if (placed.complete && !signal.aborted) await insertPoints({ services, beside, signal })
    // Taking in one change after the other would take the server minutes.
    if (placed.complete && !signal.aborted) await rebuildRollups(services, () => !signal.aborted)
    bar.clear()
    return {
      complete: placed.complete && !signal.aborted,
      counts: { ...placed.counts, ...taught },
      milliseconds: { ...placed.milliseconds, ...(placed.complete && { courses: Math.round(counting - begun) }) },
      shortfalls: planned.shortfalls,
    }
  })

/** The place of a community that is empty and that nobody else uses, held from now on; null where it is better to go beside it. */
const holdEmpty = async (terminal: Terminal): Promise<Hold | null> => {
  const { isBare } = await import('./demo/load/alone.ts')
  const place = await withCore(terminal, async ({ services: { config, database } }) =>
    (await isBare(database.read)) ? placeOf(config) : null,
  )
  try {
    return place && (await lockData(place, 'demo'))
  } catch (error) {
    if (error instanceof DataLocked) return null
    throw error
  }
}

/** Fills an empty community in one go; null, and nothing has happened, where somebody has it open. */
const fillEmpty = async ({ terminal, wanted, signal }: Work) => {
  const [{ plan }, { fillAlone, furtherRows, WEIGHTS }, { Interrupted }] = await Promise.all([
    import('./demo/plan.ts'),
    import('./demo/load/alone.ts'),
    import('./demo/insert/pace.ts'),
  ])
  const config = configFor({ ...terminal, err: () => {} })
  const seconds = Math.floor(systemClock.now().getTime() / 1000)
  const planned = plan({ ...wanted, now: seconds })
  const bar = createProgress(
    { tty: terminal.shows, write: terminal.err },
    { ...planned.counts, ...furtherRows(planned, wanted.courses) },
    undefined,
    WEIGHTS,
  )
  const done: Record<string, number> = {}
  const milliseconds: Record<string, number> = {}
  let heard = performance.now()
  const onProgress = (what: string, more: number) => {
    const moment = performance.now()
    milliseconds[what] = Math.round((milliseconds[what] ?? 0) + moment - heard)
    heard = moment
    done[what] = (done[what] ?? 0) + more
    bar.show(what, Math.round(done[what]))
  }
  const options = { place: placeOf(config), config, plan: planned, seed: wanted.seed, courses: wanted.courses }
  try {
    const taught = await fillAlone({ ...options, now: nowOf(systemClock), seconds, signal, onProgress })
    return { complete: true, counts: { ...planned.counts, ...taught }, milliseconds, shortfalls: planned.shortfalls }
  } catch (error) {
    if (error instanceof NotAlone) return null
    if (!(error instanceof Interrupted)) throw error
    const counts = Object.fromEntries(Object.keys(planned.counts).map((name) => [name, 0]))
    return { complete: false, counts: { ...counts, courses: 0, students: 0 }, milliseconds: {}, shortfalls: [] }
  } finally {
    bar.clear()
  }
}

const fill = async (work: Work) => {
  const { members, posts, comments, reactions } = work.wanted
  const hold = members + posts + comments + reactions < (work.terminal.many ?? MANY) ? null : await holdEmpty(work.terminal)
  if (hold) {
    try {
      const filled = await fillEmpty(work)
      if (filled) return filled
    } finally {
      await hold.release()
    }
  }
  return fillBeside(work)
}

export const demoCommand = (program: Command, terminal: Terminal, end: (code: number) => void) => {
  const count = (name: Exclude<keyof typeof DEFAULTS, 'seed'>) =>
    new Option(`--${name} <number>`, `how many ${name} (default: ${DEFAULTS[name]})`).argParser(wholeNumber)
  return program
    .command('demo')
    .description('fill the community with people who talk: the same ones for the same seed')
    .addOption(new Option('--feeds <number>', 'how many feeds, with as much of everything else as belongs to them').argParser(wholeNumber))
    .addOption(count('members'))
    .addOption(count('spaces'))
    .addOption(count('posts'))
    .addOption(count('comments'))
    .addOption(count('reactions'))
    .addOption(count('courses'))
    .option('--seed <text>', 'another seed gives another community', DEFAULTS.seed)
    .option('--json', 'print machine-readable output')
    .action(async ({ json, feeds, ...given }: Partial<Options> & Pick<Options, 'seed'>) => {
      const wanted = { ...DEFAULTS, ...(feeds !== undefined && sized(feeds)), ...given }
      const { signal, forget } = interruption()
      const start = performance.now()
      try {
        const { shortfalls, ...filled } = await fill({ terminal, wanted, signal })
        terminal.out(
          json ? `${JSON.stringify({ ...filled, seed: wanted.seed, shortfalls })}\n` : words(filled, performance.now() - start, shortfalls),
        )
        if (!filled.complete) end(INTERRUPTED)
      } finally {
        forget()
      }
    })
}

/** What a shell expects of a command that Ctrl-C ended. */
const INTERRUPTED = 130
