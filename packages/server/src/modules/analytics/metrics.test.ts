import { afterAll, beforeAll, expect, test } from 'vitest'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { insertRows, runText, type Value } from '../../db/index.ts'
import { saveSettings } from '../settings/index.ts'
import { findWrongRollups, rebuildRollups } from './index.ts'
import { rollupStateOf } from './rollup-state.ts'

/** Number of posts, comments and reactions; set a larger one by hand. */
const EVENTS = Number(process.env['METRICS_EVENTS'] ?? 700)
const PEOPLE = 40
const SPACES = 6
const MONTH = Date.UTC(2026, 2, 1)
const LENGTH_S = 31 * 24 * 3600

/** Returns the same numbers in every run. */
const createRandom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
  return { below: (n: number) => Math.floor(next() * n), chance: (p: number) => next() < p }
}
const random = createRandom(20260331)

let world: World
let admin: Member
let people: number[] = []

const write = (text: string, values: Value[] = []) => world.app.services.database.write((db) => runText(db, text, values))
const read = <Row>(text: string) => runText<Row>(world.app.services.database.read, text, [])
const moment = () => new Date(MONTH + random.below(LENGTH_S) * 1000).toISOString().slice(0, 19).replace('T', ' ')
const someone = () => people[random.below(people.length)] as number
const ids = async (table: string) => (await read<{ id: number }>(`select id from ${table} order by id`)).map(({ id }) => id)

const insert = (table: string, columns: string[], rows: Value[][]) =>
  world.app.services.database.write((db) => insertRows(db, table, columns, rows))
const times = (n: number, row: (i: number) => Value[]) => Array.from({ length: n }, (_, i) => row(i))

const fill = async () => {
  const born = times(PEOPLE, (i) => {
    const at = random.chance(0.5) ? moment() : '2025-06-01 10:00:00'
    return [`p${i}`, `p${i}@example.org`, `P ${i}`, random.chance(0.1) ? 'banned' : 'active', at, at]
  })
  await insert('users', ['username', 'email', 'display_name', 'status', 'created_at', 'updated_at'], born)
  people = (await ids('users')).slice(-PEOPLE)
  await insert(
    'spaces',
    ['title', 'slug', 'position', 'settings', 'created_at', 'updated_at'],
    times(SPACES, (i) => [`S ${i}`, `s${i}`, i, '{}', '2026-01-01 00:00:00', '2026-01-01 00:00:00']),
  )
  const spaces = await ids('spaces')
  const memberships = spaces.flatMap((space) =>
    people
      .filter(() => random.chance(0.4))
      .map((user) => {
        const at = moment()
        return [space, user, random.chance(0.9) ? 'active' : 'pending', at, at]
      }),
  )
  await insert('space_members', ['space_id', 'user_id', 'status', 'joined_at', 'updated_at'], memberships)
  const n = Math.ceil(EVENTS / 5)
  await insert(
    'feeds',
    ['user_id', 'space_id', 'status', 'published_at', 'active_at', 'created_at', 'updated_at', 'slug', 'message', 'message_rendered'],
    times(n, (i) => {
      const at = moment()
      const space = random.chance(0.2) ? null : (spaces[random.below(SPACES)] as number)
      return [
        someone(),
        space,
        ['published', 'published', 'published', 'draft', 'pending'][random.below(5)] as string,
        at,
        at,
        at,
        at,
        `f${i}`,
        '',
        '',
      ]
    }),
  )
  const feeds = await ids('feeds')
  await insert(
    'comments',
    ['user_id', 'post_id', 'status', 'created_at', 'updated_at', 'message', 'message_rendered'],
    times(n * 2, () => {
      const at = moment()
      return [someone(), feeds[random.below(feeds.length)] as number, random.chance(0.9) ? 'published' : 'pending', at, at, '', '']
    }),
  )
  const comments = await read<{ id: number; post_id: number }>('select id, post_id from comments')
  const seen = new Set<string>()
  const reactions: Value[][] = []
  for (let i = 0; i < n * 2; i++) {
    const at = moment()
    const on = random.chance(0.4) ? comments[random.below(comments.length)] : undefined
    const [user, feed] = [someone(), on?.post_id ?? (feeds[random.below(feeds.length)] as number)]
    const key = `${user} ${on ? `c${on.id}` : feed}`
    if (!seen.has(key)) reactions.push([user, feed, on?.id ?? null, 'like', at, at])
    seen.add(key)
  }
  await insert('reactions', ['user_id', 'feed_id', 'comment_id', 'type', 'created_at', 'updated_at'], reactions)
  // Replies are deleted with their comment.
  await write(
    'update comments set parent_id = (select min(c.id) from comments c where c.post_id = comments.post_id and c.id < comments.id) where id % 7 = 0',
  )
  await count()
}

