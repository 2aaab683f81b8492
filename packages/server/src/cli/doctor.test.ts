import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Env, envOf, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { createWorld, type World } from '#test/world.ts'
import { runText } from '../db/index.ts'
import { CHECKS } from './doctor/checks.ts'
import { offenders, type Violation } from './doctor/run-checks.ts'

interface Report {
  readonly ok: boolean
  readonly violations: readonly Violation[]
  readonly warnings: readonly string[]
  readonly repaired?: readonly { readonly check: string; readonly ids: readonly (string | number)[] }[]
}

const NOW = '2026-03-10 12:00:00'
/** After everything that has happened in this world. */
const LATER = '2031-03-10 12:00:00'

let world: World
let env: Env
/** Ids of what stands in the world, by the letters that the statements below use for them. */
const ids: Record<string, number> = {}

const run = async (...texts: string[]) => {
  for (const text of texts) {
    const filled = text.replace(/:(\w+)/g, (whole, name: string) => (name in ids ? String(ids[name]) : whole))
    await world.app.services.database.write((db) => runText(db, filled, []))
  }
}

beforeAll(async () => {
  world = await createWorld()
  env = envOf(world)
  const ana = await world.member({ username: 'ana', role: 'admin' })
  const bob = await world.member({ username: 'bob' })
  const options = [
    { slug: 'a', label: 'A' },
    { slug: 'b', label: 'B' },
  ]
  const { data: survey } = await ana.api.feeds.create({
    message: 'Choose',
    content_type: 'survey',
    meta: { survey: { question: '?', options } },
  })
  await bob.api.surveys.vote({ feed_id: survey.id, option_slug: 'a' })
  const { data: feed } = await ana.api.feeds.create({ message: 'Hello *you*, @bob' })
  const { data: comment } = await bob.api.comments.create({ feed_id: feed.id, comment: 'A comment' })
  const { data: reply } = await ana.api.comments.create({ feed_id: feed.id, comment: 'A reply', parent_id: comment.id })
  const { data: elsewhere } = await ana.api.comments.create({ feed_id: survey.id, comment: 'Elsewhere' })
  await bob.raw('POST', `/feeds/${feed.id}/react`, { type: 'like' })
  await bob.raw('POST', `/feeds/${feed.id}/comments/${reply.id}/reactions`, { type: 'love' })
  const topic = await ana.api.adminTopics.create({ title: 'Topic' })
  const below = await ana.api.adminTopics.create({ title: 'Below', parent_id: topic.id })
  await ana.api.feeds.update({ feed_id: feed.id, topics: [topic.id] })
  await world.runPendingJobs()
  // Mail waits a while for its recipient to read what it is about.
  world.clock.advance(600)
  await world.runPendingJobs()
  Object.assign(ids, {
    topic: topic.id,
    below: below.id,
    ana: ana.id,
    bob: bob.id,
    survey: survey.id,
    feed: feed.id,
    comment: comment.id,
    reply: reply.id,
    elsewhere: elsewhere.id,
  })
  await run(
    `insert into spaces (id, created_by, title, slug, position, settings, created_at, updated_at, members_count)
     values (77, :ana, 'Space', 'space', 1, '{}', '${NOW}', '${NOW}', 1)`,
    `insert into space_members (space_id, user_id, role, joined_at, updated_at) values (77, :ana, 'admin', '${NOW}', '${NOW}')`,
    `insert into courses (id, title, slug, created_at, updated_at, sections_count, lessons_count, students_count)
     values (77, 'Course', 'course', '${NOW}', '${NOW}', 1, 1, 1), (78, 'Other', 'other', '${NOW}', '${NOW}', 0, 0, 0)`,
    `insert into course_prerequisites (course_id, required_id) values (77, 78)`,
    `insert into course_sections (id, course_id, title, slug, position, created_at, updated_at)
     values (77, 77, 'Section', 'section', 1, '${NOW}', '${NOW}')`,
    `insert into lessons (id, course_id, section_id, type, status, position, slug, title, created_at, updated_at)
     values (77, 77, 77, 'lesson', 'published', 1, 'lesson', 'Lesson', '${NOW}', '${NOW}')`,
    `insert into enrolments (id, course_id, user_id, enrolled_at, enrolled_epoch) values (77, 77, :bob, '${NOW}', 0)`,
    `insert into courses (id, title, slug, created_at, updated_at, sections_count, lessons_count, students_count)
     values (80, 'Exam', 'exam', '${NOW}', '${NOW}', 1, 1, 1)`,
    `insert into course_sections (id, course_id, title, slug, position, created_at, updated_at)
     values (80, 80, 'Section', 'section', 1, '${NOW}', '${NOW}')`,
    `insert into lessons (id, course_id, section_id, type, status, position, slug, title, created_at, updated_at)
     values (80, 80, 80, 'quiz', 'published', 1, 'quiz', 'Quiz', '${NOW}', '${NOW}')`,
    `insert into quiz_versions (id, lesson_id, questions, created_at) values (80, 80, '[]', '${NOW}')`,
    `insert into quizzes (lesson_id, version_id, updated_at) values (80, 80, '${NOW}')`,
    `insert into quiz_attempts (id, user_id, course_id, lesson_id, version_id, attempt_number, status, score, passed, started_at, submitted_at, graded_at)
     values (80, :bob, 80, 80, 80, 1, 'graded', 20, 0, '${LATER}', '${LATER}', '${LATER}'), (81, :bob, 80, 80, 80, 2, 'graded', 90, 1, '${LATER}', '${LATER}', '${LATER}')`,
    `insert into quiz_attempts (id, user_id, course_id, lesson_id, version_id, attempt_number, status, started_at)
     values (82, :ana, 80, 80, 80, 1, 'in_progress', '${LATER}')`,
    `insert into lesson_completions (user_id, lesson_id, course_id, completed_at) values (:bob, 80, 80, '${LATER}')`,
    `insert into enrolments (id, course_id, user_id, enrolled_at, enrolled_epoch, completed_lessons, progress, completed_at)
     values (80, 80, :bob, '${NOW}', 0, 1, 100, '${LATER}')`,
    `insert into course_completions (course_id, user_id, completed_at, certificate_code, certificate_at)
     values (80, :bob, '${LATER}', 'code', '${LATER}')`,
  )
})
afterAll(() => world.close())

