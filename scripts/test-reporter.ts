import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

const STANDARD_OUTPUT = 1
const BAR = '='.repeat(80)
const LEFT_OUT = 'the harnesses, the journeys in a browser, and most tests on PostgreSQL: npm run test:full runs everything'

interface Options {
  /** Services missing on this machine. */
  readonly missing?: readonly string[]
  /** Whether this is the short run of `npm test`. */
  readonly quick?: boolean
}

/** Reads the counts of the run that this one continues, from the file in LYCEUM_TEST_COUNTS. */
const earlier = (file: string | undefined) => {
  const text = file ? readFileSync(file, 'utf8') : ''
  return text ? (JSON.parse(text) as { passed: number; failed: number; skipped: number }) : { passed: 0, failed: 0, skipped: 0 }
}

/** Ends a test run with a list of untested services and a final line: `N passed, N failed`, then `, N skipped` if any. */
export default class ClosingLine implements Reporter {
  #missing: readonly string[]
  #quick: boolean
  #counts = { passed: 0, failed: 0, skipped: 0 }

  constructor({ missing = [], quick = false }: Options = {}) {
    this.#missing = missing
    this.#quick = quick
  }

  onInit() {
    // This must be the last output, even after the output of services that are being stopped.
    process.once('exit', (code) => writeSync(STANDARD_OUTPUT, this.#ending(code)))
  }

  onTestRunEnd(modules: readonly TestModule[]) {
    this.#counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        this.#counts[state === 'pending' ? 'failed' : state] += 1
      }
    }
  }

  #ending(code: number): string {
    const file = process.env['LYCEUM_TEST_COUNTS']
    const before = earlier(file)
    // Load errors and errors outside of tests fail the run without a failed test.
    const failedNow = code !== 0 && this.#counts.failed === 0 ? 1 : this.#counts.failed
    const passed = before.passed + this.#counts.passed
    const failed = before.failed + failedNow
    const skipped = before.skipped + this.#counts.skipped
    if (file) writeFileSync(file, JSON.stringify({ passed, failed, skipped }))
    const untested = [...this.#missing, ...(this.#quick ? [LEFT_OUT] : [])]
    const banner = untested.length > 0 ? `\n${BAR}\nNOT TESTED\n${untested.map((text) => `  - ${text}\n`).join('')}${BAR}\n` : ''
    return `${banner}\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
  }
}
