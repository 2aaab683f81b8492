import type { Migration } from '../../src/db/migrations/dialect.ts'
import { MIGRATIONS } from '../../src/db/migrations/index.ts'

/** Runs a command that brings the tables up to date, and gets a signal before the statement of that number. */
const [at, signal, ...command] = process.argv.slice(2)
let left = Number(at)

function* counted(statements: readonly string[]) {
  for (const statement of statements) {
    if (left === 0) process.kill(process.pid, signal)
    left -= 1
    yield statement
  }
}

for (const migration of MIGRATIONS as { -readonly [K in keyof Migration]: Migration[K] }[]) {
  const { up } = migration
  migration.up = (ddl) => counted(up(ddl)) as unknown as string[]
}

process.argv.splice(2, process.argv.length, ...command)
await import('../../src/cli/main.ts')
