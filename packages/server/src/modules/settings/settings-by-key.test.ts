import { SETTING_GROUP_NAMES, SETTINGS } from '@lyceum/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
})
beforeEach(() => admin.api.settings.reset())
afterAll(() => world.close())

const settings = Object.keys(SETTINGS)
const value = async (key: string) => Object.assign({}, ...Object.values((await admin.api.settings.list()).data))[key] as unknown

/** A manager with manage_settings, for all spaces or for a single one. */
const keeper = async (all_spaces: 0 | 1) => {
  const who = await world.member({ role: 'manager' })
  await world.app.services.database.write((db) =>
    db.updateTable('managers').set({ permissions: '["manage_settings"]', all_spaces }).where('user_id', '=', who.id).execute(),
  )
  return who
}

describe('reading', () => {
  test('all, by group', async () => {
    const { data } = await admin.api.settings.list()
    expect(Object.keys(data)).toEqual(SETTING_GROUP_NAMES)
    expect(
      Object.values(data)
        .flatMap((group) => Object.keys(group ?? {}))
        .sort(),
    ).toEqual(settings.sort())
    expect(data.general).toMatchObject({ site_name: 'Lyceum', timezone: 'UTC' })
    expect(data.registration?.allow_registration).toBe(true)
  })

  test('one group', async () => {
    expect(Object.keys((await admin.api.settings.list({ group: 'email' })).data)).toEqual(['email'])
    const wrong = await admin.raw('GET', '/settings?group=secrets')
    expect([wrong.status, wrong.body.code, wrong.body.data.field]).toEqual([400, 'invalid_parameter', 'group'])
  })

  test.each([
    ['site_name', 'string', 'general', 'Lyceum'],
    ['allow_comments', 'boolean', 'content', true],
    ['topics', 'object', 'features', expect.objectContaining({ max_topics_per_post: 5 })],
  ] as const)('one: %s', async (key, type, group, expected) => {
    const { data } = await admin.api.settings.get({ key })
    const [, label, description] = SETTINGS[key]
    expect(data).toEqual({ key, value: expected, type, group, label, description, problem: null })
  })

  test.each(['no_such_setting', 'gif_api_key', 'constructor', 'page_privacy'])('refuses %s', async (key) => {
    const { data } = await refused(admin.api.settings.get({ key }), 404, 'setting_not_found')
    expect(data).toMatchObject({ key })
  })
})

describe('changing', () => {
  test('is effective immediately, and returns the changes', async () => {
    const answer = await admin.raw('PUT', '/settings', { site_name: 'Harbour', allow_comments: false, topics: { max_topics_per_post: 3 } })
    expect(answer.body).toEqual({
      message: 'The settings were saved.',
      data: { updated_count: 3, updated_keys: ['site_name', 'allow_comments', 'topics'] },
    })
    expect((await world.anonymous.settings.public()).data.site_name).toBe('Harbour')
    expect([await value('allow_comments'), await value('topics')]).toMatchObject([
      false,
      { max_topics_per_post: 3, max_topics_per_space: 20 },
    ])
    const { details, actor_id, action } = await world.app.services.database.read
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect([action, actor_id, JSON.parse(details)]).toEqual([
      'settings.changed',
      admin.id,
      { keys: ['site_name', 'allow_comments', 'topics'] },
    ])
  })

  test('works with the SDK', async () => {
    await admin.api.settings.save({ site_name: 'Typed', topics: { enabled: false } })
    expect(await value('site_name')).toBe('Typed')
  })

  test('accepts an empty body', async () => {
    expect((await admin.raw('PUT', '/settings', {})).body.data).toEqual({ updated_count: 0, updated_keys: [] })
  })

  test.each(['no_such_setting', 'gif_api_key', 'toString', 'page_privacy'])(
    'refuses the whole request for an unknown key: %s',
    async (key) => {
      const answer = await admin.raw('PUT', '/settings', { site_name: 'Half', [key]: 1 })
      expect([answer.status, answer.body.code, answer.body.data]).toEqual([400, 'invalid_setting_key', { status: 400, key }])
      expect(await value('site_name')).toBe('Lyceum')
    },
  )

  test.each([
    ['allow_registration', 'perhaps'],
    ['allow_registration', null],
    ['site_name', ''],
    ['site_name', ['a']],
    ['site_name', 'x'.repeat(101)],
    ['primary_color', '#12345'],
    ['primary_color', '#12345g'],
    ['timezone', 'Mars/Olympus'],
    ['logo_url', 'javascript:alert(1)'],
    ['admin_email', 'nobody'],
    ['default_role', 'admin'],
    ['digest_frequency', 'hourly'],
    ['features', []],
    ['features', null],
    ['features', { telepathy: true }],
    ['topics', { max_topics_per_post: -1 }],
    ['custom_css', 'a { background: url(javascript:alert(1)) }'],
    ['custom_css', '@import "https://evil.example/x.css";'],
    ['custom_css', '@\\69 mport "x"'],
    ['custom_css', '@\\69\r\nmport "x"'],
    ['custom_css', '@x "/*"; @\\69mport "https://evil.example/x.css"; @x "*/";'],
    ['custom_css', 'a { b: url(/*) } @\\69mport "https://evil.example/x.css"; a { b: url(*/) }'],
    ['custom_css', 'a { content: "/*"; background: url(http://evil.example/a.png); quotes: "*/" }'],
    ['custom_css', 'a { background: url(http://evil.example/a.png'],
    ['custom_css', 'a { background: url("/\\9/evil.example/a.png") }'],
    ['custom_css', 'a { background: image-set("http://evil.example/a.png" 1x) }'],
    ['custom_css', '@font-face { font-family: x; src: url(https://fonts.example/x.woff2) }'],
    ['custom_css', '@f\\6fnt-face { src: url( "https://fonts.example/x.woff2") }'],
    ['custom_css', '@font-face { src: src("https://fonts.example/x.woff2") }'],
    ['custom_css', 'a{}</style><script>'],
    ['custom_css', 'a { width: expression(alert(1)) }'],
  ])('refuses the whole request for an invalid value: %s %j', async (key, wrong) => {
    const answer = await admin.raw('PUT', '/settings', { site_description: 'Half', [key]: wrong })
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_value'])
    expect(answer.body.data).toEqual({ status: 400, key, error: expect.any(String) })
    expect([await value('site_description'), await value(key)]).toEqual(['', SETTINGS[key as keyof typeof SETTINGS][0]])
  })

  test('a style sheet that is invalid by now is not served, and its editor sees why', async () => {
    const css = 'a { background: url(https://e.example/x) }'
    await world.app.write(null, async ({ db, now }) => {
      await db
        .insertInto('settings')
        .values({ key: 'custom_css', value: JSON.stringify(css), updated_at: now })
        .execute()
    })
    expect((await world.anonymous.settings.public()).data.appearance.custom_css).toBe('')
    expect((await admin.api.settings.get({ key: 'custom_css' })).data).toMatchObject({
      value: '',
      problem: expect.stringContaining('/media/'),
    })
    await admin.api.settings.save({ custom_css: 'a { color: red }' })
    expect((await admin.api.settings.get({ key: 'custom_css' })).data.problem).toBeNull()
    await admin.api.settings.reset({ keys: ['custom_css'] })
  })

  test('valid styles', async () => {
    const css =
      '@media (width < 600px) { a::before { content: "\\201C"; background: url("/media/0123456789abcdef/a%20b.png") } } /* "url(x:y) */ a[href^="http://x"] {}'
    const fonts =
      '@font-face { font-family: x; src: local("X"), url("/media/0123456789abcdef/x.woff2") format("woff2") } a { background: url(#a) }'
    for (const good of [css, fonts]) {
      await admin.api.settings.save({ custom_css: good })
      expect(await value('custom_css')).toBe(good)
    }
  })
})