/** Updates the counters that the modules maintain. */
const count = async () => {
  await write(`update feeds set comments_count = (select count(*) from comments c where c.post_id = feeds.id and c.status = 'published'),
    reactions_count = (select count(*) from reactions r where r.feed_id = feeds.id and r.comment_id is null)`)
  await write('update comments set reactions_count = (select count(*) from reactions r where r.comment_id = comments.id)')
  await write(
    `update spaces set members_count = (select count(*) from space_members m where m.space_id = spaces.id and m.status = 'active')`,
  )
}

interface Row {
  readonly kind: 'posts' | 'comments' | 'reactions'
  readonly at: string
  readonly user_id: number
  readonly space_id: number | null
  readonly got_reactions: number
  readonly got_comments: number
  day: string
  hour: number
}

const SPACE = '(select f.space_id from feeds f where f.id ='
const rowsOf = async (zone: string): Promise<Row[]> => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })
  const rows = await read<Row>(`select 'posts' as kind, published_at as at, user_id, space_id, reactions_count as got_reactions,
    comments_count as got_comments from feeds where status = 'published'
    union all select 'comments', created_at, user_id, ${SPACE} comments.post_id), reactions_count, 0 from comments where status = 'published'
    union all select 'reactions', created_at, user_id, ${SPACE} reactions.feed_id), 0, 0 from reactions`)
  return rows.map((row) => {
    const [day = '', time = ''] = format.format(new Date(`${row.at.replace(' ', 'T')}Z`)).split(', ')
    return { ...row, day, hour: Number(time.slice(0, 2)) }
  })
}

const two = (n: number) => Math.round(n * 100) / 100

/** The expected responses, computed from all rows without the code under test. */
const recomputed = async (zone: string, from: string, to: string) => {
  const all = await rowsOf(zone)
  const inside = all.filter((row) => row.day >= from && row.day <= to)
  const users = await read<{ id: number; status: string; created_at: string }>('select id, status, created_at from users')
  const active = new Set(users.filter((user) => user.status === 'active').map(({ id }) => id))
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  const bornOn = new Map(users.map((user) => [user.id, format.format(new Date(`${user.created_at.replace(' ', 'T')}Z`))]))
  const number = (rows: Row[], kind: Row['kind']) => rows.filter((row) => row.kind === kind).length
  const whoIn = (rows: Row[]) => new Set(rows.map((row) => row.user_id).filter((id) => active.has(id)))
  const born = (first: string, last: string) =>
    [...active].filter((id) => (bornOn.get(id) ?? '') >= first && (bornOn.get(id) ?? '') <= last)
  const ranked = (kinds: (rows: Row[]) => number) =>
    [...whoIn(inside)]
      .map((id) => ({ id, rows: inside.filter((row) => row.user_id === id) }))
      .map((one) => ({ ...one, score: kinds(one.rows) }))
      .filter((one) => one.score > 0)
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, 10)
  const score = (rows: Row[]) => number(rows, 'posts') * 3 + number(rows, 'comments') * 2 + number(rows, 'reactions')
  const own = (rows: Row[], kind: Row['kind']) => rows.filter((row) => row.kind === kind)
  const mean = (rows: Row[], of: 'got_reactions' | 'got_comments') => two(rows.reduce((sum, row) => sum + row[of], 0) / rows.length)
  return { all, inside, active, number, whoIn, born, bornOn, ranked, score, own, mean }
}

/** Applies all pending changes; with many events, reads do not wait for that. */
const caughtUp = async () => {
  while ((await rollupStateOf(world.app.services.database.read)) !== 'current') await world.app.rollups.catchUp()
}

