import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Env, envOf, lyceum, lyceumJson, lyceumProcess, processEnv, readyEnv, startServer } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { readConfig } from '../../server/src/config.ts'
import { type Database, openDatabase, runText } from '../../server/src/db/index.ts'
import { Interrupted } from '../../transfer/src/bulk/write-pacing.ts'
import { generate, type Rows } from './generator.ts'
import { writeGenerated } from './write/write-generated.ts'
import { writeInSlices } from './write/writer.ts'

const SMALL = ['--members', '30', '--spaces', '6', '--posts', '150', '--comments', '150', '--reactions', '150']
/** Where it is not about courses. */
const ONE_COURSE = ['--courses', '1']
const NOW = '2026-03-10 12:00:00'

const openAt = (env: Env): Database => {
  const { databaseUrl, dataDir } = readConfig(env)
  return openDatabase({ url: databaseUrl, dataDir, poolSize: 4 })
}

const rows = async <Row>(env: Env, text: string): Promise<Row[]> => {
  const database = openAt(env)
  try {
    return await runText<Row>(database.read, text, [])
  } finally {
    await database.close()
  }
}

const count = async (env: Env, table: string) => (await rows<{ n: number }>(env, `select count(*) as n from ${table}`))[0]?.n

/** Everything of a community but what tells when it was made. */
const told = async (env: Env) => {
  const database = openAt(env)
  const read = (text: string) => runText<object>(database.read, text, [])
  const found = {
    people: await read('select username, email, display_name, short_description from users order by id'),
    spaces: await read('select title, slug, privacy, members_count, posts_count from spaces order by id'),
    feeds: await read(
      'select user_id, space_id, title, slug, message, message_rendered, comments_count, reactions_count from feeds where lesson_id is null order by id',
    ),
    comments: await read('select post_id, parent_id, user_id, message, message_rendered, reactions_count from comments order by id'),
    reactions: await read('select user_id, feed_id, comment_id, type from reactions order by id'),
    follows: await read('select follower_id, following_id, status from followers order by id'),
    students: await read(
      'select n.user_id, c.title, n.completed_lessons, n.progress from enrolments n join courses c on c.id = n.course_id order by n.id',
    ),
    attempts: await read('select user_id, attempt_number, status, score, passed from quiz_attempts order by id'),
    votes: await read('select feed_id, user_id, slot, option_slug from survey_votes order by feed_id, user_id, slot'),
  }
  await database.close()
  return found
}

