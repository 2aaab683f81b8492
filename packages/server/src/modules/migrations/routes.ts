import { api, MIGRATION_SOURCES, type MigrationSource, type Routes } from '@lyceum/contract'
import type { ReadContext, ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { type AccessCheck, type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { couldBeReached } from '../../outbound/index.ts'
import { audit } from '../audit/index.ts'
import { requireSettings } from '../settings/index.ts'
import { dropFiles, dropSite, filesOf, firstErrors, insertFile, latestRun, reportPage, saveSite, siteOf } from './repository.ts'
import { assertNoneRuns, decryptPassword, encryptPassword, launchImport, removeFiles, startRun, storeFile } from './runs.ts'
import { itemsOf, PLATFORMS } from './sources.ts'
import { availableItems, DEFAULT_OPTIONS, viewRun, viewSource } from './view.ts'

/** Imports concern the whole community. @throws rest_forbidden */
const checkAccess: AccessCheck<Routes[string]> = async ({ actor }) => actor && requireSettings(actor)
export const migrationAccess = Object.fromEntries(Object.keys(api.migrations).map((name) => [name, checkAccess]))

type Run = (ctx: ReadRequest, ...rest: unknown[]) => Promise<unknown>
const guard =
  (run: Run): Run =>
  async (ctx, ...rest) => {
    requireSettings(ctx.actor)
    return run(ctx, ...rest)
  }
/** The handlers, each for callers with access to the settings of the whole community. */
const guarded = (all: Handlers<typeof api.migrations>) =>
  Object.fromEntries(
    Object.entries(all).map(([name, handler]) => [
      name,
      typeof handler === 'function' ? guard(handler as Run) : { ...handler, prepare: guard(handler.prepare as unknown as Run) },
    ]),
  ) as unknown as Handlers<typeof api.migrations>

const configOf = async ({ db }: Pick<ReadContext, 'db'>, source: MigrationSource) => {
  const [run, site, files] = await Promise.all([latestRun(db, [source]), siteOf(db, [source]), filesOf(db, [source])])
  return {
    config: {
      available_items: availableItems(source, run),
      options: DEFAULT_OPTIONS,
      warnings: [...PLATFORMS[source].warnings],
      files: files.map(({ id, file_name, size, created_at }) => ({ id, file_name, size, created_at })),
      url: site?.url ?? null,
      username: site?.username ?? null,
    },
  }
}

const invalidSite = (message: string) => new ApiError('invalid_url', { message, data: { field: 'url' } })

const statusOf = async ({ db, now }: Pick<ReadRequest, 'db' | 'now'>, source: MigrationSource) => {
  const run = await latestRun(db, [source])
  if (!run) return { status: 'available' as const, migration: null }
  return { status: run.status, migration: viewRun(run, now, await firstErrors(db, [run.id])) }
}

const handlers: Handlers<typeof api.migrations> = {
  list: async ({ db }) => ({
    migrations: await Promise.all(
      MIGRATION_SOURCES.map(async (source) => {
        const [run, site, files] = await Promise.all([latestRun(db, [source]), siteOf(db, [source]), filesOf(db, [source])])
        return viewSource(source, run, site !== undefined || files.length > 0)
      }),
    ),
  }),

  config: (ctx, { params }) => configOf(ctx, params.source),

  saveConfig: prepared(
    api.migrations.saveConfig,
    async ({ services }, { params, body }) => {
      if (body.url === '') return
      if (!PLATFORMS[params.source].site) throw invalidSite('This platform is imported from files.')
      if (!(await couldBeReached(body.url, services.config.outboundAllow))) throw invalidSite('url must be a public https URL.')
    },
    async (ctx, { params: { source }, body }) => {
      const { db, services } = ctx
      await assertNoneRuns(ctx)
      if (body.url === '') await dropSite(db, [source])
      else {
        const before = await siteOf(db, [source])
        // A stored password is only for the site that it was entered for.
        const kept = before?.url === body.url ? decryptPassword(services, source, before.password) : ''
        const password = encryptPassword(services, source, body.application_password ?? kept ?? '')
        await saveSite(db, [source, body.url, body.username ?? before?.username ?? '', password])
      }
      await audit(ctx, 'migration.configured', { object_type: 'migration', object_id: null, details: { source, url: body.url } })
      return configOf(ctx, source)
    },
  ),

  addFile: prepared(
    api.migrations.addFile,
    async (ctx, { file }) => {
      if (!file || file.size === 0) {
        throw new ApiError('missing_required_field', { message: 'The upload contains no file.', data: { field: 'file' } })
      }
      return { path: await storeFile(ctx.services, file), file }
    },
    async (ctx, { params: { source } }, { path, file }) => {
      await assertNoneRuns(ctx)
      const name = file.name.replace(/^.*[\\/]/, '').slice(0, 200) || 'file'
      await insertFile(ctx.db, [source, name, file.size, ctx.services.storage.current.kind, path, ctx.now])
      await audit(ctx, 'migration.configured', { object_type: 'migration', object_id: null, details: { source, file: name } })
      return configOf(ctx, source)
    },
  ),

  removeFiles: async (ctx, { params: { source } }) => {
    await assertNoneRuns(ctx)
    await removeFiles(ctx.services, ctx.db, source)
    await dropFiles(ctx.db, [source])
    await audit(ctx, 'migration.configured', { object_type: 'migration', object_id: null, details: { source, files: 0 } })
    return configOf(ctx, source)
  },

  start: async (ctx, { params: { source }, body }) => {
    const items = itemsOf(source, body.items)
    if (!items) throw new ApiError('invalid_items', { data: { field: 'items', allowed_values: [...PLATFORMS[source].items] } })
    const dryRun = body.dry_run ?? false
    const run = await startRun(ctx, { source, items, dryRun, map: { ...body.map, options: body.options ?? {} } })
    await audit(ctx, 'migration.started', { object_type: 'migration', object_id: run.id, details: { source, items, dry_run: dryRun } })
    await ctx.enqueue(launchImport.name, { run_id: run.id })
    return { message: dryRun ? 'The dry run was started.' : 'The import was started.', migration: viewRun(run, ctx.now) }
  },

  status: (ctx, { params }) => statusOf(ctx, params.source),

  report: async ({ db }, { params, query }) => {
    const { page = 1, per_page = 100 } = query
    const run = await latestRun(db, [params.source])
    if (!run) return { data: [], meta: pagination(0, page, per_page) }
    const { rows, total } = await reportPage(db, run.id, pageOf({ page, per_page }))
    return {
      data: rows.map(({ item, foreign_id, outcome, reason }) => ({ item, id: foreign_id, outcome, reason })),
      meta: pagination(total, page, per_page),
    }
  },
}

export const migrationHandlers = guarded(handlers)