const WEBHOOK = `insert into webhooks (id, name, url, secret, headers, created_at, updated_at)
  values (77, 'Hook', 'https://example.org/', '', '', '${NOW}', '${NOW}')`

/** What breaks each check, and the ids that must be found. */
const BREAKS: Record<string, readonly [statements: string[], found: string[]]> = {
  feed_comments_count: [['update feeds set comments_count = comments_count + 1 where id = :feed'], [':feed']],
  feed_reactions_count: [['update feeds set reactions_count = 0 where id = :feed'], [':feed']],
  comment_reactions_count: [['delete from reactions where comment_id = :reply'], [':reply']],
  space_posts_count: [['update feeds set space_id = 77 where id = :feed'], ['77']],
  space_members_count: [[`update space_members set status = 'pending' where space_id = 77`], ['77']],
  user_followers_count: [['update users set followers_count = 3 where id = :ana'], [':ana']],
  user_followings_count: [['update users set followings_count = 3 where id = :bob'], [':bob']],
  topic_posts_count: [['update topics set posts_count = 3'], [':topic', ':below']],
  feed_topics_dates: [[`update feed_topics set published_at = '2020-01-01 00:00:00'`], [':feed']],
  topic_parents: [['update topics set parent_id = :below where id = :topic'], [':below', ':topic']],
  topics_slug: [[`update topics set slug = upper((select slug from topics where id = :topic)) where id = :below`], [':below']],
  course_sections_count: [['update courses set sections_count = 4 where id = 77'], ['77']],
  course_lessons_count: [['update courses set lessons_count = 4 where id = 77'], ['77']],
  course_students_count: [['delete from enrolments where course_id = 77'], ['77']],
  survey_voters: [['update surveys set voters = 7 where feed_id = :survey'], [':survey']],
  survey_votes: [['update survey_options set votes = 7 where feed_id = :survey'], [':survey']],
  feed_listed: [
    ['update feeds set listed = 0 where id = :feed', `update feeds set status = 'draft' where id = :survey`],
    [':survey', ':feed'],
  ],
  listed_feed_counts: [['update listed_feed_counts set feeds_count = feeds_count - 1'], ['0 public']],
  lesson_sections: [['update lessons set course_id = 78 where id = 77'], ['77']],
  course_circles: [['insert into course_prerequisites (course_id, required_id) values (78, 77)'], ['77', '78']],
  comment_parents: [
    ['update comments set parent_id = :comment where id = :elsewhere', 'update comments set parent_id = :reply where id = :comment'],
    [':comment', ':reply', ':elsewhere'],
  ],
  reaction_feeds: [['update reactions set feed_id = :survey where comment_id = :reply'], ['2']],
  pinned_comments: [['update comments set is_sticky = 1 where id = :reply'], [':reply']],
  survey_options: [[`update survey_votes set option_slug = 'gone'`], [':survey']],
  activity_objects: [['update activities set object_id = 4711 where feed_id = :survey'], ['*']],
  scheduled_plans: [[`insert into scheduled_posts (feed_id, timezone) values (:feed, 'UTC')`], [':feed']],
  scheduled_jobs: [
    [`update feeds set status = 'scheduled', scheduled_at = '2031-01-01 00:00:00', listed = 0 where id = :survey`],
    [':survey'],
  ],
  published_once: [
    [`insert into events (name, payload, created_at) select name, payload, created_at from events where name = 'feed.published'`],
    ['*'],
  ],
  feed_search: [['delete from feed_search where rowid = :feed'], [':feed']],
  feeds_slug: [[`update feeds set slug = upper((select slug from feeds where id = :survey)) where id = :feed`], [':feed']],
  spaces_slug: [
    [
      `insert into spaces (id, title, slug, position, settings, created_at, updated_at) values (78, 's', 'SPACE', 2, '{}', '${NOW}', '${NOW}')`,
    ],
    ['78'],
  ],
  space_groups_slug: [
    ['g', 'G'].map(
      (slug) =>
        `insert into space_groups (title, slug, position, settings, created_at, updated_at) values ('g', '${slug}', 1, '{}', '${NOW}', '${NOW}')`,
    ),
    ['*'],
  ],
  attempt_numbers: [['update quiz_attempts set attempt_number = 3 where id = 81'], ['81']],
  attempts_open: [
    [
      'drop index quiz_attempts_open',
      `insert into quiz_attempts (id, user_id, course_id, lesson_id, version_id, attempt_number, status, started_at)
       values (83, :ana, 80, 80, 80, 2, 'in_progress', '${LATER}')`,
    ],
    ['83'],
  ],
  attempts_submitted: [
    [
      'update quiz_attempts set score = null where id = 80',
      'update quiz_attempts set graded_at = null where id = 81',
      `update quiz_attempts set submitted_at = '${LATER}' where id = 82`,
    ],
    ['80', '81', '82'],
  ],
  attempt_lessons: [['update quiz_attempts set course_id = 77 where id = 82'], ['82']],
  attempts_passed: [
    ['delete from lesson_completions', 'update enrolments set completed_lessons = 0, progress = 0, completed_at = null where id = 80'],
    ['81'],
  ],
  completion_courses: [['update lesson_completions set course_id = 77'], ['80']],
  enrolment_progress: [
    ['update enrolments set progress = 99 where id = 80', 'update enrolments set completed_lessons = 1 where course_id = 77'],
    ['77', '80'],
  ],
  enrolment_completed: [['update enrolments set completed_at = null where id = 80'], ['80']],
  certificates: [['update enrolments set completed_at = null where id = 80'], ['80 :bob']],
  held_feeds: [
    [
      `update feeds set status = 'pending', listed = 0 where id = :feed`,
      `insert into moderation_holds (feed_id, reason, created_at) values (:survey, 'spam', '${NOW}')`,
    ],
    [':feed', ':survey'],
  ],
  held_comments: [
    [
      `update comments set status = 'spam' where id = :reply`,
      `insert into moderation_holds (feed_id, comment_id, reason, created_at) values (:feed, :comment, 'spam', '${NOW}')`,
    ],
    [':comment', ':reply'],
  ],
  reports_own: [
    [
      `insert into reports (id, reporter_id, reported_user_id, object_type, object_id, reason, created_at, updated_at) values (77, :ana, :ana, 'user', :ana, 'spam', '${NOW}', '${NOW}')`,
    ],
    ['77'],
  ],
  total_points: [['update users set total_points = 3 where id = :bob'], [':bob']],
  daily_scores: [['update daily_scores set points = points + 1 where user_id = :ana'], [':ana']],
  period_scores: [['delete from period_scores where user_id = :ana'], [':ana']],
  contribution_counts: [['update contribution_counts set posts = posts + 1 where user_id = :ana'], [':ana']],
  points_reversals: [
    [
      `insert into points_ledger (user_id, kind, dedup_key, points, event_key, day, created_at, reverses)
       select user_id, kind, dedup_key, -1 - points, 'x' || event_key, day, created_at, id from points_ledger where user_id = :bob`,
    ],
    ['*'],
  ],
  points_once: [
    [
      `insert into points_ledger (user_id, kind, dedup_key, points, event_key, day, created_at)
       select user_id, kind, dedup_key, points, 'x' || event_key, day, created_at from points_ledger where user_id = :bob`,
    ],
    ['*'],
  ],
  webhook_events: [[WEBHOOK], ['77']],
  webhook_times: [
    [
      WEBHOOK,
      `insert into webhook_deliveries (id, webhook_id, event_id, event, name, payload, occurred_at, created_at)
       values (77, 77, 1, 'feed.created', 'feed.published', '{}', '${NOW}', '${NOW}')`,
      `insert into webhook_deliveries (id, webhook_id, event_id, event, name, payload, occurred_at, created_at, status, next_try_at)
       values (78, 77, 2, 'feed.created', 'feed.published', '{}', '${NOW}', '${NOW}', 'failed', '${NOW}')`,
    ],
    ['77', '78'],
  ],
  courses_slug: [[`update courses set slug = 'COURSE' where id = 78`], ['78']],
  users_username: [[`update users set username = 'ANA' where id = :bob`], [':bob']],
  users_email: [[`update users set email = 'ANA@example.org' where id = :bob`], [':bob']],
}