const compare = async (zone: string, from: string, to: string) => {
  await caughtUp()
  const is = await recomputed(zone, from, to)
  const { analytics } = admin.api
  const range = { date_from: from, date_to: to }
  const overview = await analytics.overviewWidget(range)
  expect(overview).toEqual({
    total_members: is.active.size,
    new_members: is.born(from, to).length,
    total_posts: is.number(is.all, 'posts'),
    new_posts: is.number(is.inside, 'posts'),
    total_comments: is.number(is.all, 'comments'),
    new_comments: is.number(is.inside, 'comments'),
    total_reactions: is.number(is.all, 'reactions'),
    new_reactions: is.number(is.inside, 'reactions'),
    active_spaces: new Set(is.inside.flatMap((row) => row.space_id ?? [])).size,
    engagement_rate: two((is.whoIn(is.inside).size / is.active.size) * 100),
  })
  for (const interval of ['day', 'week', 'month'] as const) {
    const startOf = (day: string) => {
      if (interval === 'month') return `${day.slice(0, 7)}-01`
      const date = new Date(day)
      if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
      return date.toISOString().slice(0, 10)
    }
    const { data } = await analytics.overviewActivity({ ...range, interval })
    const { data: moves } = await analytics.membersActivity({ ...range, interval })
    const starts = new Map<string, [first: string, last: string]>()
    for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10)
      starts.set(startOf(day), [starts.get(startOf(day))?.[0] ?? day, day])
    }
    const expected = [...starts].map(([date, [first, last]]) => {
      const rows = is.inside.filter((row) => startOf(row.day) === date)
      return {
        date,
        posts: is.number(rows, 'posts'),
        comments: is.number(rows, 'comments'),
        reactions: is.number(rows, 'reactions'),
        new_members: is.born(first, last).length,
        active_users: is.whoIn(rows).size,
        returning: [...is.whoIn(rows)].filter((id) => (is.bornOn.get(id) ?? '') < first).length,
      }
    })
    expect(data).toEqual(expected.map(({ returning, ...rest }) => rest))
    expect(moves).toEqual(
      expected.map(({ date, new_members, active_users, returning }) => ({
        date,
        new_members,
        active_members: active_users,
        returning_members: returning,
      })),
    )
  }
  const popular = await analytics.popularDayTime(range)
  const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
  const weekday = (day: string) => weekdays.format(new Date(day))
  for (const [name, n] of Object.entries(popular.by_day))
    expect([name, n]).toEqual([name, is.inside.filter((row) => weekday(row.day) === name).length])
  for (const [hour, n] of Object.entries(popular.by_hour))
    expect([hour, n]).toEqual([hour, is.inside.filter((row) => row.hour === Number(hour)).length])

  const { members } = await analytics.topMembers(range)
  expect(members.map((m) => [m.id, m.posts_count, m.comments_count, m.reactions_count, m.engagement_score])).toEqual(
    is
      .ranked(is.score)
      .map(({ id, rows, score }) => [id, is.number(rows, 'posts'), is.number(rows, 'comments'), is.number(rows, 'reactions'), score]),
  )
  const starters = (await analytics.topPostStarters(range)).members
  expect(starters.map((m) => [m.id, m.posts_count, m.average_reactions, m.average_comments])).toEqual(
    is
      .ranked((rows) => is.number(rows, 'posts'))
      .map(({ id, rows, score }) => {
        const posts = is.own(rows, 'posts')
        return [id, score, is.mean(posts, 'got_reactions'), is.mean(posts, 'got_comments')]
      }),
  )
  const commenters = (await analytics.topCommenters(range)).members
  expect(commenters.map((m) => [m.id, m.comments_count, m.average_reactions])).toEqual(
    is
      .ranked((rows) => is.number(rows, 'comments'))
      .map(({ id, rows, score }) => [id, score, is.mean(is.own(rows, 'comments'), 'got_reactions')]),
  )
  const spaces = await read<{ id: number }>('select id from spaces')
  const liveliest = spaces
    .map(({ id }) => is.inside.filter((row) => row.space_id === id).concat())
    .map(
      (rows, i) =>
        [spaces[i]?.id, is.number(rows, 'posts'), is.number(rows, 'comments'), is.score(rows)] as [number, number, number, number],
    )
    .filter(([, , , score]) => score > 0)
    .sort((a, b) => b[3] - a[3] || a[0] - b[0])
  expect((await analytics.popularSpaces(range)).spaces.map((s) => [s.id, s.posts_count, s.comments_count, s.engagement_score])).toEqual(
    liveliest,
  )
  const memberships = await read<{ space_id: number; joined_at: string }>(
    `select space_id, joined_at from space_members where status = 'active'`,
  )
  // Created once: creation costs a thousand times as much as use.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  const joined = memberships.filter(({ joined_at }) => {
    const day = format.format(new Date(`${joined_at.replace(' ', 'T')}Z`))
    return day >= from && day <= to
  })
  const { data: inSpaces } = await analytics.spacesActivity(range)
  expect(inSpaces.reduce((sum, day) => sum + day.new_members, 0)).toBe(joined.length)
  expect(inSpaces.reduce((sum, day) => sum + day.comments, 0)).toBe(
    is.inside.filter((row) => row.kind === 'comments' && row.space_id !== null).length,
  )
}

