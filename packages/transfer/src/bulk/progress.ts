/** Progress output: a redrawn bar on a terminal, otherwise periodic lines. */
export interface ProgressOutput {
  readonly tty: boolean
  write(text: string): void
}

export interface Progress {
  /** Reports the number of finished rows; the first call starts the phase. */
  show(phase: string, done: number): void
  /** Clears the bar before other output. */
  clear(): void
}

const BAR = 24
const REDRAW_MS = 100
const LINE_MS = 5_000

/** `totals`: rows of each phase; `clock`: returns milliseconds; `weights`: relative duration of a row of each phase. */
export function createProgress(
  output: ProgressOutput,
  totals: Readonly<Record<string, number>>,
  clock = () => performance.now(),
  weights: Readonly<Record<string, number>> = {},
): Progress {
  const weigh = (rows: Iterable<readonly [string, number]>) => {
    let sum = 0
    for (const [name, count] of rows) sum += count * (weights[name] ?? 1)
    return sum
  }
  const all = weigh(Object.entries(totals))
  const finished = new Map<string, number>()
  const spent = new Map<string, number>()
  const began = clock()
  let heard = began
  let written = Number.NEGATIVE_INFINITY

  function show(phase: string, done: number): void {
    const now = clock()
    // Phases may alternate, so the time since the previous call counts for the reporting phase.
    spent.set(phase, (spent.get(phase) ?? 0) + now - heard)
    heard = now
    finished.set(phase, done)
    const total = totals[phase] ?? done
    const ends = done >= total
    if (now - written < (output.tty ? REDRAW_MS : LINE_MS) && !ends) return
    written = now

    const overall = weigh(finished)
    const took = spent.get(phase) ?? 0
    const rate = took > 0 ? done / (took / 1000) : 0
    const left = overall > 0 ? ((now - began) / overall) * (all - overall) : 0
    const text = `${phase} ${percent(done, total)}${rate > 0 ? `, ${grouped(rate)}/s` : ''}${left >= 1000 ? `, ${duration(left)} left` : ''}`
    if (!output.tty) {
      // A short phase prints only its end.
      output.write(`${text} (${grouped(done)} of ${grouped(total)})\n`)
      return
    }
    const full = Math.round((overall / Math.max(1, all)) * BAR)
    output.write(`\r${'█'.repeat(full)}${'░'.repeat(Math.max(0, BAR - full))} ${percent(overall, all)}  ${text}\u001b[K`)
  }

  return { show, clear: () => output.tty && output.write('\r\u001b[K') }
}

const percent = (done: number, total: number) => `${Math.floor((100 * done) / Math.max(1, total))} %`

/** 12345.6 → 12,346 */
const grouped = (value: number) => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Milliseconds → 42 s, 3 min 05 s */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}