describe('demo', () => {
  let world: World
  let env: Env
  let admin: Member
  /** Another place that got the same, and what was there then. */
  let first: Env
  let once: Awaited<ReturnType<typeof told>>

  beforeAll(async () => {
    world = await createWorld()
    env = envOf(world)
    admin = await world.member({ role: 'admin' })
    await world.runPendingJobs()
    await lyceumJson(env, 'demo', ...SMALL, '--seed', '35')
    first = await readyEnv()
    await lyceumJson(first, 'demo', ...SMALL, ...ONE_COURSE, '--seed', '35')
    once = await told(first)
  })
  afterAll(() => world.close())

  test('makes as many as it is asked for, and everything holds together', async () => {
    const tables = ['users', 'spaces', 'feeds where lesson_id is null', 'comments', 'reactions', 'courses']
    expect(await Promise.all(tables.map((table) => count(env, table)))).toEqual([31, 6, 150, 150, 150, 6])
    expect(await lyceumJson(env, 'doctor', '--full')).toEqual({ ok: true, violations: [], warnings: [] })
  })

  test('is found in the lists, by search, in the ticker and in surveys', async () => {
    const { feeds } = await admin.api.feeds.list({ per_page: 100 })
    expect(feeds.total).toBe(150)
    const titled = feeds.data.find((feed) => /^[a-z ]{12,}$/i.test(feed.title))!
    const found = await admin.api.feeds.list({ search: titled.title, per_page: 100 })
    expect(found.feeds.data.map((feed) => feed.id)).toContain(titled.id)
    expect((await admin.api.activities.ticker()).activities).toHaveLength(20)
    const [survey] = await rows<{ feed_id: number; voters: number }>(
      env,
      'select feed_id, voters from surveys order by voters desc limit 1',
    )
    expect(survey?.voters).toBeGreaterThan(0)
    const { data } = await admin.api.feeds.byId({ feed_id: survey!.feed_id })
    expect(data.meta).toMatchObject({ survey: { total_votes: survey!.voters } })
  })

  test('is the same for the same seed, another for another', async () => {
    const [again, other] = [await readyEnv(), await readyEnv()]
    await lyceumJson(again, 'demo', ...SMALL, ...ONE_COURSE, '--seed', '35')
    await lyceumJson(other, 'demo', ...SMALL, ...ONE_COURSE, '--seed', '8')
    expect(await told(again)).toEqual(once)
    for (const [what, list] of Object.entries(once)) expect(list.length, what).toBeGreaterThan(0)
    const messages = (community: Awaited<ReturnType<typeof told>>) => community.feeds.map((feed) => (feed as { message: string }).message)
    expect(messages(await told(other))).not.toEqual(messages(once))
    const here = await rows<{ message: string }>(env, 'select message from feeds where lesson_id is null order by id')
    expect(here.map(({ message }) => message)).toEqual(messages(once))
  })

  test('has courses with students, completions and attempts that are graded and that wait', async () => {
    const { courses } = await admin.api.courses.list({ per_page: 20 })
    expect(courses.total).toBe(6)
    expect(courses.data.every((course) => course.lessons_count >= 4 && course.students_count >= 3)).toBe(true)
    const [{ completed = 0, waiting = 0, failed = 0 } = {}] = await rows<{ completed: number; waiting: number; failed: number }>(
      env,
      `select (select count(*) from enrolments where completed_at is not null) as completed,
         (select count(*) from quiz_attempts where status = 'completed') as waiting,
         (select count(*) from quiz_attempts where status = 'graded' and passed = 0) as failed`,
    )
    expect([completed, waiting, failed].every((n) => n > 0)).toBe(true)
  })

  test('tells in activities of everybody who enrolled, and of every lesson that was completed, at that time', async () => {
    const told = (action: string) =>
      rows(
        env,
        `select user_id, object_id as id, created_at as at from activities where action_type = '${action}' order by user_id, object_id`,
      )
    const done = (text: string) => rows(env, `${text} order by user_id, id`)
    expect(await told('course_enrolled')).toEqual(await done('select user_id, course_id as id, enrolled_at as at from enrolments'))
    const completions = await done('select user_id, lesson_id as id, completed_at as at from lesson_completions')
    expect(completions.length).toBeGreaterThan(20)
    expect(await told('lesson_completed')).toEqual(completions)
    const { activities } = await admin.api.activities.list({ action_type: 'lesson_completed', per_page: 5 } as never)
    expect(JSON.stringify(activities)).toContain('lesson_completed')
  })

  test('gives nobody a password', async () => {
    expect(await rows(env, 'select id from users where password_hash is not null')).toEqual([])
  })

  test('comes a second time beside the first, under other names', async () => {
    await lyceumJson(first, 'demo', ...SMALL, ...ONE_COURSE, '--seed', '35')
    const both = await told(first)
    expect([both.people.length, both.feeds.length, both.spaces.length]).toEqual([60, 300, 12])
    expect(both.feeds.slice(0, 150)).toEqual(once.feeds)
    const usernames = new Map((both.people as { username: string }[]).map(({ username }, index) => [username, index]))
    const mentions = (both.comments as { message: string }[])
      .slice(150)
      .flatMap(({ message }) => [...message.matchAll(/@([a-z0-9_-]+)/g)].map(([, name = '']) => name))
    expect(mentions.length).toBeGreaterThan(10)
    // People of the second run speak to one another, not to their doubles.
    expect(mentions.filter((name) => (usernames.get(name) ?? 0) < 30)).toEqual([])
    expect(await lyceumJson(first, 'doctor', '--full')).toMatchObject({ ok: true })
  })

  test.each([
    ['--posts', 'many'],
    ['--members', '-1'],
    ['--reactions', '1e3'],
  ])('%s %s is not understood', async (option, value) => {
    expect(await lyceum(env, ['demo', option, value])).toMatchObject({ code: 2, err: expect.stringMatching(/^error: /) })
  })

  test('says what it did', async () => {
    const amounts = ['--members', '5', '--spaces', '2', '--posts', '10', '--comments', '10', '--reactions', '10']
    const { code, out } = await lyceum(await readyEnv(), ['demo', ...amounts, ...ONE_COURSE])
    expect(code).toBe(0)
    expect(out).toMatch(/^posts +10 +\d+\.\d s$/m)
    expect(out).toMatch(/\nDone in \d+\.\d s\.\n$/)
  })

  test('of nothing is nothing but one member', async () => {
    const there = await readyEnv()
    await lyceumJson(there, 'demo', '--members', '0', '--spaces', '0', '--posts', '0', '--comments', '0', '--reactions', '0')
    expect(await lyceumJson(there, 'doctor')).toMatchObject({ ok: true })
  })
})

