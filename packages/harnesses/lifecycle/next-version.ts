import type { Migration } from '../../server/src/db/migrations/dialect.ts'
import { MIGRATIONS } from '../../server/src/db/migrations/index.ts'
import { trackMore } from './next-triggers.ts'

/** Turns this process into a possible next release, with different tables and a different trigger; returns a function that undoes this. */
export const becomeNext = (): (() => void) => {
  const back = trackMore()
  const migrations = MIGRATIONS as Migration[]
  migrations.push({
    name: '9000-next',
    up: ({ id, text }) => [
      `create table next_things (id ${id}, name ${text} not null)`,
      `alter table users add column next_name ${text}`,
      'update users set next_name = username',
      'create index next_things_name on next_things (name)',
    ],
  })
  return () => {
    migrations.pop()
    back()
  }
}

if (process.argv[1] === import.meta.filename) {
  becomeNext()
  await import('../../server/src/cli/main.ts')
}
