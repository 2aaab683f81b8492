import { readConfig } from '../../src/config.ts'
import { migrate, openDatabase } from '../../src/db/index.ts'
import type { Migration } from '../../src/db/migrations/dialect.ts'
import { MIGRATIONS } from '../../src/db/migrations/index.ts'
import { nowOf, systemClock } from '../../src/platform/clock.ts'

/** Brings the tables up to date, and is gone before the statement of that number. */
let left = Number(process.argv[2])

function* counted(statements: readonly string[]) {
  for (const statement of statements) {
    if (left === 0) process.kill(process.pid, 'SIGKILL')
    left -= 1
    yield statement
  }
}

for (const migration of MIGRATIONS as { -readonly [K in keyof Migration]: Migration[K] }[]) {
  const { up } = migration
  migration.up = (ddl) => counted(up(ddl)) as unknown as string[]
}

const { databaseUrl: url, dataDir } = readConfig()
const database = openDatabase({ url, dataDir, poolSize: 2 })
await migrate(database, nowOf(systemClock))
await database.close()
