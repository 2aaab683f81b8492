import { route } from '../route.ts'
import { Count, Datetime, Id, named, nullable, oneOf, Pagination, paging } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

/** Platforms that a community can come from. */
export const MIGRATION_SOURCES = ['fluentcommunity', 'buddypress', 'nodebb', 'discourse', 'csv', 'lyceum'] as const
export type MigrationSource = (typeof MIGRATION_SOURCES)[number]
/** What can be imported. */
export const MIGRATION_ITEMS = ['people', 'spaces', 'posts', 'comments', 'reactions', 'media', 'courses'] as const
export type MigrationItem = (typeof MIGRATION_ITEMS)[number]
/** Names of the original for items of `buddypress`. */
export const MIGRATION_ALIASES = ['groups', 'members', 'activities'] as const

const source = oneOf(MIGRATION_SOURCES, { description: 'The platform that the community comes from.' })
const params = Type.Object({ source })
const items = (description: string) => Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: Count, description })
const results = <const P extends Readonly<Record<string, string>>>(parts: P) =>
  Object.fromEntries(Object.entries(parts).map(([name, description]) => [name, Type.Integer({ minimum: 0, description })]))

const Migration = named('Migration', {
  id: source,
  name: Type.String({ description: 'Name of the platform.' }),
  description: Type.String({ description: 'What can be imported from it.' }),
  status: oneOf(['available', 'in_progress', 'completed'], { description: 'State of the latest import from it.' }),
  is_installed: Type.Boolean({ description: 'Whether files or a site are configured for it.' }),
  supported_items: Type.Array(Type.String(), { description: 'What can be imported.' }),
  estimated_items: items('Number of records per item in the latest import or dry run; empty before.'),
})

const MigrationFile = named('MigrationFile', {
  id: Id,
  file_name: Type.String({ description: 'Name of the file.' }),
  size: Type.Integer({ minimum: 0, description: 'Size in bytes.' }),
  created_at: Datetime,
})

const options = {
  migrate_avatars: Type.Boolean({ default: true, description: 'Whether to import avatars.' }),
  migrate_cover_images: Type.Boolean({ default: true, description: 'Whether to import cover photos.' }),
  preserve_dates: Type.Boolean({ default: true, description: 'Always true: times are those of the source.' }),
  skip_existing: Type.Boolean({ default: true, description: 'Always true: what was changed here is kept.' }),
}

const MigrationConfig = named('MigrationConfig', {
  available_items: Type.Unsafe<Record<string, { label: string; count: number; description: string }>>({
    type: 'object',
    additionalProperties: Type.Object({ label: Type.String(), count: Count, description: Type.String() }),
    description: 'What can be imported, with the number of records in the latest import or dry run.',
  }),
  options: Type.Object(options, { description: 'Default options of an import.' }),
  warnings: Type.Array(Type.String(), { description: 'What to know before the import.' }),
  files: Type.Array(MigrationFile, { description: 'Uploaded files, which the next import uses.' }),
  url: nullable(Type.String({ description: 'URL of the site that the next import reads; null to read the files.' })),
  username: nullable(Type.String({ description: 'Account of an administrator of that site.' })),
})

const ItemProgress = Type.Object({
  total: Count,
  completed: Type.Integer({ minimum: 0, description: 'Number of records that are done.' }),
  percentage: Type.Integer({ minimum: 0, maximum: 100, description: 'Completed part in percent.' }),
})
const ItemResult = Type.Object(
  results({
    total: 'Number of records of the source.',
    migrated: 'Number of records that are imported: new, changed or unchanged.',
    unchanged: 'Number of records that an earlier import brought, and that have not changed since.',
    changed: 'Number of records that this import updated.',
    skipped: 'Number of records that were left out.',
    failed: 'Number of records with an error.',
  }),
)
const byItem = <S>(value: unknown, description: string) =>
  Type.Unsafe<Record<string, S>>({ type: 'object', additionalProperties: value, description })

const MigrationRun = named('MigrationRun', {
  id: Id,
  status: oneOf(['in_progress', 'completed', 'failed']),
  dry_run: Type.Boolean({ description: 'Whether nothing is written.' }),
  started_at: Datetime,
  items_to_migrate: items('Number of records per item.'),
  progress: byItem<{ total: number; completed: number; percentage: number }>(ItemProgress, 'Progress per item.'),
  current_step: Type.Optional(Type.String({ description: 'The item that is being imported.' })),
  estimated_time_remaining: Type.Optional(Type.Integer({ minimum: 0, description: 'Estimated seconds until the end.' })),
  completed_at: Type.Optional(Datetime),
  duration: Type.Optional(Type.Integer({ minimum: 0, description: 'Seconds.' })),
  results: Type.Optional(
    byItem<Record<'total' | 'migrated' | 'unchanged' | 'changed' | 'skipped' | 'failed', number>>(ItemResult, 'Results per item.'),
  ),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        item: Type.String({ description: 'Kind of the record.' }),
        id: Type.String({ description: 'Id at the source.' }),
        error: Type.String({ description: 'What was wrong.' }),
      }),
      {
        description: 'The first errors; the report has all.',
      },
    ),
  ),
  audiences: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(Type.String({ description: 'Id of the space at the source, for `map`.' })),
        space: Type.String({ description: 'Title of the space.' }),
        privacy: oneOf(['public', 'private', 'secret']),
        source_privacy: Type.Optional(oneOf(['public', 'private', 'secret'], { description: 'Privacy at the source.' })),
        members: Count,
        posts: Count,
      }),
      { description: 'Who will see each space.' },
    ),
  ),
  left_out: Type.Optional(items('What the source has that cannot be imported, such as private messages.')),
})