describe('resetting', () => {
  test('some or all settings', async () => {
    await admin.api.settings.save({ site_name: 'A', site_description: 'B', features: { topics: false } })
    expect((await admin.api.settings.reset({ keys: ['site_name', 'site_name'] })).data).toEqual({ reset_count: 1 })
    expect([await value('site_name'), await value('site_description')]).toEqual(['Lyceum', 'B'])
    expect((await admin.api.settings.reset({ keys: [] })).data.reset_count).toBe(0)
    expect((await admin.api.settings.reset()).data.reset_count).toBe(settings.length)
    expect([await value('site_description'), await value('features')]).toMatchObject(['', { topics: true }])
  })

  test('refuses an unknown key', async () => {
    await admin.api.settings.save({ site_name: 'A' })
    const { data } = await refused(admin.api.settings.reset({ keys: ['site_name', 'nope'] }), 400, 'invalid_setting_key')
    expect(data).toMatchObject({ key: 'nope' })
    expect(await value('site_name')).toBe('A')
  })
})

describe('access', () => {
  test('is for administrators, and managers of all spaces with manage_settings', async () => {
    const manager = await keeper(1)
    await manager.api.settings.list()
    await manager.api.settings.save({ site_name: 'By a manager' })
    expect((await manager.api.settings.get({ key: 'site_name' })).data.value).toBe('By a manager')
    for (const own of [
      { features: { webhooks: false } },
      { gif_rating: 'r' },
      { topics: { enabled: false } },
      { limits: { posts_per_hour: 1 } },
    ] as const)
      await refused(manager.api.settings.save({ site_name: 'No', ...own }), 403, 'rest_forbidden')
    await refused(manager.api.settings.reset({ keys: ['features'] }), 403, 'rest_forbidden')
    await admin.api.settings.saveFeatures({ webhooks: false })
    expect((await manager.api.settings.reset()).data.reset_count).toBe(settings.length - 5)
    expect([await value('site_name'), await value('features')]).toMatchObject(['Lyceum', { webhooks: false }])
  })

  test('is refused to everybody else', async () => {
    const others = [
      await keeper(0),
      await world.member({ role: 'manager' }),
      await world.member({ role: 'moderator' }),
      await world.member(),
    ]
    for (const { api } of others) {
      await refused(api.settings.list(), 403, 'rest_forbidden')
      await refused(api.settings.get({ key: 'site_name' }), 403, 'rest_forbidden')
      await refused(api.settings.get({ key: 'nope' }), 403, 'rest_forbidden')
      await refused(api.settings.save({ site_name: 'Mine' }), 403, 'rest_forbidden')
      await refused(api.settings.reset(), 403, 'rest_forbidden')
    }
    await refused(world.anonymous.settings.list(), 401, 'rest_forbidden')
    expect(await value('site_name')).toBe('Lyceum')
  })
})
