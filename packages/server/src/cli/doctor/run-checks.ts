import { shift } from '../../core/clock.ts'
import { codeState, type Database, type Db, findMalformedText, runText, statementNumber, tableDifferences } from '../../db/index.ts'
import { findWrongRollups } from '../../modules/analytics/index.ts'
import type { Storage } from '../../storage/index.ts'
import { CHECKS, type Check } from './checks.ts'
import { checkMedia } from './media.ts'
import { findStaleHtml } from './rendering.ts'

const EXAMPLES = 5
/** While a server runs, due work starts within this time. */
const LATE_S = 60

export interface Violation {
  readonly check: string
  readonly about: string
  readonly count: number
  readonly examples: readonly (string | number)[]
}

export interface Findings {
  readonly checked: readonly string[]
  readonly violations: readonly Violation[]
  readonly warnings: readonly string[]
}

export interface CheckOptions {
  readonly now: string
  /** The maximum number of feeds, and of comments, to render for comparison. */
  readonly sample: number
  /** File storage; files are checked only if it is given. */
  readonly storage?: Storage
}

/** A check that ran, with the ids of its violations. */
type Result = readonly [check: string, about: string, ids: readonly (string | number)[]]

export const offenders = async (db: Db, { find }: Check, now: string): Promise<(string | number)[]> =>
  (await runText<{ id: string | number }>(db, find, find.includes('$1') ? [now] : [])).map((row) => row.id)

const parked = statementNumber(`select count(*) as n from jobs where status = 'parked'`)
const late = statementNumber(
  `select (select count(*) from jobs where status = 'ready' and run_at < $1 and attempts = 0)
     + (select count(*) from pending_events p join events e on e.id = p.event_id where e.created_at < $1) as n`,
)
const unpublished = statementNumber(
  `select count(*) as n from feeds f left join scheduled_posts p on p.feed_id = f.id
   where f.status = 'scheduled' and f.scheduled_at < $1 and coalesce(p.auto_publish, 1) = 1`,
)
const expired = statementNumber('select count(*) as n from feeds where listed = 1 and expired_at < $1')
const admins = statementNumber(
  `select count(*) as n from managers m join users u on u.id = m.user_id
   where m.role = 'admin' and m.status = 'active' and u.status = 'active'`,
)
/** Accounts with a password or an application password. */
const accounts = statementNumber(
  'select count(*) as n from users u where u.password_hash is not null or exists (select 1 from application_passwords p where p.user_id = u.id)',
)

const several = (number: number, one: string, many: string, rest: string) =>
  number === 0 ? [] : [`${number} ${number === 1 ? one : many}${rest}`]

const warningsAt = async (db: Db, now: string): Promise<string[]> => {
  const since = shift(now, -LATE_S)
  return [
    ...several(await parked(db), 'job failed', 'jobs failed', '; see "lyceum jobs"'),
    ...several(await late(db, [since]), 'job waits', 'jobs wait', ' for more than a minute; does a server run?'),
    ...several(await unpublished(db, [since]), 'scheduled feed is', 'scheduled feeds are', ' overdue; does a server run?'),
    ...several(await expired(db, [since]), 'expired feed is', 'expired feeds are', ' still in lists; does a server run?'),
  ]
}

const checkSchema = async (db: Db) => {
  const { newer, missing, different, leftover } = await codeState(db)
  const tables = await tableDifferences(db)
  return {
    tables: tables.missing.map((name) => `${name} is missing`),
    triggers:
      newer !== null
        ? []
        : [
            ...missing.map((name) => `${name} is missing`),
            ...different.map((name) => `${name} differs`),
            ...leftover.map((name) => `${name} is obsolete`),
          ],
    warnings: [
      ...(newer === null ? [] : ['a newer version has installed its triggers; they stay']),
      ...(tables.unknown.length === 0 ? [] : [`unknown to this version: ${tables.unknown.join(', ')}`]),
    ],
  }
}

/** Checks one snapshot of the data; a server may be running. */
export const runChecks = async (database: Database, { now, sample, storage }: CheckOptions): Promise<Findings> => {
  const { results, warnings, hasAdmin } = await database.snapshot(async (db) => {
    const schema = await checkSchema(db)
    const results: Result[] = [
      ['tables', 'tables, columns and indexes match this version', schema.tables],
      ['triggers', 'the triggers match this version', schema.triggers],
    ]
    for (const check of CHECKS) results.push([check.name, check.about, await offenders(db, check, now)])
    const stale = await findStaleHtml(db, sample)
    results.push(
      ['well_formed_text', 'every text is well-formed UTF-8 without NUL', await findMalformedText(db)],
      ['analytics_figures', 'the analytics rollups match their source rows', await findWrongRollups(db)],
      ['feed_html', 'the stored HTML of a feed matches its text', stale.feeds],
      ['comment_html', 'the stored HTML of a comment matches its text', stale.comments],
    )
    const warnings = [...schema.warnings, ...(await warningsAt(db, now))]
    const isNew = (await accounts(db)) === 0
    const hasAdmin = (await admins(db)) > 0
    if (isNew && !hasAdmin) warnings.push('the community has no administrator yet')
    return { results, warnings, hasAdmin: hasAdmin || isNew }
  })
  const files = storage && (await checkMedia(database.read, storage))
  const all: Result[] = [
    ['database', 'the integrity check of the database passes', await database.integrity()],
    ...(files ? [['media_files', 'every file with a row exists in its storage', files.missing] as const] : []),
    ...results,
  ]
  const violations = all.map(([check, about, ids]) => ({ check, about, count: ids.length, examples: ids.slice(0, EXAMPLES) }))
  violations.push({
    check: 'administrator',
    about: 'at least one active account is an administrator',
    count: hasAdmin ? 0 : 1,
    examples: [],
  })
  return {
    checked: violations.map(({ check }) => check),
    violations: violations.filter(({ count }) => count > 0),
    warnings: [
      ...warnings,
      ...(files?.unavailable ? ['the file storage is not available'] : []),
      ...several(files?.strays.length ?? 0, 'stored file is orphaned', 'stored files are orphaned', '; a server removes them within a day'),
    ],
  }
}