const ReportEntry = named('MigrationReportEntry', {
  item: Type.String({ description: 'Kind of the record.' }),
  id: Type.String({ description: 'Id at the source.' }),
  outcome: oneOf(['skipped', 'failed'], { description: 'Whether it was left out, or could not be imported.' }),
  reason: Type.String({ description: 'Why it was not imported.' }),
})

const configured = Type.Object({ config: MigrationConfig })
const started = Type.Object({ message: Type.String(), migration: MigrationRun })
const errors = ['rest_forbidden'] as const

export const migrations = {
  list: route({
    method: 'GET',
    path: '/migrations',
    access: 'manage_settings',
    summary: 'List platforms to import from',
    description: 'For administrators, and managers with `manage_settings`, like all operations of this group.',
    response: Type.Object({ migrations: Type.Array(Migration, { description: 'The platforms.' }) }),
    errors,
  }),
  config: route({
    method: 'GET',
    path: '/migrations/{source}/config',
    access: 'manage_settings',
    summary: 'Get the configuration of an import',
    params,
    response: configured,
    errors,
  }),
  saveConfig: route({
    method: 'PUT',
    path: '/migrations/{source}/config',
    access: 'manage_settings',
    summary: 'Name a site to import from',
    description:
      'The import then reads the site over its REST API. An empty `url` removes the site. The application password is stored encrypted.',
    params,
    body: Type.Object({
      url: Type.String({ maxLength: 2048, description: 'An https URL of the site.' }),
      username: Type.Optional(Type.String({ maxLength: 200, description: 'Account of an administrator of that site.' })),
      application_password: Type.Optional(Type.String({ maxLength: 500, description: 'An application password of that account.' })),
    }),
    response: configured,
    errors: [...errors, 'invalid_url', 'migration_in_progress'],
  }),
  addFile: route({
    method: 'POST',
    path: '/migrations/{source}/files',
    access: 'manage_settings',
    consumes: 'multipart',
    writeLimit: 'uploads',
    summary: 'Upload a file to import',
    description:
      'A dump of the database, an archive, a CSV file or the uploads of the site; several calls for several files. They are deleted after the import. Files that are too large for an upload can be imported with the command `lyceum import`.',
    params,
    response: configured,
    status: 201,
    errors: [...errors, 'migration_in_progress', 'storage_full', 'service_unavailable'],
  }),
  removeFiles: route({
    method: 'DELETE',
    path: '/migrations/{source}/files',
    access: 'manage_settings',
    summary: 'Delete the uploaded files of an import',
    params,
    response: configured,
    errors: [...errors, 'migration_in_progress'],
  }),
  start: route({
    method: 'POST',
    path: '/migrations/{source}/start',
    access: 'manage_settings',
    summary: 'Start an import',
    description:
      'Imports in the background, beside the running community, without notifying anyone. Can be repeated: it then imports only what is new or changed at the source. With `dry_run` nothing is written, and the status says what would be imported and who would see it.',
    params,
    body: Type.Object({
      items: Type.Array(oneOf([...MIGRATION_ITEMS, ...MIGRATION_ALIASES]), {
        minItems: 1,
        maxItems: 20,
        description: 'What to import. `groups`, `members` and `activities` are spaces, people and posts with comments of `buddypress`.',
      }),
      options: Type.Optional(Type.Partial(Type.Object(options))),
      dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Whether to write nothing.' })),
      map: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'Assigns spaces and people of the source to those that exist here; see the guide.',
        }),
      ),
    }),
    fieldErrors: { items: 'invalid_items' },
    response: started,
    errors: [...errors, 'migration_in_progress', 'source_not_ready'],
  }),
  status: route({
    method: 'GET',
    path: '/migrations/{source}/status',
    access: 'manage_settings',
    summary: 'Get the status of an import',
    params,
    response: Type.Object({ status: oneOf(['available', 'in_progress', 'completed', 'failed']), migration: nullable(MigrationRun) }),
    errors,
  }),
  report: route({
    method: 'GET',
    path: '/migrations/{source}/report',
    access: 'manage_settings',
    summary: 'List what an import left out',
    params,
    query: Type.Object(paging(100, 1000)),
    response: Type.Object({ data: Type.Array(ReportEntry), meta: Pagination }),
    errors,
  }),
} as const
