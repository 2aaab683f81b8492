import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let [admin, ana, ben, cleo]: Member[] = []
let [orchard, harbour] = [0, 0]
let first = 0
const TODAY = '2026-03-10'
const today = { date_from: TODAY, date_to: TODAY }
const PAST = { date_from: '2020-01-01', date_to: '2020-01-31' }

/** The administrator created both spaces; posts: ana 3 and cleo 1 in the orchard, ben 1 in the harbour. */
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  await world.member({ role: 'moderator' })
  ;[ana, ben, cleo] = [await world.member(), await world.member(), await world.member()]
  const [x, y, z] = [ana, ben, cleo] as [Member, Member, Member]
  const space = async (title: string, people: Member[]) => {
    const { data } = await (admin as Member).api.spaces.create({ title })
    for (const { api } of people) await api.spaceMembers.join({ space_slug: data.slug })
    return data.id
  }
  orchard = await space('Orchard', [x, y, z])
  harbour = await space('Harbour', [x, y])
  const post = async (who: Member, space_id: number, more = {}) =>
    (await who.api.feeds.create({ message: 'Hello', space_id, ...more })).data.id
  const f = [await post(x, orchard), await post(x, orchard), await post(x, orchard)]
  first = f[0] as number
  const [g, h] = [await post(y, harbour), await post(z, orchard)]
  await post(z, orchard, { status: 'draft' })
  for (const [who, feed_id] of [
    [y, f[0]],
    [y, f[0]],
    [z, f[0]],
    [x, g],
  ] as const)
    await who.api.comments.create({ feed_id: feed_id as number, comment: 'Yes' })
  for (const [who, id] of [
    [y, f[0]],
    [z, f[1]],
    [x, g],
    [x, h],
  ] as const)
    await who.raw('POST', `/feeds/${id}/react`, { type: 'like' })
  await z.raw('POST', `/feeds/${first}/react`, { react_type: 'bookmark' })
})
afterAll(() => world.close())

