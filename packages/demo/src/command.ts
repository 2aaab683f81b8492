import { COUNTS, type DemoOptions, MOST } from '../../server/src/cli/demo-options.ts'
import { INTERRUPTED, interruption } from '../../server/src/cli/interruption.ts'
import { textTable } from '../../server/src/cli/table.ts'
import { printResult, type Terminal } from '../../server/src/cli/terminal.ts'
import { type Filled, fill } from './fill.ts'

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

export const runDemo = async (terminal: Terminal, { json, feeds, ...given }: DemoOptions, end: (code: number) => void): Promise<void> => {
  const wanted = { ...COUNTS, ...(feeds !== undefined && sized(feeds)), ...given }
  const { signal, forget } = interruption()
  const start = performance.now()
  try {
    const filled = await fill({ terminal, wanted, signal })
    printResult(terminal, json, { ...filled, seed: wanted.seed }, summary(filled, performance.now() - start))
    if (!filled.complete) end(INTERRUPTED)
  } finally {
    forget()
  }
}
