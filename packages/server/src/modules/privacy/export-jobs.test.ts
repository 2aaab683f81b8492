import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givePassword, makeLife, strayFiles } from '#test/account-deletion.ts'
import { makeSpace } from '#test/fixtures.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { fetchFile } from '#test/media.ts'
import { signIn } from '#test/session.ts'
import { unzip } from '#test/unzip.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let mailbox: Mailbox
let world: World
let admin: Member

beforeAll(async () => {
  mailbox = await startMailbox()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url, LYCEUM_RATE_LIMIT: 'on' } })
  admin = await world.member({ role: 'admin', username: 'boss' })
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

/** Requests an export and waits until it is ready. */
const makeArchive = async (member: Member) => {
  const { data } = await member.api.privacy.requestExport()
  await world.runPendingJobs()
  return (await member.api.privacy.export({ export_id: data.id })).data
}

const filesOf = async (member: Member) => {
  const { download_url } = await makeArchive(member)
  const { status, bytes } = await fetchFile(member, download_url ?? '')
  expect(status).toBe(200)
  return unzip(bytes)
}

type Rows = readonly Record<string, unknown>[]
const rowsIn = (files: ReadonlyMap<string, Buffer>, name: string) => JSON.parse(String(files.get(`${name}.json`))) as Rows