describe('metrics of a known community', () => {
  test('overview', async () => {
    expect(await (admin as Member).api.analytics.overviewWidget({})).toEqual({
      total_members: 5,
      new_members: 5,
      total_posts: 5,
      new_posts: 5,
      total_comments: 4,
      new_comments: 4,
      total_reactions: 4,
      new_reactions: 4,
      active_spaces: 2,
      engagement_rate: 60,
    })
    expect(await (admin as Member).api.analytics.overviewWidget(PAST)).toMatchObject({
      total_members: 5,
      total_posts: 5,
      new_members: 0,
      new_posts: 0,
      new_comments: 0,
      new_reactions: 0,
      active_spaces: 0,
      engagement_rate: 0,
    })
    const { comparison } = await (admin as Member).api.analytics.overviewWidget({ ...today, compare: true })
    expect(comparison).toEqual({ members_change: null, posts_change: null, comments_change: null, reactions_change: null })
    const quiet = await (admin as Member).api.analytics.overviewWidget({ ...PAST, compare: true })
    expect(quiet.comparison).toEqual({ members_change: 0, posts_change: 0, comments_change: 0, reactions_change: 0 })
    const next = await (admin as Member).api.analytics.overviewWidget({ date_from: '2026-03-11', date_to: '2026-03-11', compare: true })
    expect(next.comparison).toMatchObject({ posts_change: -100 })
  })

  test('activity by day, week and month', async () => {
    const day = { date: TODAY, posts: 5, comments: 4, reactions: 4, new_members: 5, active_users: 3 }
    expect((await (admin as Member).api.analytics.overviewActivity(today)).data).toEqual([day])
    const week = (await (admin as Member).api.analytics.overviewActivity({ date_from: '2026-03-04', date_to: TODAY })).data
    expect(week.map(({ date, posts }) => [date, posts])).toEqual([
      ['2026-03-04', 0],
      ['2026-03-05', 0],
      ['2026-03-06', 0],
      ['2026-03-07', 0],
      ['2026-03-08', 0],
      ['2026-03-09', 0],
      ['2026-03-10', 5],
    ])
    const weeks = (await (admin as Member).api.analytics.overviewActivity({ date_from: '2026-02-25', date_to: TODAY, interval: 'week' }))
      .data
    expect(weeks.map(({ date, posts, active_users }) => [date, posts, active_users])).toEqual([
      ['2026-02-23', 0, 0],
      ['2026-03-02', 0, 0],
      ['2026-03-09', 5, 3],
    ])
    const months = (await (admin as Member).api.analytics.overviewActivity({ date_from: '2026-01-29', date_to: TODAY, interval: 'month' }))
      .data
    expect(months.map(({ date, posts, active_users }) => [date, posts, active_users])).toEqual([
      ['2026-01-01', 0, 0],
      ['2026-02-01', 0, 0],
      ['2026-03-01', 5, 3],
    ])
  })

  test('popular days and hours', async () => {
    const body = await (admin as Member).api.analytics.popularDayTime({})
    expect(body.by_day).toEqual({ Monday: 0, Tuesday: 13, Wednesday: 0, Thursday: 0, Friday: 0, Saturday: 0, Sunday: 0 })
    expect(Object.keys(body.by_hour)).toHaveLength(24)
    expect(body.by_hour).toMatchObject({ '00': 0, '12': 13, '23': 0 })
    expect([body.peak_day, body.peak_hour]).toEqual(['Tuesday', '12'])
    expect(await (admin as Member).api.analytics.popularDayTime(PAST)).toMatchObject({ peak_day: '', peak_hour: '' })
  })

  test('members', async () => {
    expect(await (admin as Member).api.analytics.membersWidget({})).toEqual({
      total_members: 5,
      active_members: 3,
      new_members: 5,
      inactive_members: 2,
      average_posts_per_member: 1,
      average_comments_per_member: 0.8,
      top_contributor: { id: ana?.id, name: 'Member 3', posts: 3, comments: 1, username: ana?.username },
    })
    expect(await (admin as Member).api.analytics.membersWidget(PAST)).toMatchObject({
      active_members: 0,
      inactive_members: 5,
      top_contributor: null,
    })
    expect((await (admin as Member).api.analytics.membersActivity(today)).data).toEqual([
      { date: TODAY, new_members: 5, active_members: 3, returning_members: 0 },
    ])
    const { members } = await (admin as Member).api.analytics.topMembers({ metric: 'engagement' })
    expect(members.map((m) => [m.id, m.username, m.posts_count, m.comments_count, m.reactions_count, m.engagement_score])).toEqual([
      [ana?.id, ana?.username, 3, 1, 2, 13],
      [ben?.id, ben?.username, 1, 2, 1, 8],
      [cleo?.id, cleo?.username, 1, 1, 1, 6],
    ])
    expect((await (admin as Member).api.analytics.topMembers({ metric: 'comments', limit: 1 })).members.map(({ id }) => id)).toEqual([
      ben?.id,
    ])
    const starters = (await (admin as Member).api.analytics.topPostStarters({ limit: 1 })).members
    expect(starters).toEqual([
      {
        id: ana?.id,
        display_name: 'Member 3',
        avatar: '',
        posts_count: 3,
        average_reactions: 0.67,
        average_comments: 1,
        username: ana?.username,
      },
    ])
    expect(
      (await (admin as Member).api.analytics.topCommenters({})).members.map((m) => [m.username, m.comments_count, m.average_reactions]),
    ).toEqual([
      [ben?.username, 2, 0],
      [ana?.username, 1, 0],
      [cleo?.username, 1, 0],
    ])
    expect((await (admin as Member).api.analytics.topPostStarters(PAST)).members).toEqual([])
    expect((await (admin as Member).api.analytics.topCommenters(PAST)).members).toEqual([])
  })

  test('spaces', async () => {
    expect(await (admin as Member).api.analytics.spacesWidget({})).toEqual({
      total_spaces: 2,
      active_spaces: 2,
      total_posts: 5,
      total_members: 7,
      average_posts_per_space: 2.5,
      average_members_per_space: 3.5,
      most_active_space: { id: orchard, title: 'Orchard', posts_count: 4, members_count: 4, slug: 'orchard' },
    })
    expect(await (admin as Member).api.analytics.spacesWidget(PAST)).toMatchObject({
      total_posts: 5,
      active_spaces: 0,
      average_posts_per_space: 0,
      most_active_space: null,
    })
    const of = async (space_id?: number) => {
      const { data } = await (admin as Member).api.analytics.spacesActivity({ ...today, ...(space_id && { space_id }) })
      return data.map((d) => [d.date, d.posts, d.comments, d.reactions, d.new_members])
    }
    expect(await of(orchard)).toEqual([[TODAY, 4, 3, 3, 4]])
    expect(await of(harbour)).toEqual([[TODAY, 1, 1, 1, 3]])
    expect(await of()).toEqual([[TODAY, 5, 4, 4, 7]])
    const { spaces } = await (admin as Member).api.analytics.popularSpaces({ metric: 'engagement' })
    expect(spaces).toEqual([
      { id: orchard, title: 'Orchard', slug: 'orchard', posts_count: 4, comments_count: 3, members_count: 4, engagement_score: 21 },
      { id: harbour, title: 'Harbour', slug: 'harbour', posts_count: 1, comments_count: 1, members_count: 3, engagement_score: 6 },
    ])
    for (const metric of ['posts', 'members'] as const)
      expect((await (admin as Member).api.analytics.popularSpaces({ metric, limit: 1 })).spaces.map(({ id }) => id)).toEqual([orchard])
    expect(
      (await (admin as Member).api.analytics.popularSpaces({ ...PAST, metric: 'members' })).spaces.map((s) => [
        s.id,
        s.posts_count,
        s.members_count,
      ]),
    ).toEqual([
      [orchard, 0, 4],
      [harbour, 0, 3],
    ])
    expect((await (admin as Member).api.analytics.popularSpaces(PAST)).spaces).toEqual([])
    expect((await (admin as Member).api.analytics.searchSpaces({ search: 'arBo' })).spaces).toEqual([
      { id: harbour, title: 'Harbour', slug: 'harbour', members_count: 3, posts_count: 1 },
    ])
    expect((await (admin as Member).api.analytics.searchSpaces({ search: 'r', limit: 1 })).spaces.map(({ id }) => id)).toEqual([harbour])
    expect((await (admin as Member).api.analytics.searchSpaces({ search: '%' })).spaces).toEqual([])
  })
})

