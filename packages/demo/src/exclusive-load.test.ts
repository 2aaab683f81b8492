import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumJson, lyceumProcess, processEnv, readyEnv, startServer } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { readConfig } from '../../server/src/config.ts'
import { resolveDataLocation } from '../../server/src/db/data-location.ts'
import { type Database, lockData, migrate, openDatabase, runText } from '../../server/src/db/index.ts'
import { ExclusiveAccessError } from './bulk-load/index.ts'
import { generate } from './generator.ts'
import { fillAlone, isBare } from './write/alone.ts'

const NOW = '2026-03-10 12:00:00'
const SECONDS = Date.parse(`${NOW}Z`) / 1000
const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'
/** Courses are made by the same code on either database: more than there are different ones, so that one of them comes again. */
const COURSES = onSqlite ? 7 : 2
const SIZE = { members: 20, spaces: 5, posts: 60, comments: 80, reactions: 100, courses: COURSES, seed: '2' }
/** Where it is not about what is made. */
const LESS = { members: 12, spaces: 3, posts: 30, comments: 30, reactions: 40, courses: 1, seed: '5' }
const PATIENT = { timeout: 120_000 }

const placeIn = (env: Env) => {
  const { databaseUrl, dataDir } = readConfig(env)
  return { url: databaseUrl, dataDir }
}

const using = async <T>(env: Env, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = openDatabase({ ...placeIn(env), poolSize: 4 })
  try {
    await migrate(database, NOW)
    return await work(database)
  } finally {
    await database.close()
  }
}

const rows = async <Row>(env: Env, text: string): Promise<Row[]> => {
  const database = openDatabase({ ...placeIn(env), poolSize: 1 })
  try {
    return await runText<Row>(database.read, text, [])
  } finally {
    await database.close()
  }
}
/** How many rows these tables have together. */
const countAll = async (env: Env, ...tables: string[]) =>
  (await rows<{ n: number }>(env, `select ${tables.map((table) => `(select count(*) from ${table})`).join(' + ')} as n`))[0]?.n

const count = async (env: Env, table: string) => (await rows<{ n: number }>(env, `select count(*) as n from ${table}`))[0]?.n

/** Indexes, triggers and references, as the database itself tells them. */
const shapeOf = (env: Env) =>
  using(env, ({ read, dialect }) =>
    runText<{ it: string }>(
      read,
      dialect === 'sqlite'
        ? `select type || ' ' || name || ' ' || sql as it from sqlite_schema where sql is not null order by 1`
        : `select indexdef as it from pg_indexes where schemaname = current_schema()
           union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated from pg_constraint
             where connamespace = current_schema()::regnamespace
           union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal order by 1`,
      [],
    ),
  )

const fill = (env: Env, size = SIZE, signal = new AbortController().signal, onProgress: (what: string) => void = () => {}) =>
  fillAlone({
    ...{
      place: placeIn(env),
      config: readConfig(env),
      generated: generate({ ...size, now: SECONDS }),
      seed: size.seed,
      courses: size.courses,
    },
    ...{ now: NOW, seconds: SECONDS, signal, onProgress },
  })

const arguments_ = (size: Readonly<Record<string, number | string>>) =>
  Object.entries(size).flatMap(([name, value]) => [`--${name}`, String(value)])