describe('a data export', () => {
  test('is requested, created, announced by mail, and downloadable by its owner only', async () => {
    const [member, other] = [await world.member(), await world.member()]
    await givePassword(world, member)
    const { data } = await member.api.privacy.requestExport()
    expect(data).toMatchObject({ user_id: member.id, status: 'pending', size: null, expires_at: null, download_url: null })
    await refused(member.api.privacy.requestExport(), 409, 'conflict')
    expect(await mailbox.take(member.email)).toEqual([])
    await world.runPendingJobs()
    const ready = (await member.api.privacy.export({ export_id: data.id })).data
    expect(ready).toMatchObject({ id: data.id, status: 'ready', completed_at: '2026-03-10 12:00:00', expires_at: '2026-03-17 12:00:00' })
    expect((await member.api.privacy.exports()).data).toEqual([ready])
    const [mail, ...more] = await mailbox.take(member.email)
    expect([mail?.mail.subject, more.length]).toEqual(['Your data from Lyceum is ready', 0])
    const url = ready.download_url ?? ''
    expect(mail?.mail.text).toContain(url)

    const { status, headers, bytes } = await fetchFile(member, url)
    expect([status, bytes.length, headers.get('content-length')]).toEqual([200, ready.size, String(ready.size)])
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-disposition')).toBe('attachment; filename="lyceum-2026-03-10.zip"')
    expect(headers.get('cache-control')).toBe('private, no-store')
    const head = await fetchFile(member, url, {}, 'HEAD')
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([200, 0, String(ready.size)])
    const { cookie } = await signIn(world, member.username)
    expect((await fetchFile(null, url, { cookie })).status).toBe(200)
    for (const [who, code] of [
      [null, 401],
      [other, 404],
      [admin, 404],
    ] as const)
      expect((await fetchFile(who, url)).status).toBe(code)
    for (const who of [other, admin]) await refused(who.api.privacy.export({ export_id: data.id }), 404, 'export_not_found')
    await refused(member.api.privacy.export({ export_id: 999_999 }), 404, 'export_not_found')
    expect((await other.api.privacy.exports()).data).toEqual([])
    expect((await fetchFile(member, url.replace(/[0-9a-f]{32}/, 'f'.repeat(32)))).status).toBe(404)
    expect((await world.request('GET', '/account/exports')).status).toBe(401)
  })

  test('contains all data of the member, read in batches, and no data of others', async () => {
    const { member, other, others, comment, feed, media, school } = await makeLife(world, admin, 'numbatword')
    await world.app.write(null, async ({ db, now }) => {
      const rows = Array.from({ length: 450 }, (_, i) => ({
        user_id: member.id,
        post_id: others.id,
        parent_id: null,
        message: `Row ${i}`,
        message_rendered: `<p>Row ${i}</p>`,
        created_at: now,
        updated_at: now,
      }))
      await db.insertInto('comments').values(rows).execute()
    })
    world.clock.advance(24 * 3600)
    const files = await filesOf(member)
    const profile = JSON.parse(String(files.get('profile.json')))
    expect(profile).toMatchObject({
      id: member.id,
      username: 'numbatword-name',
      email: member.email,
      short_description: 'I am numbatword',
      social_links: { twitter: 'https://x.example/numbatword' },
    })
    expect(rowsIn(files, 'feeds')).toHaveLength(4)
    const comments = rowsIn(files, 'comments')
    expect(new Set(comments.map(({ id }) => id)).size).toBe(451)
    expect(comments.find(({ id }) => id === comment)).toMatchObject({ feed_id: others.id, message: 'I say numbatword', meta: {} })
    expect(rowsIn(files, 'reactions').map(({ type }) => type)).toEqual(['love', 'like'])
    expect(rowsIn(files, 'bookmarks')).toEqual([
      { id: expect.any(Number), feed_id: others.id, created_at: expect.any(String), title: '', slug: expect.any(String) },
    ])
    expect(rowsIn(files, 'survey_votes')).toEqual([{ feed_id: others.id, option_slug: 'a', created_at: expect.any(String) }])
    expect(rowsIn(files, 'following')).toMatchObject([{ user_id: other.id, username: other.username }])
    expect(rowsIn(files, 'followers')).toMatchObject([{ user_id: other.id, username: other.username }])
    expect(rowsIn(files, 'memberships')).toMatchObject([{ role: 'member', status: 'active' }])
    expect(rowsIn(files, 'courses')).toMatchObject([{ course_id: school.courseId }])
    expect(rowsIn(files, 'lesson_completions')).toHaveLength(1)
    expect(rowsIn(files, 'reports')).toMatchObject([{ description: 'Because numbatword' }])
    expect(rowsIn(files, 'application_passwords').map(({ name }) => name)).toEqual(['tests', 'numbatword'])
    expect(rowsIn(files, 'preferences')).toMatchObject([{ digest_frequency: 'daily' }])
    for (const name of ['notifications', 'activities', 'points', 'achievements']) expect(rowsIn(files, name).length).toBeGreaterThan(0)
    expect(rowsIn(files, 'media')).toHaveLength(3)
    const { file_url } = (await member.api.media.get({ media_id: media })).data
    expect(files.get(`files/${media}-numbatword.png`)).toEqual((await fetchFile(member, file_url)).bytes)
    const index = String(files.get('index.html'))
    expect(index).toMatch(/numbatword Somebody.*comments\.json.*451/s)
    expect(String(files.get('README.txt'))).toContain('comments.json')
    const everything = [...files.values()].map(String).join('\n')
    expect(everything).not.toContain(other.email)
    expect(everything).not.toContain('On yours')
    expect(everything).not.toContain('A reply')
    const { hash } = await world.app.services.database.read
      .selectFrom('application_passwords')
      .select('hash')
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(everything).not.toContain(hash)
    expect(String(files.get('feeds.json'))).toContain(feed.slug)
  })

  test('shows only the ids of objects that the member can no longer see', async () => {
    const [author, member] = [await world.member(), await world.member()]
    const space = await makeSpace(world, { privacy: 'private', members: [author, member] })
    const { data } = await author.api.feeds.create({ title: 'Hiddenword', message: 'Hiddenword', space_id: space.id })
    await member.api.reactions.toFeed({ feed_id: data.id, react_type: 'bookmark' })
    await member.api.reactions.toFeed({ feed_id: data.id, type: 'like' })
    expect(String((await filesOf(member)).get('bookmarks.json'))).toContain('Hiddenword')
    await member.api.spaceMembers.leave({ space_slug: space.slug })
    const files = await filesOf(member)
    expect(rowsIn(files, 'bookmarks')).toMatchObject([{ feed_id: data.id, title: null, slug: null }])
    expect(rowsIn(files, 'reactions')).toMatchObject([{ feed_id: data.id, title: null, slug: null }])
    expect([...files.values()].map(String).join()).not.toContain('iddenword')
  })

  test('escapes text in its HTML page', async () => {
    const member = await world.member({ displayName: '<script>alert(1)</script>' })
    const index = String((await filesOf(member)).get('index.html'))
    expect(index).not.toContain('<script')
  })

  test('can be requested three times a day', async () => {
    const member = await world.member()
    for (let i = 0; i < 3; i++) {
      await makeArchive(member)
      world.clock.advance(60)
    }
    const error = await refused(member.api.privacy.requestExport(), 429, 'rate_limit_exceeded')
    expect(error.data).toMatchObject({ retry_after: 24 * 3600 - 180 })
    await admin.api.privacy.exportMember({ user_id: member.id })
    await world.runPendingJobs()
    world.clock.advance(24 * 3600 - 180)
    await makeArchive(member)
  })

  test('is deleted when it expires', async () => {
    const member = await world.member()
    const { id, download_url } = await makeArchive(member)
    world.clock.advance(7 * 24 * 3600)
    expect((await fetchFile(member, download_url ?? '')).status).toBe(404)
    expect((await member.api.privacy.export({ export_id: id })).data).toMatchObject({ status: 'expired', download_url: null })
    await world.app.maintenance.run()
    expect(await strayFiles(world)).toEqual([])
    expect((await member.api.privacy.export({ export_id: id })).data).toMatchObject({ status: 'expired', download_url: null })
    world.clock.advance(90 * 24 * 3600)
    await world.app.maintenance.run()
    await refused(member.api.privacy.export({ export_id: id }), 404, 'export_not_found')
  })

  test('is deleted with the account, even while in progress', async () => {
    const member = await world.member()
    const { download_url } = await makeArchive(member)
    await member.api.privacy.requestExport()
    await admin.api.privacy.deleteMember({ user_id: member.id })
    await world.runPendingJobs()
    expect((await fetchFile(admin, download_url ?? '')).status).toBe(404)
    expect(await strayFiles(world)).toEqual([])
  })

  test('is retried on failure, and finally reported as failed', async () => {
    const member = await world.member()
    const { storage } = world.app.services
    const { data } = await member.api.privacy.requestExport()
    // Make the storage fail: the target path is invalid.
    const spoil = (path: string) =>
      world.app.services.database.write((db) => db.updateTable('data_exports').set({ path }).where('id', '=', data.id).execute())
    await spoil('../outside')
    for (let i = 0; i < 6; i++) {
      await world.runPendingJobs()
      world.clock.advance(400)
    }
    expect((await member.api.privacy.export({ export_id: data.id })).data).toMatchObject({ status: 'failed', download_url: null })
    await spoil('ab/export-x.zip')
    await world.app.maintenance.run()
    expect(await storage.current.has('ab/export-x.zip')).toBe(false)
    expect((await makeArchive(member)).status).toBe('ready')
  })
})

