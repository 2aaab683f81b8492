import { AsyncLocalStorage } from 'node:async_hooks'
import { CACHE_TAG_RULES } from './cache-tags.ts'

/** Tables whose changes invalidate the tag `table:NAME`. */
export const TAGGED_TABLES = [
  'achievements',
  'activities',
  'application_passwords',
  'bookmarks',
  'comments',
  'content_revisions',
  'course_categories',
  'course_completions',
  'course_prerequisites',
  'course_sections',
  'courses',
  'enrolments',
  'feed_links',
  'feed_topics',
  'feeds',
  'followers',
  'former_usernames',
  'leaderboard_levels',
  'lesson_completions',
  'lessons',
  'listed_feed_counts',
  'manager_spaces',
  'managers',
  'media',
  'moderation_config',
  'moderation_holds',
  'notification_actors',
  'notification_preferences',
  'notifications',
  'points_config',
  'quiz_attempts',
  'quiz_versions',
  'quizzes',
  'reactions',
  'reports',
  'score_periods',
  'settings',
  'space_groups',
  'space_members',
  'spaces',
  'survey_options',
  'survey_votes',
  'surveys',
  'topic_spaces',
  'topics',
  'user_name_tokens',
  'users',
] as const

/**
 * Tables without such a tag: they are internal, or change with nearly every write. What reads them is not cached, unless one of its tags
 * covers them.
 */
export const UNTAGGED_TABLES = [
  'analytics_hourly_rollups',
  'analytics_member_rollups',
  'analytics_outbox',
  'analytics_space_rollups',
  'analytics_state',
  'audit_log',
  'backups',
  'contribution_counts',
  'daily_scores',
  'data_exports',
  'digest_schedules',
  'events',
  'feed_index_changelog',
  'feed_search',
  'idempotency_keys',
  'import_files',
  'import_map',
  'import_report',
  'import_runs',
  'import_sites',
  'jobs',
  'notification_deliveries',
  'pending_events',
  'period_scores',
  'points_ledger',
  'points_unfolded',
  'push_subscriptions',
  'redirects',
  'scheduled_posts',
  'sessions',
  'sign_in_failures',
  'signups',
  'tokens',
  'username_aliases',
  'webhook_deliveries',
  'webhook_events',
  'webhooks',
] as const

const tagged: ReadonlySet<string> = new Set(TAGGED_TABLES)
const tables: ReadonlySet<string> = new Set([...TAGGED_TABLES, ...UNTAGGED_TABLES])

export const isTable = (name: string): boolean => tables.has(name)

/** The beginning of the tag of a table as a whole. */
export const TABLE_TAG = 'table:'

/** The tag of a table as a whole; null if it has none. */
export const tableTag = (table: string): string | null => (tagged.has(table) ? TABLE_TAG + table : null)

/** Tags of who may see something. They do not tell what is seen, so they cover no table. */
const NOT_COVERING: ReadonlySet<string> = new Set(['account', 'sight'])

const covered = new Map<string, Set<string>>()
for (const { table, tags, alsoCovers = [] } of CACHE_TAG_RULES)
  for (const kind of Object.keys(tags))
    if (!NOT_COVERING.has(kind)) covered.set(kind, new Set([...(covered.get(kind) ?? []), table, ...alsoCovers]))

const NOTHING: ReadonlySet<string> = new Set()

/** The tables that tags of a kind cover: an entry with such a tag needs no tag of the table. */
export const tablesCoveredBy = (tag: string): ReadonlySet<string> => {
  const end = tag.indexOf(':')
  return covered.get(end < 0 ? tag : tag.slice(0, end)) ?? NOTHING
}

/** Collects the tables that statements read. */
export interface ReadRecorder {
  readonly tables: Set<string>
}

const recorders = new AsyncLocalStorage<ReadRecorder | null>()
/** Without a running recorder, a statement costs one comparison. */
let running = 0

/** Runs `work`; the tables that its statements read are added to `recorder`. */
export const recordReads = async <T>(recorder: ReadRecorder, work: () => T | Promise<T>): Promise<T> => {
  running += 1
  try {
    return await recorders.run(recorder, work)
  } finally {
    running -= 1
  }
}

/** The recorder of the work that is running. */
export const currentRecorder = (): ReadRecorder | null | undefined => (running > 0 ? recorders.getStore() : undefined)

/** Each database connection calls it with the text of each statement. */
export const recordStatement = (sql: string): void => {
  if (running === 0) return
  const recorder = recorders.getStore()
  if (recorder) for (const table of tablesReadBy(sql)) recorder.tables.add(table)
}

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|"(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_.]*|[(),]/g
/** Words that may stand between `from` or `join` and a table. */
const BEFORE_TABLE = new Set(['only', 'lateral'])
/** Words that end the list of tables of a `from`. */
const CLAUSES = new Set(['where', 'group', 'order', 'having', 'limit', 'union', 'except', 'intersect', 'select', 'values', 'returning'])

const parse = (sql: string): readonly string[] => {
  const found = new Set<string>()
  // One level per open parenthesis: whether it is inside the list of tables of a `from`.
  const levels = [false]
  let expected = false
  let before = ''
  for (const [text] of sql.matchAll(TOKEN)) {
    const token = (text.startsWith('"') ? text.slice(1, -1) : text).toLowerCase()
    if (token === '(') levels.push(expected)
    else if (token === ')') {
      if (levels.length > 1) levels.pop()
      expected = false
    } else if (token === ',') expected = levels.at(-1) === true
    else if (token === 'from' || token === 'join') {
      // `is distinct from x` compares.
      expected = before !== 'distinct'
      if (expected) levels[levels.length - 1] = true
    } else if (CLAUSES.has(token)) {
      levels[levels.length - 1] = false
      expected = false
    } else if (expected && !BEFORE_TABLE.has(token)) {
      found.add(token)
      expected = false
    }
    before = token
  }
  return [...found].filter(isTable)
}

const known = new Map<string, readonly string[]>()
const MAX_TEXTS = 4000

/** The tables that a statement reads: those in its `from` and `join` clauses. A common table expression with the name of a table counts as well. */
export const tablesReadBy = (sql: string): readonly string[] => {
  const before = known.get(sql)
  if (before) return before
  if (known.size >= MAX_TEXTS) known.clear()
  const tables = parse(sql)
  known.set(sql, tables)
  return tables
}