/** Everything of a community, but ids and moments of what depends on when it was made. */
const told = async (env: Env) => {
  const database = openDatabase({ ...placeIn(env), poolSize: 1 })
  const read = (text: string) => runText<object>(database.read, text, [])
  const found = {
    people: await read('select username, display_name, followers_count, followings_count from users order by username'),
    names: await read('select n.token, n.is_whole_word, u.username from user_name_tokens n join users u on u.id = n.user_id order by 3, 1'),
    spaces: await read('select slug, privacy, members_count, posts_count from spaces order by slug'),
    feeds: await read(
      `select id, user_id, space_id, listed, privacy, type, content_type, slug, title, meta, message, message_rendered, comments_count, reactions_count,
       (published_at = created_at) as same from feeds where lesson_id is null order by id`,
    ),
    comments: await read('select id, user_id, post_id, parent_id, message, message_rendered, reactions_count from comments order by id'),
    reactions: await read('select user_id, feed_id, comment_id, type from reactions order by 2, 1, 3'),
    bookmarks: await read('select user_id, feed_id from bookmarks order by 1, 2'),
    votes: await read('select feed_id, user_id, slot, option_slug from survey_votes order by 1, 2, 3'),
    surveys: await read(
      'select s.feed_id, s.voters, o.slug, o.votes from surveys s join survey_options o on o.feed_id = s.feed_id order by 1, 3',
    ),
    topics: await read(
      'select t.slug, t.posts_count, f.feed_id, f.position from topics t join feed_topics f on f.topic_id = t.id order by 1, 3',
    ),
    counts: await read('select space_id, privacy, feeds_count from listed_feed_counts order by 1, 2'),
    activities: await read(
      'select user_id, action_type, object_type, object_id, space_id, feed_id, comment_id from activities order by 1, 2, 4, 3',
    ),
    ledger: await read(
      `select user_id, kind, count(*) as n, sum(points) as points from points_ledger where kind <> 'daily_login' group by 1, 2 order by 1, 2`,
    ),
    students: await read(
      'select n.user_id, c.title, c.status, n.progress from enrolments n join courses c on c.id = n.course_id order by 1, 2',
    ),
  }
  await database.close()
  return found
}

/** Moments of the parts of the work. The same code looks on either database whether it is to stop; what is left is for the database to undo. */
const MOMENTS = onSqlite ? ['reactions', 'indexes', 'points'] : ['points']
const EVERY_MOMENT = ['members', 'reactions', 'posts', 'comments', 'indexes', 'courses', 'points', 'figures']

describe('a community that is empty', () => {
  test(
    'is filled with the same as beside others, counts its days as its time zone has them, and everything holds together',
    PATIENT,
    async () => {
      const [alone, beside] = [await readyEnv(), await readyEnv()]
      for (const env of [alone, beside])
        await using(env, ({ write }) =>
          write((db) => runText(db, `insert into settings (key, value, updated_at) values ('timezone', '"Asia/Kathmandu"', '${NOW}')`, [])),
        )
      const before = await shapeOf(alone)
      await fill(alone)
      await lyceumJson(beside, 'demo', ...arguments_(SIZE))
      expect(await lyceumJson(alone, 'doctor', '--full')).toMatchObject({ ok: true, violations: [] })
      expect(await shapeOf(alone)).toEqual(before)
      const [one, other] = [await told(alone), await told(beside)]
      for (const what of Object.keys(one) as (keyof typeof one)[]) {
        expect(one[what].length, what).toBeGreaterThan(0)
        expect(one[what], what).toEqual(other[what])
      }
      expect(await rows(alone, 'select stale, zone from analytics_state')).toEqual([{ stale: 0, zone: 'Asia/Kathmandu' }])
    },
  )

  test('stays empty when it is interrupted, whenever that is', PATIENT, async () => {
    const env = await readyEnv()
    const before = await shapeOf(env)
    for (const kind of SOAK > 1 ? EVERY_MOMENT : MOMENTS) {
      const controller = new AbortController()
      const filled = fill(env, LESS, controller.signal, (what) => {
        if (what === kind) controller.abort()
      })
      await expect(filled).rejects.toThrow('stopped')
      expect(await countAll(env, 'users', 'feeds', 'spaces', 'courses', 'activities', 'points_ledger')).toBe(0)
    }
    expect(await shapeOf(env)).toEqual(before)
    if (!onSqlite && SOAK === 1) return
    await fill(env, LESS)
    expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true })
  })

  test.runIf(onSqlite || SOAK > 1)('keeps the accounts that it has, whatever they are called', PATIENT, async () => {
    const env = await readyEnv()
    const [taken = ''] = generate({ ...LESS, now: SECONDS }).scene.names.usernames
    await lyceum(env, ['user', 'create', '--username', taken, '--email', 'b@example.org', '--role', 'admin'], 'Quiet-river-7431')
    await fill(env, LESS)
    expect(await count(env, 'users')).toBe(LESS.members + 1)
    expect(await rows(env, `select username from users where username like '${taken}%' order by id`)).toEqual([
      { username: taken },
      { username: `${taken}-2` },
    ])
    expect(await lyceumJson(env, 'doctor', '--full')).toMatchObject({ ok: true, violations: [] })
  })
})

