import pino from 'pino'
import type { Random } from '#test/random.ts'
import { SOAK } from '#test/scale.ts'
import { type App, type CoreOptions, createApp } from '../../server/src/app.ts'
import { type Findings, runChecks } from '../../server/src/cli/doctor/run-checks.ts'
import { readConfig } from '../../server/src/config.ts'
import { nowOf } from '../../server/src/core/clock.ts'
import { listTables, migrate, runText } from '../../server/src/db/index.ts'
import { createAccount, createApplicationPassword, setRole } from '../../server/src/modules/accounts/index.ts'
import type { Operation } from './document.ts'
import type { FuzzRequest, Role } from './requests.ts'
import { PASSWORD, type Pools } from './values.ts'

type Env = Readonly<Record<string, string>>

const ACCOUNTS = ['outsider', 'member', 'moderator', 'administrator'] as const
const KEPT_VALUES = 300
/** Below this number, more are created. */
const LEAST_FEEDS = 60
const LEAST_SPACES = 6
const LEAST_COURSES = 8
const QUESTIONS = [
  {
    id: 'q1',
    type: 'true_false',
    question: 'Is it?',
    options: [
      { id: 'true', text: 'True', is_correct: true },
      { id: 'false', text: 'False', is_correct: false },
    ],
    correct_answer: null,
    points: 1,
    explanation: '',
  },
]

/** The log entry of a completed request. */
export interface Logged {
  /** The pattern of the matched route, e.g. `/api/v2/feeds/:feed_id`, or `(none)`. */
  readonly route: string
  readonly method: string
}

/** A small community with activity in this process, on a fresh database. */
export interface Community {
  readonly app: App
  /** Full address of the API on a real port. */
  readonly base: string
  readonly pools: Pools
  /** The credential headers of a request. */
  credentials(request: Pick<FuzzRequest, 'role' | 'session'>): Record<string, string>
  /** The log entry of that request; undefined if there is none. */
  logged(requestId: string): Promise<Logged | undefined>
  /** Warnings and errors logged since the last call. */
  complaints(): string[]
  /** Stores ids from a response for later requests. */
  learn(operation: Operation, body: unknown): void
  /** Restores the six roles and replaces deleted data. */
  heal(): Promise<void>
  /** Runs all jobs and checks the data. */
  runChecks(): Promise<Findings>
  close(): Promise<void>
}

interface Values {
  readonly list: (string | number)[]
  readonly known: Set<string | number>
}

const singular = (plural: string) => plural.replace(/ies$/, 'y').replace(/s$/, '')
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Parameters whose name does not match their table. */
const TABLES: Readonly<Record<string, readonly [table: string, column: string]>> = {
  parent_id: ['comments', 'id'],
  object_id: ['feeds', 'id'],
  post_id: ['feeds', 'id'],
  media_id: ['media', 'id'],
  group_id: ['space_groups', 'id'],
  id: ['application_passwords', 'id'],
  username: ['users', 'username'],
  login: ['users', 'username'],
  request_id: ['followers', 'id'],
  space: ['spaces', 'slug'],
  option_slug: ['survey_options', 'slug'],
  section_id: ['course_sections', 'id'],
  quiz_id: ['quiz_attempts', 'id'],
  delivery_id: ['webhook_deliveries', 'id'],
  from_course_id: ['courses', 'id'],
  code: ['course_completions', 'certificate_code'],
  export_id: ['data_exports', 'id'],
}

/** Dependencies that replace the server's own. */
type Stands = Partial<Pick<CoreOptions, 'database' | 'clock' | 'outbound' | 'providers'>>

