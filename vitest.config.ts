import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { findChromium, findPgbouncer, findPostgres, missingServices } from './packages/server/test-support/services/programs.ts'
import { LONG, LongFirst } from './scripts/long-first.ts'

const { CI = '', LYCEUM_TEST_POSTGRES_URL: postgresUrl } = process.env
const missing = missingServices()
if (!['', '0', 'false'].includes(CI) && missing.length > 0) throw new Error(`With CI set everything is tested.\n${missing.join('\n')}`)

type Name = 'unit' | 'sqlite' | 'postgres' | 'pooler' | 'browser'

/** Tests of code that no database is behind: they run once, the others on each database. */
const WITHOUT_DATABASE = '**/*.unit.test.{ts,tsx}'
const WITH_DATABASE = 'packages/**/*.test.{ts,tsx}'
/** What compares the two databases runs once, where there is PostgreSQL. */
const ON_BOTH_AT_ONCE = 'packages/harnesses/differential/**'
/** What tries both in one run if there is PostgreSQL, and SQLite otherwise. */
const ON_ALL_AT_ONCE = 'packages/server/test/typed-sql.test.ts'

/** Behind a pooler of PostgreSQL's connections: of what writes at once, what locks, what listens, and what must happen once, one file each. */
const BEHIND_A_POOLER = [
  'packages/server/src/db/pooler.test.ts',
  'packages/server/src/modules/comments/comments.test.ts',
  'packages/server/src/modules/feeds/races.test.ts',
  'packages/server/src/modules/stream/stream.test.ts',
  'packages/server/src/http/requests/idempotency.test.ts',
]

/** What `npm test` runs of each project. `npm run test:rest` runs what is left, and `npm run test:full` everything. */
const QUICK: Readonly<Partial<Record<Name, readonly string[]>>> = {
  unit: [
    '{scripts,packages/!(harnesses)}/**/*.unit.test.{ts,tsx}',
    'packages/harnesses/{audited,object-permissions,permissions,recorded,vulnerabilities}/*.unit.test.ts',
  ],
  sqlite: ['packages/!(harnesses)/**/*.test.{ts,tsx}'],
  postgres: ['packages/server/src/db/**/*.test.ts', 'packages/server/src/modules/{comments,feeds}/{access,races}.test.ts'],
}

/** What takes too long for `npm test`: other processes that start, are killed or are installed, and large or hostile data. */
const NOT_QUICK = [
  'packages/demo/src/{demo,exclusive-load}.test.ts',
  'packages/importers/src/*/hostile.unit.test.ts',
  'packages/server/src/**/*kill.test.ts',
  'packages/server/src/cli/{mistakes,process}.test.ts',
  'packages/server/src/db/replicas.test.ts',
  'packages/server/src/modules/{media/hostile-uploads,stream/instances}.test.ts',
  'packages/server/test/{api-guides,npm-start.unit,readme,typed-sql}.test.ts',
  'packages/transfer/src/{backup,command}/**/*.test.ts',
  'packages/transfer/src/import/aborted.test.ts',
  'scripts/release/packages.unit.test.ts',
]

