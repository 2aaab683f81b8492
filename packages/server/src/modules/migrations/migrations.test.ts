import { MIGRATION_SOURCES } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { addReport, claimRun, dropFiles, endRun, filesOf, saveProgress } from './index.ts'

let world: World
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const NOW = '2026-03-10 12:00:00'
const dump = (text = 'create table wp_users (id int);') => new Blob([text])
const upload = (source: 'buddypress' | 'csv', name = 'site.sql') => admin.api.migrations.addFile({ source, file: dump(), filename: name })
const write = <T>(work: Parameters<typeof world.app.services.database.write<T>>[0]) => world.app.services.database.write(work)
const counted = (total: number, completed = total) => ({ total, completed })
const outcome = { total: 5, imported: 3, unchanged: 0, changed: 1, skipped: 1, failed: 0 }

/** Does what the process of the import does. */
const runTo = async (id: number, status: 'completed' | 'failed') => {
  const run = await write((db) => claimRun(db, [id, NOW]))
  const progress = JSON.stringify({ step: 'comments', kinds: { people: counted(5), comments: counted(10, 4) } })
  const results = { kinds: { people: outcome }, audiences: [], leftOut: { messages: 7 } }
  await write((db) => saveProgress(db, [id, progress, NOW]))
  await write((db) => addReport(db, id, [{ item: 'people', foreign_id: '12', outcome: 'skipped', reason: 'it has no address' }]))
  return {
    run,
    end: () => write((db) => endRun(db, [id, status, JSON.stringify(results), status === 'failed' ? 'the dump is damaged' : null, NOW])),
  }
}

describe('platforms', () => {
  it('are listed with what can be imported', async () => {
    const { migrations } = await admin.api.migrations.list()
    expect(migrations.map(({ id }) => id)).toEqual(MIGRATION_SOURCES)
    expect(migrations[1]).toMatchObject({ id: 'buddypress', status: 'available', is_installed: false, estimated_items: {} })
  })

  it('are for administrators and managers of all spaces with manage_settings', async () => {
    const manager = await world.member({ role: 'manager' })
    for (const who of [await world.member(), manager]) {
      await refused(who.api.migrations.list(), 403, 'rest_forbidden')
      await refused(who.api.migrations.addFile({ source: 'csv', file: dump(), filename: 'a.csv' }), 403, 'rest_forbidden')
    }
    await admin.raw('POST', '/admin/managers', { user_id: manager.id, role: 'manager', permissions: ['manage_settings'], spaces: null })
    expect((await manager.api.migrations.list()).migrations).toHaveLength(MIGRATION_SOURCES.length)
  })
})

describe('what to import', () => {
  it('is a site whose password is never returned', async () => {
    const site = { source: 'fluentcommunity', url: 'https://93.184.215.14', username: 'boss', application_password: 'abcd efgh' } as const
    const { config } = await admin.api.migrations.saveConfig(site)
    expect(config).toMatchObject({ url: site.url, username: 'boss', files: [] })
    expect(JSON.stringify(await admin.api.migrations.config({ source: 'fluentcommunity' }))).not.toContain('abcd')
    expect((await admin.api.migrations.list()).migrations[0]).toMatchObject({ is_installed: true })
    expect((await admin.api.migrations.saveConfig({ source: 'fluentcommunity', url: '' })).config.url).toBeNull()
  })

  it.each(['http://93.184.215.14', 'https://127.0.0.1', 'https://10.0.0.7', 'file:///etc/passwd', 'nonsense'])(
    'is not the site %s',
    async (url) => {
      await refused(admin.api.migrations.saveConfig({ source: 'fluentcommunity', url }), 400, 'invalid_url')
    },
  )

  it('is not a site of a platform that is imported from files', async () => {
    await refused(admin.api.migrations.saveConfig({ source: 'csv', url: 'https://93.184.215.14' }), 400, 'invalid_url')
  })

  it('is uploaded files, which can be deleted', async () => {
    await upload('csv', 'C:\\Users\\me\\members.csv')
    const { config } = await upload('csv', 'more.csv')
    expect(config.files.map(({ file_name }) => file_name)).toEqual(['members.csv', 'more.csv'])
    const [stored] = await filesOf(world.app.services.database.read, ['csv'])
    expect(await world.app.services.storage.current.has(stored?.path ?? '')).toBe(true)
    expect((await admin.api.migrations.removeFiles({ source: 'csv' })).config.files).toEqual([])
    expect(await world.app.services.storage.current.has(stored?.path ?? '')).toBe(false)
  })
})