const UNDO = new Error('undo')

describe('a check detects its violation', () => {
  test('and each has its test', () => {
    expect(Object.keys(BREAKS).sort()).toEqual(CHECKS.map((check) => check.name).sort())
  })

  test.each(CHECKS)('$name', async (check) => {
    const [statements, expected] = BREAKS[check.name] ?? [[], []]
    const fill = (text: string) => text.replace(/:(\w+)/g, (whole, name: string) => (name in ids ? String(ids[name]) : whole))
    let after: (string | number)[] = []
    const undone = world.app.services.database.write(async (db) => {
      for (const text of statements) await runText(db, fill(text), [])
      after = await offenders(db, check, NOW)
      throw UNDO
    })
    await expect(undone).rejects.toBe(UNDO)
    expect(after.length).toBeGreaterThan(0)
    if (expected[0] !== '*') expect(after.map(String).sort()).toEqual(expected.map(fill).sort())
  })
})

test('a completed course without its certificate, and a certificate without its code', async () => {
  const check = CHECKS.find(({ name }) => name === 'certificates')!
  for (const text of [
    'delete from course_completions where course_id = 80',
    'update course_completions set certificate_at = null where course_id = 80',
    'update course_completions set certificate_code = null where course_id = 80',
  ]) {
    const undone = world.app.services.database.write(async (db) => {
      await runText(db, text, [])
      expect(await offenders(db, check, NOW)).toEqual([`80 ${ids['bob']}`])
      throw UNDO
    })
    await expect(undone).rejects.toBe(UNDO)
  }
})

