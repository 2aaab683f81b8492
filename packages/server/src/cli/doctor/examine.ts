import { shift } from '../../core/clock.ts'
import {
  type CodeState,
  codeState,
  type Database,
  type Db,
  findMalformedText,
  runText,
  statementOne,
  tableDifferences,
} from '../../db/index.ts'
import { findWrongRollups } from '../../modules/analytics/index.ts'
import type { Storage } from '../../storage/index.ts'
import type { Check } from './check.ts'
import { CHECKS } from './checks.ts'
import { examineMedia } from './media.ts'
import { findStaleHtml } from './rendering.ts'

const EXAMPLES = 5
/** While a server runs, due work starts within this time. */
const LATE_S = 60

export interface Violation {
  readonly check: string
  readonly about: string
  readonly count: number
  /** Ids of some violations. */
  readonly examples: readonly (string | number)[]
}

export interface Findings {
  readonly checked: readonly string[]
  readonly violations: readonly Violation[]
  readonly warnings: readonly string[]
}

interface ExamineOptions {
  readonly now: string
  /** The maximum number of feeds, and of comments, to render for comparison. */
  readonly sample: number
  /** File storage; files are checked only if it is given. */
  readonly storage?: Storage
}

const found = (check: string, about: string, ids: readonly (string | number)[]): Violation[] =>
  ids.length > 0 ? [{ check, about, count: ids.length, examples: ids.slice(0, EXAMPLES) }] : []

/** The ids of all violations of a check. */
export const offenders = async (db: Db, { find, timed }: Check, now: string): Promise<(string | number)[]> =>
  (await runText<{ id: string | number }>(db, find, timed ? [now] : [])).map((row) => row.id)

const count = (text: string) => {
  const run = statementOne<{ count: number }>(text)
  return async (db: Db, values: readonly string[]) => (await run(db, values))?.count ?? 0
}

const parked = count(`select count(*) as count from jobs where status = 'parked'`)
const late = count(
  `select (select count(*) from jobs where status = 'ready' and run_at < $1 and attempts = 0)
     + (select count(*) from pending_events p join events e on e.id = p.event_id where e.created_at < $1) as count`,
)
const unpublished = count(
  `select count(*) as count from feeds f left join scheduled_posts p on p.feed_id = f.id
   where f.status = 'scheduled' and f.scheduled_at < $1 and coalesce(p.auto_publish, 1) = 1`,
)
const expired = count('select count(*) as count from feeds where listed = 1 and expired_at < $1')
const admins = count(
  `select count(*) as count from managers m join users u on u.id = m.user_id
   where m.role = 'admin' and m.status = 'active' and u.status = 'active'`,
)
/** Accounts with a password or an application password. */
const accounts = count(
  'select count(*) as count from users u where u.password_hash is not null or exists (select 1 from application_passwords p where p.user_id = u.id)',
)

const several = (number: number, one: string, many: string) => (number === 0 ? [] : [`${number} ${number === 1 ? one : many}`])

const warningsAt = async (db: Db, now: string): Promise<string[]> => {
  const since = shift(now, -LATE_S)
  return [
    ...several(await parked(db, []), 'job failed', 'jobs failed').map((text) => `${text}; see "lyceum jobs"`),
    ...several(await late(db, [since]), 'job waits', 'jobs wait').map((text) => `${text} for more than a minute; does a server run?`),
    ...several(await unpublished(db, [since]), 'scheduled feed is', 'scheduled feeds are').map(
      (text) => `${text} overdue; does a server run?`,
    ),
    ...several(await expired(db, [since]), 'expired feed is', 'expired feeds are').map(
      (text) => `${text} still in lists; does a server run?`,
    ),
  ]
}

/** Differences of tables and triggers from this version. */
interface SchemaFindings {
  readonly tables: readonly string[]
  readonly triggers: readonly string[]
  readonly warnings: readonly string[]
}

const wrongTriggers = ({ newer, missing, different, leftover }: CodeState): string[] =>
  newer !== null
    ? []
    : [
        ...missing.map((name) => `${name} is missing`),
        ...different.map((name) => `${name} differs`),
        ...leftover.map((name) => `${name} is obsolete`),
      ]

const examineSchema = async (db: Db): Promise<SchemaFindings> => {
  const state = await codeState(db)
  const { missing, unknown } = await tableDifferences(db)
  return {
    tables: missing.map((name) => `${name} is missing`),
    triggers: wrongTriggers(state),
    warnings: [
      ...(state.newer === null ? [] : ['a newer version has installed its triggers; they stay']),
      ...(unknown.length === 0 ? [] : [`unknown to this version: ${unknown.join(', ')}`]),
    ],
  }
}

/** Checks one snapshot of the data; a server may be running. */
export const examine = async (database: Database, { now, sample, storage }: ExamineOptions): Promise<Findings> => {
  const findings = await database.snapshot(async (db) => {
    const violations: Violation[] = []
    const schema = await examineSchema(db)
    violations.push(...found('tables', 'tables, columns and indexes match this version', schema.tables))
    violations.push(...found('triggers', 'the triggers match this version', schema.triggers))
    for (const check of CHECKS) violations.push(...found(check.name, check.about, await offenders(db, check, now)))
    violations.push(...found('well_formed_text', 'every text is well-formed UTF-8 without NUL', await findMalformedText(db)))
    violations.push(...found('analytics_figures', 'the analytics rollups match their source rows', await findWrongRollups(db)))
    const stale = await findStaleHtml(db, sample)
    violations.push(...found('feed_html', 'the stored HTML of a feed matches its text', stale.feeds))
    violations.push(...found('comment_html', 'the stored HTML of a comment matches its text', stale.comments))
    const warnings = [...schema.warnings, ...(await warningsAt(db, now))]
    if ((await admins(db, [])) === 0) {
      if ((await accounts(db, [])) === 0) warnings.push('the community has no administrator yet')
      else violations.push({ check: 'administrator', about: 'at least one active account is an administrator', count: 1, examples: [] })
    }
    return { violations, warnings }
  })
  const files = storage && (await examineMedia(database.read, storage))
  const lost = found('media_files', 'every file with a row exists in its storage', files?.missing ?? [])
  const damages = found('database', 'the integrity check of the database passes', await database.integrity())
  return {
    checked: [
      ...CHECKS.map((check) => check.name),
      'tables',
      'triggers',
      'well_formed_text',
      'analytics_figures',
      'feed_html',
      'comment_html',
      'administrator',
      'database',
      ...(files ? ['media_files'] : []),
    ],
    violations: [...damages, ...lost, ...findings.violations],
    warnings: [
      ...findings.warnings,
      ...(files?.unavailable ? ['the file storage is not available'] : []),
      ...several(files?.strays.length ?? 0, 'stored file is orphaned', 'stored files are orphaned').map(
        (text) => `${text}; a server removes them within a day`,
      ),
    ],
  }
}