export const createCommunity = async (env: Env, random: Random, options: Stands = {}): Promise<Community> => {
  const requests = new Map<string, Logged>()
  let complaints: string[] = []
  const log = pino(
    { level: 'info', base: null },
    {
      write: (line: string) => {
        const entry = JSON.parse(line) as {
          level: number
          msg: string
          event?: string
          request_id?: string
          route?: string
          method?: string
          err?: { type?: string; stack?: string }
        }
        // Not faults of the server: remote hosts that do not respond, last-seen batches whose rows are locked (they are retried), and, in
        // short runs, an event loop that other work on the machine delays.
        const locked = entry.event === 'presence_record_failed' && /lock timeout/.test(entry.err?.stack ?? '')
        const delayed = entry.event === 'event_loop_blocked' && SOAK <= 1
        const expected = entry.err?.type === 'OutboundError' || locked || delayed
        if (entry.level >= 40 && !expected) complaints.push(`${entry.msg}: ${entry.err?.stack ?? line}`)
        if (entry.request_id && entry.route && entry.method) requests.set(entry.request_id, { route: entry.route, method: entry.method })
        if (requests.size > 5000) requests.clear()
      },
    },
  )
  const config = readConfig({ LYCEUM_PORT: '0', LYCEUM_RATE_LIMIT: 'off', ...env })
  const app = await createApp({ config, log, passwordCost: 4, ...options })
  const { services } = app
  const { database } = services
  await migrate(database, nowOf(services.clock))
  const base = await app.listen()

  const ids = new Map<Role, number>()
  const authorizations = new Map<Role, string>()
  const sessions = new Map<Role, Record<string, string>>()
  const values = new Map<string, Values>()
  const wantedPairs = new Map<string, readonly [string, string]>()
  const pairs = new Map<string, (readonly (string | number)[])[]>()
  const tables = new Map((await listTables(database.read)).map((table) => [table.name, table]))

  const remember = (name: string, value: string | number) => {
    let entry = values.get(name)
    if (!entry) {
      entry = { list: [], known: new Set() }
      values.set(name, entry)
    }
    if (entry.known.has(value)) return
    entry.known.add(value)
    if (entry.list.push(value) > KEPT_VALUES) entry.known.delete(entry.list.shift() as string | number)
  }

  /** Table and column that a parameter of that name refers to. */
  const sourceOf = (name: string): readonly [string, string] | undefined => {
    const [, subject, column] = /^(.+)_(id|slug)$/.exec(name) ?? []
    const guess = TABLES[name] ?? (subject && column ? [`${subject}s`, column] : undefined)
    return guess && tables.get(guess[0])?.columns.includes(guess[1]) ? (guess as readonly [string, string]) : undefined
  }

  /** Ids of other people's objects come from the tables, so that requests also target objects their callers must not see. */
  const refresh = async () => {
    const names = new Set([
      ...values.keys(),
      ...Object.keys(TABLES),
      'feed_id',
      'feed_slug',
      'comment_id',
      'reaction_id',
      'user_id',
      'space_id',
      'space_slug',
      'topic_id',
      'topic_slug',
      'course_id',
      'course_slug',
      'section_id',
      'lesson_id',
      'lesson_slug',
      'quiz_id',
      'webhook_id',
      'report_id',
      'export_id',
    ])
    const sources = [...names].flatMap((name) => {
      const source = sourceOf(name)
      return source ? [{ name, table: source[0], column: source[1] }] : []
    })
    const found = await Promise.all(
      sources.map(({ table, column }) =>
        runText<{ value: string | number }>(
          database.read,
          `select ${column} as value from (select ${column} from ${table} order by ${tables.get(table)?.key[0]} desc limit 150) t`,
          [],
        ),
      ),
    )
    sources.forEach(({ name }, i) => {
      values.delete(name)
      for (const { value } of found[i] ?? []) remember(name, value)
    })
    for (const role of ACCOUNTS) remember('username', role)
    for (const [first, second] of wantedPairs.values())
      pairs.set(
        `${first} ${second}`,
        (await pairsOf(first, second)).map((row) => [row.first, row.second]),
      )
  }

  /** Pairs come from the table of the second name, which has a column for the first. */
  const pairsOf = async (first: string, second: string) => {
    if (first === 'space_slug' && second === 'user_id')
      return await database.read
        .selectFrom('space_members')
        .innerJoin('spaces', 'spaces.id', 'space_members.space_id')
        .select(['spaces.slug as first', 'space_members.user_id as second'])
        .orderBy('space_members.id', 'desc')
        .limit(KEPT_VALUES)
        .execute()
    if (first === 'course_id' && second === 'user_id')
      return await database.read
        .selectFrom('enrolments')
        .select(['course_id as first', 'user_id as second'])
        .orderBy('id', 'desc')
        .limit(KEPT_VALUES)
        .execute()
    const [table, column] = sourceOf(second) ?? []
    const columns = (table && tables.get(table)?.columns) || []
    const reference = [first, ...(first === 'feed_id' ? ['post_id'] : [])].find((name) => columns.includes(name))
    if (!reference) return []
    const text = `select ${reference} as first, ${column} as second from ${table} order by 1 desc, 2 desc limit ${KEPT_VALUES}`
    return await runText<{ first: string | number; second: string | number }>(database.read, text, [])
  }

  const learn = (operation: Operation, body: unknown) => {
    const visit = (value: unknown, name: string, depth: number) => {
      if (depth > 8 || value === null || value === undefined) return
      if (Array.isArray(value)) for (const item of value.slice(0, 10)) visit(item, name, depth + 1)
      else if (typeof value === 'object') for (const [key, item] of Object.entries(value)) visit(item, key, depth + 1)
      else if (name === 'id' && typeof value === 'number') remember(`${snake(singular(operation.group))}_id`, value)
      else if (/(_id|_slug|^slug|cursor|token|nonce)$/.test(name) && typeof value !== 'boolean' && String(value).length < 500)
        remember(name.replace(/^next_/, ''), value as string | number)
    }
    visit(body, '', 0)
  }

  const account = async (role: (typeof ACCOUNTS)[number], passwordHash: string) => {
    const found = await database.read.selectFrom('users').select('id').where('username', '=', role).executeTakeFirst()
    const known = ids.get(role)
    const id = await app.write(null, async (ctx) => {
      const account = { username: role, email: `${role}@example.org`, passwordHash, displayName: role }
      // A renamed account keeps its email address.
      const others = ctx.db.updateTable('users').where('email', '=', account.email).where('username', '<>', role)
      await others.set({ email: `former-${ctx.services.clock.now().getTime()}@example.org` }).execute()
      // The former username and email address of a changed account are reserved.
      if (!found) {
        await ctx.db.deleteFrom('former_usernames').execute()
        await ctx.db.deleteFrom('tokens').where('email', '=', account.email).execute()
      }
      const userId = found?.id ?? (await createAccount(ctx, account))
      await ctx.db
        .updateTable('users')
        .set({ status: 'active', password_hash: passwordHash, email: account.email })
        .where('id', '=', userId)
        .execute()
      await setRole(ctx, userId, role === 'administrator' ? 'admin' : role === 'moderator' ? 'moderator' : 'member', null)
      return userId
    })
    ids.set(role, id)
    const signedIn = await app.http.inject({
      method: 'POST',
      url: `${config.apiRoot}/auth/login`,
      payload: { login: role, password: PASSWORD },
    })
    const [cookie] = signedIn.cookies
    sessions.set(role, { cookie: `${cookie?.name}=${cookie?.value}`, 'x-lyceum-nonce': signedIn.json().nonce })
    const current = authorizations.get(role)
    const answer = current && (await app.http.inject({ url: `${config.apiRoot}/auth/session`, headers: { authorization: current } }))
    if (known === id && answer && answer.statusCode === 200) return
    const { password } = await app.write(null, (ctx) => createApplicationPassword(ctx, id, 'fuzz'))
    authorizations.set(role, `Basic ${Buffer.from(`${role}:${password}`).toString('base64')}`)
  }

  const call = async (role: Role, method: 'GET' | 'POST', path: string, payload?: object) => {
    const answer = await app.http.inject({
      method,
      url: config.apiRoot + path,
      headers: { authorization: authorizations.get(role) as string },
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} of the ${role} is answered with ${answer.statusCode}: ${answer.payload}`)
    return answer.json()
  }

  const count = async (table: 'feeds' | 'spaces' | 'courses') =>
    (
      await database.read
        .selectFrom(table)
        .select((of) => of.fn.countAll<number>().as('n'))
        .executeTakeFirst()
    )?.n ?? 0

  const plantSpaces = async () => {
    for (const privacy of ['public', 'private', 'secret', 'public', 'private', 'secret']) {
      const slug = `${privacy}-${random.int(1e9)}`
      await call('administrator', 'POST', '/spaces', { title: `A ${privacy} space`, slug, privacy })
    }
  }

  /** The member is in every space, the moderator moderates them, the outsider is in none. */
  const enrol = async () => {
    const spaces = await database.read.selectFrom('spaces').select(['id', 'slug']).orderBy('id', 'desc').limit(LEAST_SPACES).execute()
    const now = nowOf(services.clock)
    await app.write(null, async ({ db }) => {
      await db.deleteFrom('settings').execute()
      for (const { id } of spaces) {
        for (const role of ['member', 'moderator'] as const) {
          await db
            .insertInto('space_members')
            .values({ space_id: id, user_id: ids.get(role) as number, role, status: 'active', joined_at: now, updated_at: now })
            .onConflict((conflict) => conflict.columns(['space_id', 'user_id']).doUpdateSet({ role, status: 'active' }))
            .execute()
        }
        await db
          .deleteFrom('space_members')
          .where('space_id', '=', id)
          .where('user_id', '=', ids.get('outsider') as number)
          .execute()
        await db
          .updateTable('spaces')
          .set((of) => ({
            members_count: of
              .selectFrom('space_members')
              .select((rows) => rows.fn.countAll<number>().as('n'))
              .where('space_id', '=', id)
              .where('status', '=', 'active'),
            status: 'published',
            settings: '{}',
          }))
          .where('id', '=', id)
          .execute()
      }
    })
    return spaces
  }

  const plantFeeds = async (spaces: readonly { id: number }[]) => {
    const survey = {
      question: 'Tea?',
      options: [
        { slug: 'yes', label: 'Yes' },
        { slug: 'no', label: 'No' },
      ],
    }
    for (let i = 0; i < 40; i++) {
      const space_id = i % 3 === 0 ? null : (spaces[i % spaces.length]?.id ?? null)
      const extra = [
        {},
        {},
        {},
        { meta: { survey } },
        { status: 'draft' },
        { status: 'scheduled', scheduled_at: '2040-01-01 00:00:00' },
        { privacy: 'private' },
        { type: 'question' },
      ]
      const author = i % 5 === 0 && space_id === null ? 'outsider' : i % 7 === 0 ? 'administrator' : 'member'
      const { data } = await call(author, 'POST', '/feeds', {
        title: `Feed ${i}`,
        message: `Something about **rivers** ${i}`,
        space_id,
        ...extra[i % extra.length],
      })
      if (data.status !== 'published' || 'privacy' in (extra[i % extra.length] as object)) continue
      const { data: comment } = await call('member', 'POST', `/feeds/${data.id}/comments`, { comment: `A comment on ${i}` })
      await call('moderator', 'POST', `/feeds/${data.id}/comments`, { comment: 'A reply', parent_id: comment.id })
      await call('moderator', 'POST', `/feeds/${data.id}/react`, { type: 'love' })
      await call('member', 'POST', `/feeds/${data.id}/comments/${comment.id}/reactions`, { type: 'like' })
      await call('administrator', 'POST', `/feeds/${data.id}/react`, { react_type: 'bookmark' })
      if (i % 6 === 0) await call('moderator', 'POST', '/moderation/report', { object_id: data.id, object_type: 'feed', reason: 'spam' })
    }
  }

  /** Public courses taught by the administrator, each with a lesson and a quiz that the member and the outsider may take. */
  const plantCourses = async () => {
    const now = nowOf(services.clock)
    const teacher = ids.get('administrator') as number
    for (let i = 0; i < LEAST_COURSES; i++) {
      const mark = `${random.int(1e9)}-${i}`
      await app.write(null, async ({ db }) => {
        const stamps = { created_at: now, updated_at: now }
        const course = await db
          .insertInto('courses')
          .values({
            title: `Course ${mark}`,
            slug: `course-${mark}`,
            status: 'published',
            category_id: null,
            instructor_id: teacher,
            created_by: teacher,
            sections_count: 1,
            lessons_count: 2,
            students_count: 2,
            published_at: now,
            ...stamps,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const place = { course_id: course.id }
        const section = await db
          .insertInto('course_sections')
          .values({ ...place, title: 'Section', slug: 'section', position: 1, scheduled_at: null, ...stamps })
          .returning('id')
          .executeTakeFirstOrThrow()
        const lessons: number[] = []
        for (const [position, type] of (['lesson', 'quiz'] as const).entries()) {
          const lesson = await db
            .insertInto('lessons')
            .values({
              ...place,
              section_id: section.id,
              feed_id: null,
              type,
              status: 'published',
              position: position + 1,
              slug: type,
              title: type,
              ...stamps,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
          lessons.push(lesson.id)
        }
        const quiz = { lesson_id: lessons.at(-1) as number }
        const version = await db
          .insertInto('quiz_versions')
          .values({ ...quiz, questions: JSON.stringify(QUESTIONS), created_at: now })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('quizzes')
          .values({ ...quiz, version_id: version.id, updated_at: now })
          .execute()
        await db
          .insertInto('quiz_attempts')
          .values({
            ...place,
            ...quiz,
            version_id: version.id,
            user_id: ids.get('outsider') as number,
            attempt_number: 1,
            status: 'graded',
            score: 0,
            points_possible: 1,
            total_questions: 1,
            started_at: now,
            submitted_at: now,
            graded_at: now,
            graded_by: null,
          })
          .execute()
        for (const role of ['member', 'outsider'] as const)
          await db
            .insertInto('enrolments')
            .values({
              ...place,
              user_id: ids.get(role) as number,
              enrolled_at: now,
              enrolled_epoch: 0,
              added_by: null,
              last_accessed_at: null,
              last_lesson_id: null,
              completed_at: null,
            })
            .execute()
      })
    }
  }

  /** The outsider has pending follow requests to two people. */
  const askToFollow = async () => {
    for (const role of ['member', 'administrator'] as const) {
      await app.write(null, ({ db }) =>
        db
          .updateTable('users')
          .set({ is_private: 1 })
          .where('id', '=', ids.get(role) as number)
          .execute(),
      )
      const [method, headers] = ['POST', { authorization: authorizations.get('outsider') as string }] as const
      for (const what of ['unfollow', 'follow'])
        await app.http.inject({ method, url: `${config.apiRoot}/profile/${role}/${what}`, headers })
    }
  }

  const heal = async () => {
    const hash = await services.passwords.hashPassword(PASSWORD)
    for (const role of ['administrator', 'outsider', 'member', 'moderator'] as const) await account(role, hash)
    if ((await count('spaces')) < LEAST_SPACES) await plantSpaces()
    if ((await count('courses')) < LEAST_COURSES) await plantCourses()
    const spaces = await enrol()
    if ((await count('feeds')) < LEAST_FEEDS) await plantFeeds(spaces)
    await askToFollow()
    await refresh()
  }

  return {
    app,
    base,
    pools: {
      pick: (name, chance) => {
        const entry = values.get(name)
        return entry && entry.list.length > 0 ? chance.pick(entry.list) : undefined
      },
      together: ([first = '', second = '', ...more], chance) => {
        const key = `${first} ${second}`
        if (more.length === 0) wantedPairs.set(key, [first, second])
        const found = pairs.get(key) ?? []
        return found.length > 0 && more.length === 0 ? chance.pick(found) : undefined
      },
    },
    credentials: ({ role, session }) => {
      if (role === 'stranger') return { authorization: `Basic ${Buffer.from('member:not the password').toString('base64')}` }
      const authorization = authorizations.get(role)
      return (session && sessions.get(role)) || (authorization === undefined ? {} : { authorization })
    },
    logged: async (requestId) => {
      // The log line is written after the response is sent, so it may appear after the response arrives.
      for (let turn = 0; turn < 100 && !requests.has(requestId); turn++) await new Promise(setImmediate)
      const found = requests.get(requestId)
      requests.delete(requestId)
      return found
    },
    complaints: () => {
      const all = complaints
      complaints = []
      return all
    },
    learn,
    heal,
    runChecks: async () => {
      await app.worker.stop()
      await app.worker.runPending()
      return runChecks(database, { now: nowOf(services.clock), sample: Number.MAX_SAFE_INTEGER })
    },
    close: () => app.close(),
  }
}