test('stopped at any moment, it leaves a community that holds together', async () => {
  const options = { members: 20, spaces: 4, posts: 60, comments: 80, reactions: 90, seed: 20, now: 1_772_000_000 }
  const kinds: Rows[] = SOAK > 1 ? ['members', 'memberships', 'posts', 'comments', 'reactions', 'votes'] : ['members', 'comments', 'votes']
  for (const kind of kinds) {
    const env = await readyEnv()
    const database = openAt(env)
    const controller = new AbortController()
    const writer = writeInSlices({
      ...{ database, beside: false, firstSize: 15, signal: controller.signal },
      onProgress: (what) => {
        if (what === kind) controller.abort()
      },
    })
    const written = writeGenerated({ generated: generate(options), writer, now: NOW, goOn: async () => {} })
    if (kind === 'votes') await written
    else await expect(written).rejects.toThrow(Interrupted)
    await database.close()
    expect(writer.counts[kind]).toBeGreaterThan(0)
    if (kind !== 'votes') expect(writer.counts[kind]).toBe(15)
    expect(await lyceumJson(env, 'doctor', '--full')).toMatchObject({ ok: true, violations: [] })
  }
})

/** Processes of their own take their time to start where much else runs. */
const PATIENT = { timeout: 60_000 }

test('Ctrl-C ends it after the write that is under way', PATIENT, async () => {
  const env = await readyEnv()
  const program = fileURLToPath(new URL('../../server/bin/lyceum.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, 'demo', '--posts', '4000', '--comments', '50', '--reactions', '50', '--json'], {
    env: processEnv(env),
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const database = openAt(env)
  const posted = () => runText(database.read, 'select id from feeds limit 1', [])
  await vi.waitFor(async () => expect(await posted()).toHaveLength(1), { timeout: 40_000, interval: 20 })
  await database.close()
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  const { complete, counts } = JSON.parse(out) as { complete: boolean; counts: Record<Rows, number> }
  expect([complete, counts.posts > 0, counts.comments]).toEqual([false, true, 0])
  expect(await count(env, 'feeds')).toBe(counts.posts)
  expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true })
})

test('a server beside it goes on', PATIENT, async () => {
  const env = await readyEnv()
  const server = await startServer(env)
  await lyceum(env, ['user', 'create', '--username', 'boss', '--email', 'b@example.org', '--role', 'admin'], 'Quiet-river-7431')
  const { out: password } = await lyceum(env, ['user', 'app-password', 'boss', '--name', 'tests'])
  const headers = {
    authorization: `Basic ${Buffer.from(`boss:${password.trim()}`).toString('base64')}`,
    'content-type': 'application/json',
  }

  let running = true
  const amounts = ['--members', '12', '--posts', '80', '--comments', '40', '--reactions', '40', ...ONE_COURSE]
  const demo = lyceumProcess(env, ['demo', ...amounts, '--json']).finally(() => {
    running = false
  })
  const statuses = new Map<number, number>()
  let slowest = 0
  while (running) {
    const start = performance.now()
    const answer = await fetch(`${server.base}/feeds`, { method: 'POST', headers, body: JSON.stringify({ message: 'Meanwhile' }) })
    await answer.text()
    slowest = Math.max(slowest, performance.now() - start)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  }
  expect(await demo).toMatchObject({ code: 0, err: expect.not.stringContaining('lyceum:') })
  expect([...statuses.keys()]).toEqual([201])
  expect(statuses.get(201)).toBeGreaterThan(5)
  // A write waits for a few pieces of the demo, not for all of it.
  expect(slowest).toBeLessThan(3000)
  expect(await lyceumJson(env, 'doctor', '--full')).toMatchObject({ ok: true })
  await server.end('SIGTERM')
})
