import type { Migration } from '../../server/src/db/migrations/dialect.ts'
import { MIGRATIONS } from '../../server/src/db/migrations/index.ts'
import './next-triggers.ts'

/** A possible next release, with different tables and a different trigger. */
;(MIGRATIONS as Migration[]).push({
  name: '9000-next',
  up: ({ id, text }) => [
    `create table next_things (id ${id}, name ${text} not null)`,
    `alter table users add column next_name ${text}`,
    'update users set next_name = username',
    'create index next_things_name on next_things (name)',
  ],
})
if (process.argv[1] === import.meta.filename) await import('../../server/src/cli/main.ts')