/** As if these were many rows. */
const demoOfMany = async (env: Env, size: Readonly<Record<string, number | string>>) => {
  const { many, ...amounts } = { many: 1, ...size }
  const { code, out, err } = await lyceum(env, ['demo', ...arguments_(amounts), '--json'], '', { many: Number(many) })
  if (code !== 0) throw new Error(err)
  return JSON.parse(out) as { milliseconds: object }
}

describe('many rows', () => {
  test.runIf(onSqlite || SOAK > 1)('are put into an empty community at once, and into no other', PATIENT, async () => {
    const env = await readyEnv()
    expect(await using(env, ({ read }) => isBare(read))).toBe(true)
    const rowsOf = LESS.members + LESS.posts + LESS.comments + LESS.reactions
    expect((await demoOfMany(env, { ...LESS, many: rowsOf })).milliseconds).toHaveProperty('indexes')
    expect(await count(env, 'reactions')).toBe(LESS.reactions)
    expect(await using(env, ({ read }) => isBare(read))).toBe(false)
    expect((await demoOfMany(env, LESS)).milliseconds).not.toHaveProperty('indexes')
    expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true, violations: [] })
    const few = await demoOfMany(await readyEnv(), { ...LESS, many: rowsOf + 1 })
    expect(few.milliseconds).not.toHaveProperty('indexes')
  })

  test('leave nothing behind when the process is killed', PATIENT, async () => {
    const env = await readyEnv()
    const before = await shapeOf(env)
    const program = fileURLToPath(new URL('../../server/test-support/demo-process.ts', import.meta.url))
    const child = spawn(process.execPath, [program, 'reactions 100 %', ...arguments_(LESS)], { env: processEnv(env) })
    const signal = await new Promise((resolve) => child.once('close', (_code, how) => resolve(how)))
    expect(signal).toBe('SIGKILL')
    expect(await countAll(env, 'users', 'feeds', 'reactions', 'spaces')).toBe(0)
    expect(await shapeOf(env)).toEqual(before)
    expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true })
  })

  test('keep a server from starting meanwhile, and go beside one that runs', PATIENT, async () => {
    const env = await readyEnv()
    if (!onSqlite && SOAK === 1) {
      // The locks that servers have. Processes of servers are tried on SQLite.
      const hold = await lockData(placeIn(env), 'demo')
      await expect(lockData(placeIn(env), 'server')).rejects.toThrow(/demo/)
      await hold.release()
      const served = await lockData(placeIn(env), 'server')
      expect((await demoOfMany(env, { ...LESS, courses: 0 })).milliseconds).not.toHaveProperty('indexes')
      await served.release()
      return
    }
    const hold = await lockData(placeIn(env), 'demo')
    const refused = await lyceumProcess(env, ['serve'])
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/demo/)])
    await hold.release()
    const server = await startServer(env)
    const { milliseconds } = await demoOfMany(env, { ...LESS, courses: 0 })
    expect(milliseconds).not.toHaveProperty('indexes')
    await server.end('SIGTERM')
  })
})

test('what a load had on disk when it died is taken back by whoever opens the database', async () => {
  const env = await freshEnv()
  const address = resolveDataLocation(placeIn(env))
  if (!('file' in address)) return
  await using(env, async () => {})
  const before = await shapeOf(env)
  const script = `const db = new (require('better-sqlite3'))(${JSON.stringify(address.file)})
    db.pragma('locking_mode = EXCLUSIVE'); db.pragma('journal_mode = DELETE'); db.pragma('cache_size = 10')
    db.exec("begin exclusive; drop index feeds_own; create table rows_of_a_load (text)")
    const add = db.prepare('insert into rows_of_a_load values (?)')
    for (let i = 0; i < 5000; i++) add.run('x'.repeat(500))
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['-e', script], { cwd: fileURLToPath(new URL('../../server/src/cli', import.meta.url)) })
  await new Promise((resolve) => child.once('close', resolve))
  expect(statSync(`${address.file}-journal`).size).toBeGreaterThan(0)
  expect(await shapeOf(env)).toEqual(before)
  expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true })
})

test('whoever has the file open keeps it as it is', async () => {
  const env = await freshEnv()
  const address = resolveDataLocation(placeIn(env))
  if (!('file' in address)) return
  await using(env, async () => {
    const size = statSync(address.file).size
    await expect(fill(env)).rejects.toThrow(ExclusiveAccessError)
    expect(statSync(address.file).size).toBe(size)
    expect(existsSync(`${address.file}-journal`)).toBe(false)
  })
})