/** What takes long and does not depend on the database runs on SQLite alone, except at full size. */
const fullSize = Number(process.env['LYCEUM_TEST_SOAK']) > 1
const ON_SQLITE_UNLESS_FULL = [
  'packages/harnesses/{account-life,audited,cost-by-shape,data-leak-crawl,hostile-third-parties,kill-points,load}/*.test.ts',
  'packages/harnesses/{malformed-http,object-permissions,permission-effects,permissions,resources}/*.test.ts',
  'packages/harnesses/{ssrf,vulnerabilities,worked-examples,xss}/*.test.ts',
  // On PostgreSQL, cache/{index,caller-response,instances}.test.ts compare cached with uncached data, and recorded/ reports each change of a column.
  'packages/harnesses/cache-coherence/*.test.ts',
  'packages/harnesses/dependency-outages/redis.test.ts',
  'packages/harnesses/lifecycle/!(rolling).test.ts',
  // The differential harness sends generated requests to both databases.
  'packages/harnesses/fuzz/!(naughty).test.ts',
  'packages/harnesses/io-faults/!(refusals).test.ts',
  // The other tests of the demo fill PostgreSQL in both ways and compare the results.
  'packages/compat/test/{contract,transcripts}/*.test.ts',
  'packages/demo/src/demo.test.ts',
  'packages/transfer/src/course/*.test.ts',
  'packages/server/src/http/{pages,pipeline,responses,security}/*.test.ts',
  'packages/server/src/modules/notifications/delivery/{mail,push}.test.ts',
  'packages/server/src/limits/budgets.test.ts',
  'packages/server/src/modules/feeds/meta.test.ts',
  'packages/server/src/modules/gif/gif.test.ts',
  'packages/server/src/modules/quizzes/secrets.test.ts',
  'packages/server/src/modules/settings/{effects,features,page-schemas}.test.ts',
  'packages/server/src/modules/spaces/space-access.test.ts',
  'packages/server/src/modules/webhooks/{delivery,many,rights}.test.ts',
  'packages/server/test/{api-guides,body-rules,event-table,field-matrix,headers,log,readme,removed-member,rights-first}.test.ts',
  'packages/server/src/modules/media/hostile-uploads.test.ts',
  // Leases, retries and events are tried with killed processes on both by jobs/kill.test.ts.
  'packages/server/src/modules/{notifications/fan-out-kill,privacy/kill,webhooks/kill}.test.ts',
]

/**
 * Rules whose statements are plain. On PostgreSQL the differential harness compares their responses and rows with those of SQLite, and every
 * statement is prepared. What locks, counts, searches, sorts, listens, runs at once or has statements for one database runs on both.
 */
const PLAIN_RULES_UNLESS_FULL = [
  'packages/compat/test/*.test.ts',
  'packages/server/src/cli/{commands,export,mail,mistakes,points,process,user,user-privacy}.test.ts',
  'packages/server/src/cli/doctor/media.test.ts',
  'packages/server/src/http/{base-path,requests/unknown-fields}.test.ts',
  'packages/server/src/modules/accounts/{application-passwords,email-change,former-names,password-proof,passwords,registration}.test.ts',
  'packages/server/src/modules/accounts/{roles,setup,sign-in,tries,unconfirmed,waiting}.test.ts',
  'packages/server/src/modules/activities/{activities,list}.test.ts',
  'packages/server/src/modules/{audit,batch,migrations,redirects,revisions}/!(audit).test.ts',
  'packages/server/src/modules/{bookmarks,topics}/*.test.ts',
  'packages/server/src/modules/comments/{helpful,recent-comments}.test.ts',
  'packages/server/src/modules/courses/{courses,enrolment,lockscreen,media,rating,sections}.test.ts',
  'packages/server/src/modules/feeds/{create,schedule-repository,scheduled-feeds,scheduled/scheduled,shared-answers,space-named,sticky,surveys,topics,update}.test.ts',
  'packages/server/src/modules/followers/{feeds,followers}.test.ts',
  'packages/server/src/modules/leaderboard/{daily,daily-caps,levels,points}.test.ts',
  'packages/server/src/modules/lessons/{duplicate,lessons,limits,locks,long-lists}.test.ts',
  'packages/server/src/modules/media/{audio,fair-uploads,files,garbage-collect,previews,quotas,remote,s3,slow-readers,video-metadata}.test.ts',
  'packages/server/src/modules/members/{managers,profiles}/{language,lists,managers,profiles,update}.test.ts',
  'packages/server/src/modules/members/directory/account-status.test.ts',
  'packages/server/src/modules/moderation/{config,decisions,look-alikes,moderator-alerts,notified}.test.ts',
  'packages/server/src/modules/moderation/{queue-decisions,reports,screening,thresholds}.test.ts',
  'packages/server/src/modules/notifications/{access,notifications,preferences}.test.ts',
  'packages/server/src/modules/notifications/delivery/{digest,unsubscribe}.test.ts',
  'packages/server/src/modules/privacy/{deletion,edits,export-jobs,makers,scrub}.test.ts',
  'packages/server/src/modules/progress/{progress,return}.test.ts',
  'packages/server/src/modules/quizzes/{definition,grading,quizzes}.test.ts',
  'packages/server/src/modules/settings/**/{links,settings,settings-by-key}.test.ts',
  'packages/server/src/modules/spaces/{lockscreen,space-groups,space-members,spaces}.test.ts',
  'packages/server/src/modules/stream/{lessons,lifecycle,limits}.test.ts',
  'packages/server/src/modules/webhooks/{every-event,webhooks}.test.ts',
  'packages/server/src/observability/metrics.test.ts',
  'packages/server/test/{monitoring,wrappers}.test.ts',
  'packages/telemetry/test/*.test.ts',
  'packages/transfer/src/backup/**/{bucket,encrypted,scheduled}.test.ts',
  // The round trip exports and imports a whole community on both.
  'packages/transfer/src/export/export.test.ts',
  'packages/transfer/src/{command,import}/{import-command,run-started,aborted,again,choices,every-kind,many-files,scheduled,sign-in,traps}.test.ts',
]

