import { defineConfig } from 'vitest/config'
import { findChromium, findPgbouncer, findPostgres, missingServices } from './packages/server/test-support/services/programs.ts'

const { CI = '', LYCEUM_TEST_POSTGRES_URL: postgresUrl } = process.env
const missing = missingServices()
if (!['', '0', 'false'].includes(CI) && missing.length > 0) throw new Error(`With CI set everything is tested.\n${missing.join('\n')}`)

/** Tests of code that no database is behind: they run once, the others on each database. */
const withoutDatabase = '**/*.unit.test.{ts,tsx}'
const exclude = ['**/node_modules/**']
/** What compares the two databases runs once, where there is PostgreSQL. */
const onBothAtOnce = 'packages/harnesses/differential/**'

/** A machine that other work slows may make a test of times fail; what is really broken fails again. */
const retry = ['', '0', 'false'].includes(CI) ? 0 : 1

/** What takes long and is about anything but the database shows with one of them what it shows with the other, unless it is given its full size. */
const soaks = Number(process.env['LYCEUM_TEST_SOAK']) > 1
const ON_SQLITE_UNLESS_LONG = soaks
  ? []
  : [
      'packages/harnesses/{data-leak-crawl,malformed-http,kill-points,load,object-permissions,lifecycle,permission-effects,ssrf,hostile-third-parties,permissions,xss}/!(rolling).test.ts',
      'packages/harnesses/fuzz/{sequences,sweeps}.test.ts',
      'packages/harnesses/vulnerabilities/*.test.ts',
      '**/hostile-uploads.test.ts',
    ]

const onDatabase = (name: 'sqlite' | 'postgres' | 'pooler', include = ['packages/**/*.test.{ts,tsx}']) => ({
  test: {
    name,
    retry,
    include,
    exclude: [...exclude, withoutDatabase, ...(name === 'sqlite' ? [onBothAtOnce] : ON_SQLITE_UNLESS_LONG)],
    env: { LYCEUM_TEST_DATABASE: name === 'sqlite' ? 'sqlite' : 'postgres' },
    globalSetup: ['packages/server/test-support/global-setup.ts'],
    setupFiles: ['packages/server/test-support/each-file.ts'],
  },
})

/** Behind a pooler of PostgreSQL's connections: what writes at once, what locks, what listens, and what must happen once. */
const BEHIND_A_POOLER = [
  'packages/server/src/db/pooler.test.ts',
  'packages/server/src/modules/comments/!(counters).test.ts',
  'packages/server/src/modules/feeds/{create,races}.test.ts',
  'packages/server/src/modules/reactions/reactions.test.ts',
  'packages/server/src/modules/stream/stream.test.ts',
  'packages/server/src/http/requests/idempotency.test.ts',
]

/** What members do, in the app as it is served. */
const IN_A_BROWSER = {
  test: {
    name: 'browser',
    retry,
    include: ['e2e/**/*.test.ts'],
    // A page may take a while on a machine that does other things as well.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['e2e/setup.ts'],
    setupFiles: ['e2e/setup-each-file.ts'],
  },
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Files share a worker: the server keeps no state outside of what it is given, and loading it anew costs more than most tests.
    isolate: false,
    // Several times what they take, for machines that do other things as well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', ['./scripts/test-reporter.ts', { missing }]],
    projects: [
      { test: { name: 'unit', retry, include: [withoutDatabase], exclude } },
      onDatabase('sqlite'),
      ...(postgresUrl || findPostgres() ? [onDatabase('postgres')] : []),
      ...(findChromium() ? [IN_A_BROWSER] : []),
      ...((postgresUrl || findPostgres()) && findPgbouncer() ? [onDatabase('pooler', BEHIND_A_POOLER)] : []),
    ],
  },
})
