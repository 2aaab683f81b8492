import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CODE, hashOf } from '../../server/src/db/code/index.ts'
import { DDL } from '../../server/src/db/migrations/dialect.ts'
import { MIGRATIONS } from '../../server/src/db/migrations/index.ts'

const FILE = join(import.meta.dirname, '../../server/test-support/recorded-schemas/released.json')

interface Hashes {
  readonly sqlite: string
  readonly postgres: string
}

/** Hashes of the statements that releases have run on users' databases. */
export interface Released {
  readonly migrations: Readonly<Record<string, Hashes>>
  /** The triggers of the last release. */
  readonly code: Hashes & { readonly version: number }
}

export const readReleased = (): Released => JSON.parse(readFileSync(FILE, 'utf8')) as Released

/** The hashes of this version. */
export const presentHashes = (): Released => {
  const each = (of: (dialect: 'sqlite' | 'postgres') => unknown): Hashes => ({
    sqlite: hashOf(of('sqlite')),
    postgres: hashOf(of('postgres')),
  })
  return {
    migrations: Object.fromEntries(MIGRATIONS.map(({ name, up }) => [name, each((dialect) => up(DDL[dialect]))])),
    code: { version: CODE.version, ...each((dialect) => CODE.objects(dialect)) },
  }
}

/** Records what this release runs. @throws when a released migration was changed, or triggers changed under the same version */
export const writeReleased = (): void => {
  const problems = problemsOf(readReleased(), presentHashes())
  if (problems.length > 0) throw new Error(problems.join('\n'))
  writeFileSync(FILE, `${JSON.stringify(presentHashes(), null, 2)}\n`)
}

/** Violations. */
export const problemsOf = (released: Released, present: Released): string[] => {
  const changed = Object.entries(released.migrations).filter(
    ([name, { sqlite, postgres }]) => present.migrations[name]?.sqlite !== sqlite || present.migrations[name]?.postgres !== postgres,
  )
  const { version, sqlite, postgres } = present.code
  const sameCode = sqlite === released.code.sqlite && postgres === released.code.postgres
  return [
    ...changed.map(([name]) => `${name} was released, and yields other statements now`),
    ...(sameCode || version > released.code.version
      ? []
      : ['the triggers differ from those of the last release: raise the version in db/code/index.ts']),
    ...(version < released.code.version ? ['the version in db/code/index.ts is lower than that of the last release'] : []),
  ]
}
