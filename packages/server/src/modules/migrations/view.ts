import { type api, MIGRATION_ITEMS, type MigrationItem, type MigrationSource, type ResponseOf } from '@lyceum/contract'
import type { ImportRunRow } from '../../db/index.ts'
import type { ReportRow, RunProgress } from './repository.ts'
import { KINDS, PLATFORMS } from './sources.ts'

type Run = NonNullable<ResponseOf<typeof api.migrations.status>['migration']>
type Result = NonNullable<Run['results']>[string]

/** Outcome of an import, as its process reports it. */
export interface RunResults {
  readonly kinds: Readonly<Record<string, Readonly<Record<'total' | 'imported' | 'unchanged' | 'changed' | 'skipped' | 'failed', number>>>>
  readonly audiences: NonNullable<Run['audiences']>
  readonly leftOut: Readonly<Record<string, number>>
}

const LABELS: Readonly<Record<MigrationItem, readonly [string, string]>> = {
  people: ['People', 'Accounts with profiles, roles, passwords and follows.'],
  spaces: ['Spaces', 'Spaces with their groups, members, join requests and topics.'],
  posts: ['Posts', 'Posts of every status, with surveys and votes.'],
  comments: ['Comments', 'Comments and replies.'],
  reactions: ['Reactions', 'Reactions and bookmarks.'],
  media: ['Files', 'Pictures and files of posts, comments and profiles.'],
  courses: ['Courses', 'Courses with lessons, quizzes, students and their progress.'],
}

export const DEFAULT_OPTIONS = { migrate_avatars: true, migrate_cover_images: true, preserve_dates: true, skip_existing: true }

const parse = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
const seconds = (from: string, to: string) => Math.max(0, Math.round((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 1000))
const percent = (completed: number, total: number) => (total === 0 ? 100 : Math.min(100, Math.floor((completed * 100) / total)))

/** Sums of the kinds of each item that has any. */
const perItem = <N extends string>(kinds: Readonly<Record<string, Readonly<Record<N, number>>>>, names: readonly N[]) =>
  Object.fromEntries(
    MIGRATION_ITEMS.flatMap((item) => {
      const present = KINDS[item].flatMap((kind) => kinds[kind] ?? [])
      if (present.length === 0) return []
      return [
        [item, Object.fromEntries(names.map((name) => [name, present.reduce((sum, kind) => sum + kind[name], 0)])) as Record<N, number>],
      ]
    }),
  )

/** Number of records per item as of the latest run. */
export const countsOf = (run: ImportRunRow | undefined): Record<string, number> => {
  if (!run) return {}
  const { kinds } = parse<RunProgress>(run.progress) ?? { kinds: {} }
  return Object.fromEntries(Object.entries(perItem(kinds, ['total'])).map(([item, { total }]) => [item, total]))
}

const resultsOf = ({ kinds, audiences, leftOut }: RunResults): Pick<Run, 'results' | 'audiences' | 'left_out'> => {
  const sums = perItem(kinds, ['total', 'imported', 'unchanged', 'changed', 'skipped', 'failed'])
  const results = Object.entries(sums).map(([item, { imported, ...rest }]): [string, Result] => [
    item,
    { ...rest, migrated: imported + rest.changed + rest.unchanged },
  ])
  return { results: Object.fromEntries(results), audiences, left_out: { ...leftOut } }
}

export const viewRun = (run: ImportRunRow, now: string, errors: readonly ReportRow[] = []): Run => {
  const { step, kinds } = parse<RunProgress>(run.progress) ?? { step: '', kinds: {} }
  const sums = perItem(kinds, ['total', 'completed'])
  const all = Object.values(sums)
  const total = all.reduce((sum, item) => sum + item.total, 0)
  const completed = all.reduce((sum, item) => sum + item.completed, 0)
  const elapsed = seconds(run.started_at, now)
  const running = run.status === 'in_progress'
  const results = parse<RunResults>(run.results)
  return {
    id: run.id,
    status: run.status,
    dry_run: run.dry_run === 1,
    started_at: run.started_at,
    items_to_migrate: countsOf(run),
    progress: Object.fromEntries(
      Object.entries(sums).map(([item, sum]) => [item, { ...sum, percentage: percent(sum.completed, sum.total) }]),
    ),
    ...(running && { current_step: MIGRATION_ITEMS.find((item) => (KINDS[item] as readonly string[]).includes(step)) ?? 'preparation' }),
    ...(running && completed > 0 && { estimated_time_remaining: Math.round((elapsed * (total - completed)) / completed) }),
    ...(run.completed_at !== null && { completed_at: run.completed_at, duration: seconds(run.started_at, run.completed_at) }),
    ...(results && resultsOf(results)),
    ...(!running && {
      errors: [
        ...(run.error === null ? [] : [{ item: 'import', id: '', error: run.error }]),
        ...errors.map(({ item, foreign_id, reason }) => ({ item, id: foreign_id, error: reason })),
      ],
    }),
  }
}

export const viewSource = (source: MigrationSource, run: ImportRunRow | undefined, isReady: boolean) => {
  const { name, description, items } = PLATFORMS[source]
  const status =
    run?.status === 'in_progress'
      ? ('in_progress' as const)
      : run?.status === 'completed' && !run.dry_run
        ? ('completed' as const)
        : ('available' as const)
  return { id: source, name, description, status, is_installed: isReady, supported_items: [...items], estimated_items: countsOf(run) }
}

export const availableItems = (source: MigrationSource, run: ImportRunRow | undefined) => {
  const counts = countsOf(run)
  return Object.fromEntries(
    PLATFORMS[source].items.map((item) => {
      const [label, description] = LABELS[item]
      return [item, { label, count: counts[item] ?? 0, description }]
    }),
  )
}