describe('for another member', () => {
  test('is requested by an administrator and available to the member only', async () => {
    const [member, moderator] = [await world.member(), await world.member({ role: 'manager' })]
    for (const who of [member, moderator]) await refused(who.api.privacy.exportMember({ user_id: member.id }), 403, 'rest_forbidden')
    await refused(admin.api.privacy.exportMember({ user_id: 999_999 }), 404, 'user_not_found')
    const { data } = await admin.api.privacy.exportMember({ user_id: member.id })
    await refused(admin.api.privacy.exportMember({ user_id: member.id }), 409, 'conflict')
    await world.runPendingJobs()
    const ready = (await member.api.privacy.export({ export_id: data.id })).data
    expect(ready.status).toBe('ready')
    expect((await fetchFile(member, ready.download_url ?? '')).status).toBe(200)
    expect((await fetchFile(admin, ready.download_url ?? '')).status).toBe(404)
    const { entries } = await admin.api.audit.list({ action: 'account.export_requested' })
    expect(entries[0]).toMatchObject({ actor_id: admin.id, object_id: member.id, details: { export_id: data.id } })
  })
})

test('nothing remains if the account is deleted while its export is being stored', async () => {
  const member = await world.member()
  const { database, storage } = world.app.services
  const { data } = await member.api.privacy.requestExport()
  // A worker has the lease, stores the file, and crashes.
  const row = await database.read.selectFrom('data_exports').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow()
  const path = row.path ?? ''
  const set = { locked_until: '2031-01-01 00:00:00' }
  await database.write((db) => db.updateTable('data_exports').set(set).where('id', '=', data.id).execute())
  await admin.api.privacy.deleteMember({ user_id: member.id })
  await world.runPendingJobs()
  await storage.current.put(path, import.meta.filename, 'application/zip')
  expect(await storage.current.has(path)).toBe(true)
  await database.write((db) => db.updateTable('data_exports').set({ locked_until: null }).where('id', '=', data.id).execute())
  world.clock.advance(3600)
  await world.runPendingJobs()
  expect(await storage.current.has(path)).toBe(false)
  expect(await database.read.selectFrom('data_exports').selectAll().where('user_id', '=', member.id).execute()).toEqual([])
})
