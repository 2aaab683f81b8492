import { AsyncLocalStorage } from 'node:async_hooks'
import { CACHE_TAG_RULES, type CacheTagRule, columnsOfEvent } from './cache-tags.ts'
import { type ColumnRead, parseColumns } from './columns-read.ts'

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
const UNTAGGED_TABLES = [
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

/** By kind of tag and table: the columns of which every change invalidates the tag; null for all. */
const covered = new Map<string, Map<string, ReadonlySet<string> | null>>()

/** Ids do not change. Rows of a table whose rule has no `update` do not either. */
const columnsOf = (on: CacheTagRule['on']): readonly string[] | null => {
  if (on.includes('update')) return null
  const named = on.flatMap(columnsOfEvent)
  return named.length > 0 ? ['id', ...named] : null
}

const cover = (kind: string, table: string, columns: readonly string[] | null) => {
  const tables = covered.get(kind) ?? new Map<string, ReadonlySet<string> | null>()
  const before = tables.get(table)
  covered.set(kind, tables.set(table, columns && before !== null ? new Set([...(before ?? []), ...columns]) : null))
}

for (const { table, on, tags, alsoCovers = [] } of CACHE_TAG_RULES)
  for (const kind of Object.keys(tags)) {
    cover(kind, table, columnsOf(on))
    for (const other of alsoCovers) cover(kind, other, null)
  }

const isCovered = (kinds: Iterable<string>, table: string, column: string): boolean => {
  for (const kind of kinds) {
    const columns = covered.get(kind)?.get(table)
    if (columns === null || columns?.has(column)) return true
  }
  return false
}

/** By statement, kinds of tags and ignored names: the tables of which the statement reads a column that is not covered. */
const notCovered = new WeakMap<readonly ColumnRead[], Map<string, ReadonlySet<string>>>()

const findNotCovered = (kinds: ReadonlySet<string>, read: readonly ColumnRead[], ignored: ReadonlySet<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { table, alias, column } of read)
    if (!found.has(table) && !ignored.has(alias) && !ignored.has(table) && !isCovered(kinds, table, column)) found.add(table)
  return found
}

/** The tables of which a column was read that no kind of tag covers, except under an ignored name: an entry needs the tag of the table. */
export const tablesNotCovered = (
  kinds: ReadonlySet<string>,
  reads: Iterable<readonly ColumnRead[]>,
  ignored: ReadonlySet<string>,
): ReadonlySet<string> => {
  const key = `${[...kinds].join()} ${[...ignored].join()}`
  const found = new Set<string>()
  for (const read of reads) {
    const known = notCovered.get(read) ?? new Map<string, ReadonlySet<string>>()
    const tables = known.get(key) ?? findNotCovered(kinds, read, ignored)
    notCovered.set(read, known.set(key, tables))
    for (const table of tables) found.add(table)
  }
  return found
}

/** Collects what statements read. */
export interface ReadRecorder {
  readonly reads: Set<readonly ColumnRead[]>
}

const recorders = new AsyncLocalStorage<ReadRecorder | null>()
/** Without a running recorder, a statement costs one comparison. */
let running = 0

/** Runs `work`; what its statements read is added to `recorder`. With null, it is not recorded: other tags report its changes. */
export const recordReads = async <T>(recorder: ReadRecorder | null, work: () => T | Promise<T>): Promise<T> => {
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
  if (running > 0) recorders.getStore()?.reads.add(columnsReadBy(sql))
}

const known = new Map<string, readonly ColumnRead[]>()
const MAX_TEXTS = 4000

const columnsReadBy = (sql: string): readonly ColumnRead[] => {
  const before = known.get(sql)
  if (before) return before
  if (known.size >= MAX_TEXTS) known.clear()
  const read = parseColumns(sql, isTable)
  known.set(sql, read)
  return read
}