/** Days are computed by the server, so that two are enough on PostgreSQL. */
const ZONES =
  SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'
    ? ['UTC', 'America/St_Johns', 'Europe/Berlin', 'Pacific/Chatham']
    : ['America/St_Johns', 'Pacific/Chatham']
const setZone = (timezone: string) => world.app.write(null, (ctx) => saveSettings(ctx, { timezone }))

/** All stored rows. */
const stored = async () => {
  const rows = async (table: string, columns: string, key: string) =>
    read<object>(`select ${columns} from ${table} where generation = (select generation from analytics_state) order by ${key}`)
  return {
    members: await rows(
      'analytics_member_rollups',
      'span, start, user_id, joined, posts, comments, reactions, post_reactions, post_comments, comment_reactions',
      'span, start, user_id',
    ),
    spaces: await rows('analytics_space_rollups', 'day, space_id, posts, comments, reactions, joins', 'day, space_id'),
    hours: await rows('analytics_hourly_rollups', 'day, hour, posts, comments, reactions, members', 'day, hour'),
  }
}

beforeAll(async () => {
  world = await createWorld({ start: '2026-04-02T12:00:00Z' })
  admin = await world.member({ role: 'admin' })
  await fill()
}, 600_000)
afterAll(() => world.close())

test.each(ZONES)('a month in %s equals a recount of its rows', { timeout: 600_000 }, async (zone) => {
  await setZone(zone)
  await compare(zone, '2026-03-01', '2026-03-31')
  await compare(zone, '2026-02-25', '2026-04-02')
  await compare(zone, '2026-03-08', '2026-03-08')
  expect(await findWrongRollups(world.app.services.database.read)).toEqual([])
})

test('it does after every change, and a rebuild gives the same rows', { timeout: 900_000 }, async () => {
  const zone = 'Asia/Kolkata'
  await setZone(zone)
  await admin.api.analytics.overviewWidget({})
  const spaces = await ids('spaces')
  const [s0, s1, s2] = spaces as [number, number, number]
  const [p0, p1, p2, p3] = people as [number, number, number, number]
  const changes: Record<string, [text: string, values?: Value[]][]> = {
    'feeds are hidden and shown': [
      [`update feeds set status = 'spam' where status = 'published' and id % 5 = 0`],
      [`update feeds set status = 'published' where status = 'pending' and id % 3 = 0`],
    ],
    'comments are hidden and shown': [
      [`update comments set status = 'pending' where status = 'published' and id % 6 = 0`],
      [`update comments set status = 'published' where status = 'pending' and id % 4 = 0`],
    ],
    'feeds move': [
      [`update feeds set space_id = $1 where space_id = $2 and id % 2 = 0`, [s0, s1]],
      ['update feeds set space_id = null where id % 11 = 0'],
    ],
    'feeds are deleted with what hangs on them': [['delete from feeds where id % 9 = 0']],
    'comments are deleted with their replies': [['delete from comments where id % 8 = 0']],
    'reactions are taken back': [['delete from reactions where id % 5 = 0']],
    'people are banned, and others come back': [
      [`update users set status = 'banned' where id = $1`, [p0]],
      [`update users set status = 'active' where status = 'banned' and id <> $1`, [p0]],
    ],
    'people leave spaces': [
      ['delete from space_members where id % 4 = 0'],
      [`update space_members set status = 'banned' where id % 7 = 0`],
    ],
    'people are deleted': [[`delete from users where id in ($1, $2, $3)`, [p1, p2, p3]]],
    'a space is deleted': [['delete from spaces where id = $1', [s2]]],
  }
  for (const [what, statements] of Object.entries(changes)) {
    for (const [text, values] of statements) await write(text, values)
    await count()
    await compare(zone, '2026-03-01', '2026-03-31')
    expect([what, await findWrongRollups(world.app.services.database.read)]).toEqual([what, []])
  }
  const before = await stored()
  expect(before.members.length).toBeGreaterThan(100)
  expect(await rebuildRollups(world.app.services)).toBeGreaterThan(0)
  expect(await stored()).toEqual(before)
  // Sums that do not fit in memory are stored in parts.
  expect(await rebuildRollups(world.app.services, () => true, 10)).toBeGreaterThan(0)
  expect(await stored()).toEqual(before)
})
