import type { Migration } from '../../src/db/migrations/dialect.ts'
import { MIGRATIONS } from '../../src/db/migrations/index.ts'

/** The program as it was before the last migration. */
;(MIGRATIONS as Migration[]).pop()
await import('../../src/cli/main.ts')