describe('an import', () => {
  it('needs something to read, and items that the source has', async () => {
    await refused(admin.api.migrations.start({ source: 'nodebb', items: ['people'] }), 400, 'source_not_ready')
    await refused(admin.api.migrations.start({ source: 'csv', items: ['courses'] }), 400, 'invalid_items')
    await refused(admin.api.migrations.start({ source: 'csv', items: [] }), 400, 'invalid_items')
    expect(await admin.api.migrations.status({ source: 'nodebb' })).toEqual({ status: 'available', migration: null })
  })

  it('runs once at a time, and tells its progress, results and report', async () => {
    await upload('buddypress')
    const { migration } = await admin.api.migrations.start({ source: 'buddypress', items: ['groups', 'members', 'activities'] })
    expect(migration).toMatchObject({ status: 'in_progress', dry_run: false, started_at: NOW })
    for (const attempt of [
      admin.api.migrations.start({ source: 'buddypress', items: ['people'] }),
      admin.api.migrations.removeFiles({ source: 'buddypress' }),
      admin.api.migrations.addFile({ source: 'buddypress', file: dump(), filename: 'b.sql' }),
    ])
      await refused(attempt, 409, 'migration_in_progress')

    const { run, end } = await runTo(migration.id, 'completed')
    expect(JSON.parse(run?.items ?? '')).toEqual(['spaces', 'people', 'media', 'posts', 'comments', 'reactions'])
    // A second process that the job started has nothing to do.
    expect(await write((db) => claimRun(db, [migration.id, NOW]))).toBeUndefined()
    const during = await admin.api.migrations.status({ source: 'buddypress' })
    expect(during.migration).toMatchObject({
      current_step: 'comments',
      progress: { comments: { total: 10, completed: 4, percentage: 40 } },
    })
    await end()
    const after = await admin.api.migrations.status({ source: 'buddypress' })
    expect(after).toMatchObject({
      status: 'completed',
      migration: {
        completed_at: NOW,
        duration: 0,
        results: { people: { total: 5, migrated: 4, changed: 1, skipped: 1, failed: 0 } },
        left_out: { messages: 7 },
        errors: [],
      },
    })
    const { data, meta } = await admin.api.migrations.report({ source: 'buddypress' })
    expect(data).toEqual([{ item: 'people', id: '12', outcome: 'skipped', reason: 'it has no address' }])
    expect(meta.total).toBe(1)
    expect((await admin.api.migrations.list()).migrations[1]).toMatchObject({
      status: 'completed',
      estimated_items: { people: 5, comments: 10 },
    })
  })

  it('that fails says why, and can be started again', async () => {
    const { migration } = await admin.api.migrations.start({ source: 'buddypress', items: ['people'], dry_run: true })
    const { end } = await runTo(migration.id, 'failed')
    await end()
    const { status, migration: ended } = await admin.api.migrations.status({ source: 'buddypress' })
    expect([status, ended?.errors?.[0]]).toEqual(['failed', { item: 'import', id: '', error: 'the dump is damaged' }])
  })

  it('whose process died ends as interrupted', async () => {
    await admin.api.migrations.start({ source: 'buddypress', items: ['people'] })
    world.clock.advance(300_000)
    const { migration } = await admin.api.migrations.start({ source: 'buddypress', items: ['people'] })
    const { end } = await runTo(migration.id, 'completed')
    await end()
    await write((db) => dropFiles(db, ['buddypress']))
  })
})