describe('request parameters', () => {
  const RANGED = [
    'overview/widget',
    'overview/activity',
    'overview/popular-day-time',
    'members/widget',
    'members/activity',
    'members/top-members',
    'members/top-post-starters',
    'members/top-commenters',
    'spaces/widget',
    'spaces/activity',
    'spaces/popular',
  ]
  const ask = (path: string) => (admin as Member).raw('GET', `/analytics/${path}`)

  test.each(RANGED)('%s: valid days in order', async (path) => {
    for (const [query, field] of [
      [`date_from=2026-02-30&date_to=${TODAY}`, 'date_from'],
      [`date_from=2024-13-01&date_to=${TODAY}`, 'date_from'],
      [`date_from=yesterday&date_to=${TODAY}`, 'date_from'],
      [`date_from=${TODAY}&date_to=2026-3-11`, 'date_to'],
      [`date_from=${TODAY}&date_to=2026-03-09`, 'date_from'],
      [`date_from=0000-01-01&date_to=${TODAY}`, 'date_from'],
      [`date_from=${TODAY}&date_to=9999-12-31`, 'date_to'],
    ]) {
      const { status, body } = await ask(`${path}?${query}`)
      expect([status, body.code, body.data.field]).toEqual([400, 'invalid_parameter', field])
    }
  })

  test.each(RANGED.filter((path) => path.endsWith('activity')))('%s needs both days', async (path) => {
    for (const [query, field] of [
      ['', 'date_from'],
      [`?date_from=${TODAY}`, 'date_to'],
      [`?date_to=${TODAY}`, 'date_from'],
      ['?date_from=&date_to=', 'date_from'],
      // Invalid parameters are reported before missing ones.
      ['?date_to=2026-3-1', 'date_to'],
      ['?interval=year', 'interval'],
      [`?date_from=${TODAY}&date_from=${TODAY}`, 'date_from'],
    ])
      expect([query, await ask(`${path}${query}`)]).toMatchObject([
        query,
        { status: 400, body: { code: 'invalid_parameter', data: { status: 400, field } } },
      ])
    expect(await ask(`${path}?date_from=0001-01-01&date_to=${TODAY}`)).toMatchObject({
      status: 400,
      body: { data: { field: 'date_from' } },
    })
    expect(await ask(`${path}?date_from=${TODAY}&date_to=${TODAY}&interval=year`)).toMatchObject({ status: 400 })
  })

  test('enums, limits and searches', async () => {
    for (const path of [
      'members/top-members?metric=likes',
      'spaces/popular?metric=comments',
      'members/top-members?limit=0',
      'spaces/search',
      'spaces/search?search=',
      'spaces/search?search=%20',
    ])
      expect({ path, ...(await ask(path)) }).toMatchObject({ path, status: 400, body: { code: 'invalid_parameter' } })
    expect((await ask('members/top-members?limit=1000')).status).toBe(200)
    for (const path of [
      'overview/widget?compare=1&',
      'members/widget?',
      'members/top-members?',
      'spaces/popular?',
      'overview/activity?interval=month&',
    ])
      for (const days of [
        'date_from=1999-01-01&date_to=2400-12-31',
        'date_from=8999-12-01&date_to=9000-12-31',
        'date_from=1000-01-01&date_to=1000-02-01',
      ])
        expect([path, days, (await ask(`${path}${days}`)).status]).toEqual([path, days, 200])
    for (const id of ['987654321'])
      expect(await ask(`spaces/activity?space_id=${id}&date_from=${TODAY}&date_to=${TODAY}`)).toMatchObject({
        status: 404,
        body: { code: 'space_not_found' },
      })
  })
})

