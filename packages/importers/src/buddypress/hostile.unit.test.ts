import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { activity, comment, dumpOf, group, type Row, user, withSite } from '../../test-support/buddypress-dump.ts'
import { packTar } from '../../test-support/pack-tar.ts'
import { UnreadableSource } from '../source.ts'
import { openBuddypress } from './open.ts'

/** CPU time of this thread in milliseconds: the machine may be busy with other work. */
const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const DUMP = dumpOf({ users: [user(1, 'Ana')], bp_activity: [activity(1)] })

const openDump = (content: string | Buffer, uploads?: string) => {
  const file = join(folder, 'dump.sql')
  writeFileSync(file, content)
  return openBuddypress(file, { temporary: folder, ...(uploads && { uploads }) })
}

const meta = (id: number, meta_key: string, meta_value: string): Row => ({ id, activity_id: 1, meta_key, meta_value })
const LEVELS = 300_000
const SERIALIZED = `${'a:1:{i:0;'.repeat(LEVELS)}N;${'}'.repeat(LEVELS)}`
const JSON_TEXT = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`

describe('a dump', () => {
  test('that is truncated, damaged or a bomb is refused, and leaves nothing behind', async () => {
    const packed = gzipSync(DUMP)
    const bomb = gzipSync(Buffer.concat([Buffer.from(DUMP), Buffer.alloc(66 * 1024 * 1024, 0x20)]), { level: 9 })
    await expect(openDump(packed.subarray(0, -20))).rejects.toThrow(/ends too early/)
    await expect(openDump(Buffer.concat([packed.subarray(0, 40), Buffer.alloc(40, 7)]))).rejects.toThrow(UnreadableSource)
    await expect(openDump(bomb)).rejects.toThrow(/times its size/)
    await expect(openDump(DUMP.slice(0, -20))).rejects.toThrow(/incomplete/)
    expect(readdirSync(folder)).toEqual(['dump.sql'])
  })

  test('in another encoding is read as it declares', async () => {
    const dump = `SET NAMES latin1;\n${dumpOf({ users: [user(1, 'Ana')], bp_activity: [activity(1, { content: 'Brötchen für Åse' })] })}`
    const source = await openDump(Buffer.from(dump, 'latin1'))
    expect(await Array.fromAsync(source.read('posts'))).toMatchObject([{ message: '<p>Brötchen für Åse</p>' }])
    await source.close()
  })

  test('with broken lines has the rest, and a reason for each', async () => {
    const rows = [activity(1), activity(2), activity(3)]
    const dump = dumpOf({ users: [user(1, 'Ana')], bp_activity: rows }).replace("'Text 2'", "'Text 2")
    const source = await openDump(dump)
    const entries = await Array.fromAsync(source.read('posts'))
    expect(entries).toMatchObject([{ unreadable: { outcome: 'failed', reason: /broken/ } }, { id: '1' }, { id: '3' }])
    await source.close()
  })
})

describe('values', () => {
  test('with 300,000 levels, in the format of PHP and in JSON, are left out with a reason', async () => {
    const started = cpuTime()
    const usermeta = [SERIALIZED, JSON_TEXT].flatMap((meta_value, at) => [
      { umeta_id: 2 * at, user_id: at + 1, meta_key: 'bp_favorite_activities', meta_value },
      { umeta_id: 2 * at + 1, user_id: at + 1, meta_key: 'bp_xprofile_visibility_levels', meta_value },
    ])
    const tables = {
      usermeta,
      options: [{ option_id: 1, option_name: 'bp-pages', option_value: SERIALIZED }],
      bp_xprofile_fields: [{ id: 2, group_id: 1, parent_id: 0, type: 'checkbox', name: 'Skills', field_order: 1 }],
      bp_xprofile_data: [{ id: 1, field_id: 2, user_id: 1, value: SERIALIZED }],
      bp_activity: [activity(1, { content: '<div>'.repeat(100_000) })],
      bp_activity_meta: [
        meta(1, '_gif_raw_data', SERIALIZED),
        meta(2, '_link_preview_data', JSON_TEXT),
        meta(3, 'bp_media_ids', `${'['.repeat(LEVELS)}1`),
      ],
    }
    await withSite({ tables }, async ({ records, unreadable }) => {
      expect((await records('people')).map(({ short_description }) => short_description)).toEqual([undefined, undefined])
      expect(await unreadable('people')).toMatchObject([
        { id: '1', reason: expect.stringContaining('nested more than 100 levels') },
        { id: '2', reason: expect.stringContaining('nested more than 100 levels') },
      ])
      expect(await unreadable('reactions')).toMatchObject([{ id: 'favorites:1' }, { id: 'favorites:2' }])
      expect(await records('posts')).toHaveLength(1)
      expect((await unreadable('posts')).map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/^its GIF cannot be read/),
        expect.stringMatching(/^its link preview cannot be read/),
      ])
    })
    expect(cpuTime() - started).toBeLessThan(20_000)
  })

  test('of keys and times may be of any kind', async () => {
    const strange = ['', 'abc', '-1', '99999999999999999999', '1e400', '0x1f', '\0', '2021-13-45 99:99:99', '0000-00-00 00:00:00']
    const rows = strange.map((value, at) =>
      activity(at + 2, { user_id: value, item_id: value, is_spam: value, hide_sitewide: value, date_recorded: value }),
    )
    await withSite({ tables: { bp_activity: [activity(1), ...rows] } }, async ({ records }) => {
      const posts = await records('posts')
      expect(posts).toHaveLength(strange.length + 1)
      for (const { created_at } of posts) expect(created_at).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)
    })
  })
})

describe('what refers to itself', () => {
  test('a thread of 50,000 levels, a circle of comments and one of groups end', async () => {
    const levels = 50_000
    const thread = Array.from({ length: levels }, (_, at) => comment(at + 10, 1, at === 0 ? 1 : at + 9))
    const circle = [comment(2, 1, 3), comment(3, 1, 2), comment(4, 1, 4)]
    const groups = Array.from({ length: 2000 }, (_, at) => group(at + 1, `g${at + 1}`, { parent_id: at === 0 ? 2000 : at }))
    const started = cpuTime()
    await withSite({ tables: { bp_activity: [activity(1), ...circle, ...thread], bp_groups: groups } }, async ({ records }) => {
      const seen = new Set<string>()
      for (const { id, parent } of await records('comments')) {
        if (parent) expect(seen.has(parent)).toBe(true)
        seen.add(id)
      }
      expect(seen.size).toBe(levels + circle.length)
      expect(await records('spaces')).toHaveLength(2000)
      expect(await records('space_groups')).toEqual([])
    })
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})

describe('paths of files', () => {
  const tables = {
    posts: [10, 11, 12].map((ID) => ({ ID, post_type: 'attachment', post_name: 'x', post_parent: 0 })),
    postmeta: ['../../../../etc/passwd', '/etc/passwd', 'link.jpg'].map((meta_value, at) => ({
      meta_id: at + 1,
      post_id: at + 10,
      meta_key: '_wp_attached_file',
      meta_value,
    })),
    bp_media: [10, 11, 12].map((attachment_id) => ({ id: attachment_id, attachment_id, user_id: 1, activity_id: 1, title: 'x' })),
    users: [user(1, 'Ana')],
    bp_activity: [activity(1, { content: 'https://old.example/wp-content/uploads/..%2f..%2f..%2fetc/passwd' })],
    options: [{ option_id: 1, option_name: 'home', option_value: 'https://old.example' }],
  }

  test('never lead out of the uploads, in folders and archives', async () => {
    mkdirSync(join(folder, 'uploads/avatars/1'), { recursive: true })
    symlinkSync('/etc/passwd', join(folder, 'uploads/link.jpg'))
    symlinkSync('/etc/passwd', join(folder, 'uploads/avatars/1/1-bpfull.jpg'))
    const archive = join(folder, 'uploads.tar')
    writeFileSync(
      archive,
      packTar([
        { name: 'uploads/link.jpg', type: 'symlink', linkname: '/etc/passwd' },
        { name: 'uploads/avatars/1/../../../../etc/x-bpfull.jpg', type: 'file', body: 'evil' },
        { name: '/etc/passwd', type: 'file', body: 'evil' },
        { name: '../../../../etc/passwd', type: 'file', body: 'evil' },
      ]),
    )
    for (const uploads of [join(folder, 'uploads'), archive]) {
      const source = await openDump(dumpOf(tables), uploads)
      const media = (await Array.fromAsync(source.read('media'))).flatMap((entry) => ('unreadable' in entry ? [] : [entry]))
      expect(media.map(({ file }) => file)).toEqual(['../../../../etc/passwd', '/etc/passwd', 'link.jpg', '../../../etc/passwd'])
      for (const record of media) {
        const stream = await source.openMedia(record)
        const content = stream && Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString()
        // An absolute path in the archive is one below its root.
        expect([null, 'evil']).toContain(content)
      }
      await source.close()
    }
  })
})
