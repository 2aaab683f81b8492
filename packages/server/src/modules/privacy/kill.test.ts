import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { processEnv, readyEnv } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { createCore } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { nowOf } from '../../core/clock.ts'
import { insertRows, migrate, runText } from '../../db/index.ts'
import { createAccount } from '../accounts/index.ts'
import { deleteAccount, ERASURE_JOB } from './deletion.ts'

const PROGRAM = fileURLToPath(new URL('../../../test-support/jobs/erase.ts', import.meta.url))
const COMMENTS = Number(process.env['LYCEUM_TEST_COMMENTS'] ?? 400)
const ACTIVITIES = 700
const KILLS = Number(process.env['LYCEUM_TEST_KILLS'] ?? (SOAK > 1 ? 2 : 1))

const account = (name: string) => ({ username: name, email: `${name}@example.org`, passwordHash: null, displayName: name })

test('after a crash during an erasure, another process continues, and nothing is erased twice', async () => {
  const env = { ...(await readyEnv()), LYCEUM_LOG_LEVEL: 'fatal' }
  const core = createCore({ config: readConfig(env), passwordCost: 4 })
  const { database, clock } = core.services
  await migrate(database, nowOf(clock))
  const feedId = await core.write(null, async (ctx) => {
    const { db, now } = ctx
    const [gone, other] = [await createAccount(ctx, account('gone')), await createAccount(ctx, account('other'))]
    const text = { title: '', slug: 'much', message: 'Much', message_rendered: '<p>Much</p>\n', type: 'feed' }
    const times = { created_at: now, updated_at: now, published_at: now, active_at: now, expired_at: null, scheduled_at: null }
    const place = { user_id: other, parent_id: null, space_id: null, featured_image: null, listed: 1, status: 'published' } as const
    const feed = await db
      .insertInto('feeds')
      .values({ ...text, ...times, ...place, comments_count: COMMENTS })
      .returning('id')
      .executeTakeFirstOrThrow()
    const said = Array.from({ length: COMMENTS }, (_, i) => [gone, feed.id, `${i}`, `<p>${i}</p>\n`, now, now])
    await insertRows(db, 'comments', ['user_id', 'post_id', 'message', 'message_rendered', 'created_at', 'updated_at'], said)
    const did = Array.from({ length: ACTIVITIES }, () => [gone, 'profile_updated', gone, 'user', now])
    await insertRows(db, 'activities', ['user_id', 'action_type', 'object_id', 'object_type', 'created_at'], did)
    await deleteAccount(ctx, gone, { content: 'remove', by: null })
    return feed.id
  })

  let between = 0
  for (let i = 0; i < KILLS; i++) {
    const child = spawn(process.execPath, [PROGRAM, String(6 + (i % 3))], {
      env: processEnv(env),
      stdio: 'ignore',
    })
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    if (
      (await runText<object>(database.read, `select id from jobs where name = $1 and run_at <= $2`, [ERASURE_JOB, nowOf(clock)])).length > 0
    )
      between += 1
  }
  expect(between).toBeGreaterThan(0)

  await core.worker.runPending()
  const rows = (text: string, ...values: (string | number)[]) => runText<Record<string, unknown>>(database.read, text, values)
  expect(await rows('select id from comments')).toEqual([])
  expect(await rows('select id from activities')).toEqual([])
  expect(await rows('select comments_count from feeds where id = $1', feedId)).toEqual([{ comments_count: 0 }])
  const deleted = await rows(`select payload from events where name = 'comment.deleted'`)
  expect([deleted.length, new Set(deleted.map(({ payload }) => payload)).size]).toEqual([COMMENTS, COMMENTS])
  // The second round is scheduled for later.
  expect(
    (await rows('select payload from jobs where name = $1', ERASURE_JOB)).map(({ payload }) => JSON.parse(String(payload)).again),
  ).toEqual([false])
  await core.close()
}, 90_000)