describe('access', () => {
  const paths = [
    'overview/widget',
    'members/top-members',
    'spaces/widget',
    'spaces/search?search=a',
    `spaces/activity?date_from=${TODAY}&date_to=${TODAY}`,
  ]

  test('administrators, and managers with view_analytics', async () => {
    const managing = await world.member({ role: 'manager' })
    const moderating = await world.member({ role: 'moderator' })
    for (const path of paths) {
      expect((await managing.raw('GET', `/analytics/${path}`)).status).toBe(200)
      for (const who of [moderating, ana as Member])
        expect(await who.raw('GET', `/analytics/${path}`)).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } })
      expect((await world.request('GET', `/analytics/${path}`)).status).toBe(401)
    }
  })

  test('a manager limited to a space reads only that space', async () => {
    const limited = await world.member({ role: 'manager' })
    await (admin as Member).api.managers.save({ user_id: limited.id, role: 'manager', spaces: [harbour] })
    const { analytics } = limited.api
    await refused(analytics.overviewWidget({}), 403, 'rest_forbidden')
    await refused(analytics.overviewActivity(today), 403, 'rest_forbidden')
    await refused(analytics.popularDayTime({}), 403, 'rest_forbidden')
    await refused(analytics.membersWidget({}), 403, 'rest_forbidden')
    await refused(analytics.membersActivity(today), 403, 'rest_forbidden')
    await refused(analytics.topMembers({}), 403, 'rest_forbidden')
    await refused(analytics.topPostStarters({}), 403, 'rest_forbidden')
    await refused(analytics.topCommenters({}), 403, 'rest_forbidden')
    expect(await analytics.spacesWidget({})).toMatchObject({
      total_spaces: 1,
      total_posts: 1,
      total_members: 3,
      most_active_space: { id: harbour },
    })
    expect((await analytics.popularSpaces({})).spaces.map(({ id }) => id)).toEqual([harbour])
    expect((await analytics.popularSpaces({ metric: 'members' })).spaces.map(({ id }) => id)).toEqual([harbour])
    expect((await analytics.searchSpaces({ search: 'r' })).spaces.map(({ id }) => id)).toEqual([harbour])
    expect((await analytics.spacesActivity(today)).data).toMatchObject([{ posts: 1, comments: 1 }])
    expect((await analytics.spacesActivity({ ...today, space_id: harbour })).data).toMatchObject([{ posts: 1 }])
    const hidden = await limited.raw('GET', `/analytics/spaces/activity?space_id=${orchard}&date_from=${TODAY}&date_to=${TODAY}`)
    const missing = await limited.raw('GET', `/analytics/spaces/activity?space_id=987654321&date_from=${TODAY}&date_to=${TODAY}`)
    expect([hidden.status, hidden.text]).toEqual([missing.status, missing.text])
    expect(missing.body.code).toBe('space_not_found')
  })
})