const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { exclude: (name) => name === 'node_modules' })

// A file that was renamed would be run on another database, or not by `npm test`, without a word.
for (const pattern of [
  ON_BOTH_AT_ONCE,
  ON_ALL_AT_ONCE,
  ...BEHIND_A_POOLER,
  ...ON_SQLITE_UNLESS_FULL,
  ...PLAIN_RULES_UNLESS_FULL,
  ...LONG,
  ...NOT_QUICK,
  ...Object.values(QUICK).flat(),
])
  if (filesOf([pattern]).length === 0) throw new Error(`${pattern} matches no test`)

const slow = new Set(filesOf(NOT_QUICK))
const quickFiles = (name: Name): string[] => filesOf(QUICK[name] ?? []).filter((file) => !slow.has(file))

export default defineConfig(({ mode }) => {
  const quick = mode === 'quick'
  /** The part of a project's files that this run is about. */
  const part = (name: Name, include: readonly string[], exclude: readonly string[] = []) => ({
    name,
    // A machine that other work slows may make a test of times fail; what is really broken fails again.
    retry: ['', '0', 'false'].includes(CI) ? 0 : 1,
    include: quick ? quickFiles(name) : [...include],
    exclude: ['**/node_modules/**', ...exclude, ...(mode === 'rest' ? quickFiles(name) : [])],
  })

  const postgres = postgresUrl || findPostgres()
  const notOnSqlite = [ON_BOTH_AT_ONCE, ...(postgres ? [ON_ALL_AT_ONCE] : [])]
  const onDatabase = (name: 'sqlite' | 'postgres' | 'pooler', include: readonly string[] = [WITH_DATABASE]) => {
    const elsewhere = name === 'sqlite' ? notOnSqlite : fullSize ? [] : [...ON_SQLITE_UNLESS_FULL, ...PLAIN_RULES_UNLESS_FULL]
    return {
      test: {
        ...part(name, include, [WITHOUT_DATABASE, ...elsewhere]),
        env: { LYCEUM_TEST_DATABASE: name === 'sqlite' ? 'sqlite' : 'postgres' },
        globalSetup: ['packages/server/test-support/global-setup.ts'],
        setupFiles: ['packages/server/test-support/each-file.ts'],
      },
    }
  }

  /** What members do, in the app as it is served. */
  const inBrowser = {
    test: {
      ...part('browser', ['e2e/**/*.test.ts']),
      // A page may take a while on a machine that does other things as well.
      expect: { poll: { timeout: 10_000 } },
      globalSetup: ['e2e/setup.ts'],
      setupFiles: ['e2e/setup-each-file.ts'],
    },
  }

  return {
    test: {
      // The harnesses and the journeys often wait for other processes.
      maxWorkers: mode === 'rest' ? 3 : 2,
      // Files share a worker: the server keeps no state outside of what it is given, and loading it anew costs more than most tests.
      isolate: false,
      sequence: { sequencer: LongFirst },
      // Many times what they take, for machines that do other things as well.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      reporters: ['default', ['./scripts/test-reporter.ts', { missing, quick }]],
      projects: [
        { test: part('unit', [WITHOUT_DATABASE]) },
        onDatabase('sqlite'),
        ...(postgres ? [onDatabase('postgres')] : []),
        ...(findChromium() && !quick ? [inBrowser] : []),
        ...(postgres && findPgbouncer() && !quick ? [onDatabase('pooler', BEHIND_A_POOLER)] : []),
      ],
    },
  }
})
