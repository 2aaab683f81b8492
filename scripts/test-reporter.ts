import { writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

const STANDARD_OUTPUT = 1

/** Ends a test run with what could not be tested, and with one line alone: `N passed, N failed`, then `, N skipped` if any. */
export default class ClosingLine implements Reporter {
  #missing: string[]
  #counts = { passed: 0, failed: 0, skipped: 0 }

  constructor({ missing = [] }: { missing?: string[] } = {}) {
    this.#missing = missing
  }

  onInit() {
    // Nothing comes after this, not even what the run prints while it stops its services.
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
    const { passed, failed, skipped } = this.#counts
    // A file that does not load, or an error outside of every test, fails the run without failing a test.
    const allFailed = code !== 0 && failed === 0 ? 1 : failed
    const bar = '='.repeat(80)
    const banner = this.#missing.length > 0 ? `\n${bar}\nNOT TESTED\n${this.#missing.map((text) => `  - ${text}\n`).join('')}${bar}\n` : ''
    return `${banner}\n${passed} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
  }
}