test('sound data: exit code 0', async () => {
  expect(await lyceumJson<Report>(env, 'doctor')).toEqual({ ok: true, violations: [], warnings: [] })
  const { code, out } = await lyceum(env, ['doctor'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^All \d+ checks passed\.\n$/)])
})

test('wrong counters, lists, search entries and HTML: exit code 1 until they are repaired', async () => {
  await run(
    'update feeds set comments_count = 9, reactions_count = 9 where id = :feed',
    'update comments set reactions_count = 9 where id = :reply',
    'update spaces set members_count = 9, posts_count = 9 where id = 77',
    'update users set followers_count = 9, followings_count = 9 where id = :ana',
    'update surveys set voters = 9',
    'update survey_options set votes = 9',
    'update listed_feed_counts set feeds_count = 9',
    'update topics set posts_count = 9',
    'update enrolments set completed_lessons = 9, progress = 9 where id = 80',
    `update feed_topics set published_at = '2020-01-01 00:00:00'`,
    'delete from feed_search',
    `update feeds set message_rendered = '<script>old</script>' where id = :survey`,
    `update comments set message_rendered = 'stale' where id = :comment`,
  )
  const { code, out } = await lyceum(env, ['doctor'])
  expect(code).toBe(1)
  expect(out).toMatch(new RegExp(`violation {2}feed_comments_count \\(1\\): ${ids['feed']}\n`))
  const names = [
    'comment_html',
    'comment_reactions_count',
    'enrolment_progress',
    'feed_comments_count',
    'feed_html',
    'feed_reactions_count',
    'feed_search',
    'feed_topics_dates',
    'listed_feed_counts',
    'space_members_count',
    'space_posts_count',
    'survey_voters',
    'survey_votes',
    'topic_posts_count',
    'user_followers_count',
    'user_followings_count',
  ]
  const { violations } = JSON.parse((await lyceum(env, ['doctor', '--json'])).out) as Report
  expect(violations.map((violation) => violation.check).sort()).toEqual(names)

  const mended = await lyceumJson<Report>(env, 'doctor', '--repair')
  expect(mended).toMatchObject({ ok: true, violations: [] })
  expect(mended.repaired?.map(({ check }) => check).sort()).toEqual(names)
})