describe('tables', () => {
  test('by header or query parameter, for every metric', async () => {
    const { status, headers, text } = await (admin as Member).raw('GET', '/analytics/members/top-members?limit=2', undefined, {
      accept: 'text/csv',
    })
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="analytics-members-top-members.csv"',
    ])
    expect(text).toBe(
      `id,display_name,avatar,posts_count,comments_count,reactions_count,engagement_score,username\r\n${ana?.id},Member 3,,3,1,2,13,${ana?.username}\r\n${ben?.id},Member 4,,1,2,1,8,${ben?.username}\r\n`,
    )
    const both = `date_from=${TODAY}&date_to=${TODAY}`
    for (const path of [
      'overview/widget?',
      `overview/activity?${both}&`,
      'overview/popular-day-time?',
      'members/widget?',
      `members/activity?${both}&`,
      'members/top-post-starters?',
      'members/top-commenters?',
      'spaces/widget?',
      `spaces/activity?${both}&`,
      'spaces/popular?',
      'spaces/search?search=r&',
    ]) {
      const answer = await (admin as Member).raw('GET', `/analytics/${path}format=csv`)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/csv; charset=utf-8'])
      expect(answer.text.split('\r\n').length).toBeGreaterThan(2)
    }
    const empty = await (admin as Member).raw('GET', '/analytics/members/top-commenters?format=csv&date_from=2020-01-01&date_to=2020-01-02')
    expect(empty.text).toBe('id,display_name,avatar,comments_count,average_reactions,username\r\n')
    const json = await (admin as Member).raw('GET', '/analytics/spaces/widget?format=json', undefined, { accept: 'text/csv' })
    expect(json.body.total_spaces).toBe(2)
    const liked = await (admin as Member).raw('GET', '/analytics/spaces/widget', undefined, { accept: 'application/json, text/csv;q=0.5' })
    expect(liked.body.total_spaces).toBe(2)
  })

  test('spreadsheet formulas are escaped', async () => {
    const { data } = await (admin as Member).api.spaces.create({ title: '=1+1, "zwei"' })
    const { text } = await (admin as Member).raw('GET', '/analytics/spaces/search?search=zwei&format=csv')
    expect(text).toContain(`${data.id},"'=1+1, ""zwei""",`)
    await (admin as Member).api.spaces.remove({ space_slug: data.slug })
  })

  test('errors stay JSON', async () => {
    const { status, body } = await (ana as Member).raw('GET', '/analytics/overview/widget?format=csv')
    expect([status, body.code]).toEqual([403, 'rest_forbidden'])
  })
})

test('while the feature is disabled', async () => {
  const { saveSettings, readSetting } = await import('../settings/index.ts')
  const features = await readSetting(world.app.services.database.read, 'features')
  await world.app.write(null, (ctx) => saveSettings(ctx, { features: { ...features, analytics: false } }))
  await refused((admin as Member).api.analytics.overviewWidget({}), 403, 'pro_feature_required')
  await world.app.write(null, (ctx) => saveSettings(ctx, { features }))
  expect((await (admin as Member).api.analytics.overviewWidget({})).total_posts).toBe(5)
})