test('wrong analytics rollups are reported until they are rebuilt', async () => {
  const overview = async () => {
    await world.app.rollups.catchUp()
    return (await lyceumJsonAnyway(env)).violations.map(({ check, examples }) => [check, examples])
  }
  expect(await overview()).toEqual([])
  await run(`update analytics_hourly_rollups set posts = posts + 1`)
  expect(await overview()).toMatchObject([['analytics_figures', [expect.stringMatching(/^hour \d+ on 2026-03-10$/)]]])
  const mended = await lyceumJson<Report>(env, 'doctor', '--repair')
  expect(mended).toMatchObject({ ok: true, repaired: [{ check: 'analytics_figures' }] })
  expect(await overview()).toEqual([])
})

test('HTML that an earlier sanitizer allowed is rendered again, and mentions stay', async () => {
  const rendered = async () =>
    (
      await world.app.services.database.read
        .selectFrom('feeds')
        .select('message_rendered')
        .where('id', '=', ids['feed']!)
        .executeTakeFirstOrThrow()
    ).message_rendered
  const before = await rendered()
  expect(before).toContain('href="/u/bob"')
  await run(`update feeds set message_rendered = message_rendered || '<img src=x onerror=alert(1)>' where id = :feed`)
  await lyceumJson(env, 'doctor', '--repair')
  expect(await rendered()).toBe(before)
})

test('pending work without a worker is a warning', async () => {
  await run(
    `insert into jobs (name, payload, run_at, created_at, status) values ('x.y', '{}', '${NOW}', '${NOW}', 'parked')`,
    `insert into jobs (name, payload, run_at, created_at) values ('x.z', '{}', '${NOW}', '${NOW}')`,
    `update feeds set expired_at = '${NOW}' where id = :survey`,
    `insert into feeds (user_id, slug, message, message_rendered, status, scheduled_at, created_at, updated_at, published_at, active_at)
     values (:ana, 'later', 'later', '<p>later</p>', 'scheduled', '${NOW}', '${NOW}', '${NOW}', '${NOW}', '${NOW}')`,
  )
  const { violations, warnings } = await lyceumJsonAnyway(env)
  expect(violations.map((violation) => violation.check)).toEqual(['feed_search'])
  expect(warnings).toEqual([
    '1 job failed; see "lyceum jobs"',
    '1 job waits for more than a minute; does a server run?',
    '1 scheduled feed is overdue; does a server run?',
    '1 expired feed is still in lists; does a server run?',
  ])
  await run(`delete from feeds where slug = 'later'`, `delete from jobs`, 'update feeds set expired_at = null where id = :survey')
})

const lyceumJsonAnyway = async (where: Env): Promise<Report> => JSON.parse((await lyceum(where, ['doctor', '--json'])).out) as Report

test('a community without an administrator', async () => {
  expect(await lyceumJson<Report>(await readyEnv(), 'doctor')).toMatchObject({
    ok: true,
    warnings: ['the community has no administrator yet'],
  })
  await run(`update managers set status = 'inactive'`)
  expect((await lyceumJsonAnyway(env)).violations.map((violation) => violation.check)).toEqual(['administrator'])
  await run(`update managers set status = 'active'`)
})

if (process.env['LYCEUM_TEST_DATABASE'] === 'sqlite') {
  test('text that is not well-formed, or has a NUL in it', async () => {
    await run(
      `update users set location = cast(x'41EDA08042' as text) where id = :ana`,
      `update users set website = cast(x'410042' as text) where id = :bob`,
    )
    const { violations } = await lyceumJsonAnyway(env)
    expect(violations).toMatchObject([{ check: 'well_formed_text', count: 2, examples: [`users ${ids['ana']}`, `users ${ids['bob']}`] }])
  })
}
