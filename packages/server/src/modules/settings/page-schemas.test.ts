import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana' })
})
beforeEach(async () => {
  await world.app.services.database.write((db) => db.deleteFrom('settings').execute())
})
afterAll(() => world.close())

const PATHS = [
  ['/admin/general', 'settings'],
  ['/admin/email-settings', 'email_settings'],
  ['/admin/email-texts', 'texts'],
  ['/admin/welcome-banner', 'settings'],
  ['/admin/auth-settings', 'settings'],
  ['/settings/menu-settings', 'menuSettings'],
  ['/settings/customization-settings', 'settings'],
  ['/settings/color-config', 'settings'],
  ['/settings/privacy-settings', 'settings'],
  ['/settings/snippets-settings', 'snippets'],
  ['/settings/followers/config', 'settings'],
  ['/admin/profile-link-providers', 'providers'],
  ['/admin/storage-settings', 'config'],
] as const

const page = async (path: string, wrapper = 'settings') => (await admin.raw('GET', path)).body[wrapper]
const save = (path: string, body: object) => admin.raw('POST', path, body)
const wrong = async (path: string, body: object) => {
  const answer = await save(path, body)
  return [answer.status, answer.body.code, answer.body.data.field ?? Object.keys(answer.body.data.errors ?? {}).join()]
}

describe.each(PATHS)('%s', (path, wrapper) => {
  test('has defaults, and can be saved as it was returned', async () => {
    const before = await admin.raw('GET', path)
    expect([before.status, typeof before.body[wrapper]]).toEqual([200, 'object'])
    if (wrapper === 'providers') return
    for (const body of [{}, { [wrapper]: before.body[wrapper] }, ...(wrapper === 'config' ? [] : [before.body[wrapper]])]) {
      const after = await save(path, body)
      expect([after.status, after.body.message.length > 0, after.body[wrapper]]).toEqual([200, true, before.body[wrapper]])
    }
  })

  test('is for members who manage settings', async () => {
    const moderator = await world.member({ role: 'moderator' })
    const limited = await world.member({ role: 'manager' })
    const manager = await world.member({ role: 'manager' })
    const permit = (who: Member, all_spaces: 0 | 1) =>
      world.app.services.database.write((db) =>
        db.updateTable('managers').set({ permissions: '["manage_settings"]', all_spaces }).where('user_id', '=', who.id).execute(),
      )
    await permit(limited, 0)
    await permit(manager, 1)
    const body = wrapper === 'providers' ? { configs: [] } : {}
    const adminsOnly = ['/settings/followers/config', '/admin/storage-settings'].includes(path)
    for (const [who, status] of [
      [ana, 403],
      [moderator, 403],
      [limited, 403],
      [manager, adminsOnly ? 403 : 200],
    ] as const)
      expect([(await who.raw('GET', path)).status, (await who.raw('POST', path, body)).status]).toEqual([status, status])
  })
})

describe('a page', () => {
  const path = '/settings/customization-settings'

  test('keeps omitted fields, flat or nested, and accepts booleans for flags', async () => {
    await save(path, { settings: { dark_mode: false, member_list_layout: 'grid' } })
    const { body } = await save(path, { fixed_sidebar: 1, settings: { fixed_sidebar: 'no', show_post_modal: 'no' } })
    expect(body.settings).toMatchObject({
      dark_mode: 'no',
      member_list_layout: 'grid',
      fixed_sidebar: 'yes',
      show_post_modal: 'no',
      rich_post_layout: 'classic',
    })
    expect(await page(path)).toEqual(body.settings)
  })

  test.each([
    [path, { default_theme_mode: 'pink' }, 'invalid_data', 'default_theme_mode'],
    [path, { settings: { dark_mode: 'maybe' } }, 'invalid_data', 'settings.dark_mode'],
    ['/settings/color-config', { light_config: { body: 'red' } }, 'invalid_data', 'light_config.body'],
    ['/settings/color-config', { dark_config: { 'a{}': '#000000' } }, 'invalid_data', 'dark_config'],
    ['/admin/general', { white_logo: 'javascript:alert(1)' }, 'invalid_url', 'white_logo'],
    ['/admin/general', { logo: 'javascript:alert(1)' }, 'invalid_url', 'logo'],
    ['/admin/general', { site_title: ' ' }, 'invalid_data', 'site_title'],
    ['/admin/email-settings', { reply_to_email: 'nobody' }, 'invalid_data', 'reply_to_email'],
    ['/admin/email-settings', { daily_digest_time: '24:00' }, 'invalid_data', 'daily_digest_time'],
    [
      '/admin/welcome-banner',
      { login: { ctaButtons: [{ label: 'x', link: 'data:text/html,x' }] } },
      'invalid_url',
      'login.ctaButtons.0.link',
    ],
    ['/admin/auth-settings', { login: { form: { button_color: 'blue' } } }, 'invalid_data', 'login.form.button_color'],
    [
      '/settings/menu-settings',
      { mainMenuItems: [{ title: 'x', permalink: '//evil.example' }] },
      'invalid_url',
      'mainMenuItems.0.permalink',
    ],
    ['/settings/snippets-settings', { custom_css: '@import "x";' }, 'invalid_data', 'custom_css'],
  ])('%s refuses %j', async (where, body, code, field) => {
    expect(await wrong(where, body)).toEqual([400, code, field])
    const { rows } = { rows: await world.app.services.database.read.selectFrom('settings').select('key').execute() }
    expect(rows).toEqual([])
  })

  test('lists are replaced, and their items get defaults', async () => {
    const { body } = await save('/settings/menu-settings', { mainMenuItems: [{ title: 'Rules', permalink: '/rules', new_tab: true }] })
    expect(body.menuSettings.mainMenuItems).toEqual([
      { slug: '', title: 'Rules', permalink: '/rules', icon: '', enabled: 'yes', new_tab: 'yes', is_system: 'no' },
    ])
    expect((await save('/settings/menu-settings', { mainMenuItems: [] })).body.menuSettings.mainMenuItems).toEqual([])
  })

  test('concurrent changes of different fields are both stored', async () => {
    await Promise.all([save(path, { dark_mode: 'no' }), save(path, { fixed_sidebar: 'yes' }), save(path, { show_powered_by: 'no' })])
    expect(await page(path)).toMatchObject({ dark_mode: 'no', fixed_sidebar: 'yes', show_powered_by: 'no' })
  })

  test('a value from another version counts as not set', async () => {
    await save(path, { dark_mode: 'no' })
    await world.app.services.database.write((db) => db.updateTable('settings').set({ value: '{"dark_mode":7}' }).execute())
    expect(await page(path)).toMatchObject({ dark_mode: 'yes' })
  })

  test('changes are audited', async () => {
    await save('/settings/privacy-settings', { show_last_activity: 'no' })
    const row = await world.app.services.database.read
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect([row.action, row.actor_id, JSON.parse(row.details)]).toEqual([
      'settings.changed',
      admin.id,
      { page: 'privacy', fields: ['show_last_activity'] },
    ])
  })
})

test('a field that is also a setting has the same value in both places', async () => {
  await save('/admin/general', { site_title: 'Harbour', logo: '/media/l.png' })
  expect((await world.anonymous.settings.public()).data).toMatchObject({ site_name: 'Harbour', logo_url: '/media/l.png' })
  await admin.api.settings.save({ site_name: 'Port', allow_registration: false })
  const { settings, user_roles, users_can_register } = await admin.api.settingsPages.general()
  expect([settings.site_title, settings.logo, user_roles, users_can_register]).toEqual([
    'Port',
    '/media/l.png',
    ['member', 'moderator', 'admin'],
    false,
  ])
  await save('/admin/email-settings', { send_from_name: 'Us', digest_frequency: 'never' })
  expect((await admin.api.settings.list()).data).toMatchObject({ email: { from_name: 'Us' }, notifications: { digest_frequency: 'never' } })
  await save('/settings/snippets-settings', { snippets: { custom_css: 'a{color:red}' } })
  expect((await admin.api.settings.get({ key: 'custom_css' })).data.value).toBe('a{color:red}')
  await save('/settings/followers/config', { is_enabled: 'no' })
  expect((await admin.api.settings.features()).features.followers).toBe(false)
  expect(await page('/settings/followers/config')).toEqual({ is_enabled: 'no' })
})

describe('the welcome banner', () => {
  test('is for members, or for guests', async () => {
    expect(await ana.api.settingsPages.welcomeBanner()).toEqual({ welcome_banner: null })
    await admin.api.settingsPages.saveBanner({
      login: { enabled: 'yes', description: '**Hi** <script>alert(1)</script>', ctaButtons: [{ label: 'Start', link: '/start' }] },
      logout: { enabled: true, description: 'For guests' },
    })
    const { welcome_banner: banner } = await ana.api.settingsPages.welcomeBanner()
    expect(banner).toMatchObject({ enabled: 'yes', ctaButtons: [{ label: 'Start', link: '/start', type: 'primary', newTab: 'no' }] })
    expect(banner?.description_rendered).toContain('<strong>Hi</strong>')
    expect(banner?.description_rendered).not.toContain('<script')
    await refused(world.anonymous.settingsPages.welcomeBanner(), 401, 'rest_forbidden')
    const { appearance } = (await world.anonymous.settings.public()).data
    expect(appearance.welcome_banner?.description_rendered).toContain('For guests')
    await admin.api.settingsPages.saveBanner({ logout: { enabled: 'no' } })
    expect((await world.anonymous.settings.public()).data.appearance.welcome_banner).toBeNull()
    expect((await ana.api.settingsPages.welcomeBanner()).welcome_banner?.description).toContain('**Hi**')
  })
})

describe('storage', () => {
  test('shows the configuration, tests it, and changes nothing', async () => {
    const { config } = await admin.api.settingsPages.storage()
    expect(config).toEqual({ driver: 'local', bucket: '', endpoint_url: '', region: '', access_key: '', secret_key: '' })
    expect((await admin.api.settingsPages.testStorage({ config })).message).toBe('The file storage works.')
    expect(await wrong('/admin/storage-settings', { config: { driver: 's3', bucket: 'x' } })).toEqual([
      400,
      'invalid_data',
      'config.driver,config.bucket',
    ])
  })

  test('masks secrets, and reports a failing storage', async () => {
    const away = await createWorld({
      env: {
        LYCEUM_S3_URL: 'http://127.0.0.1:9/bucket',
        LYCEUM_S3_ACCESS_KEY: 'AKIA-LONG-ACCESS-KEY',
        LYCEUM_S3_SECRET_KEY: 'top-secret-key',
      },
    })
    const boss = await away.member({ role: 'admin' })
    const answer = await boss.raw('GET', '/admin/storage-settings')
    expect(answer.body.config).toMatchObject({
      driver: 's3',
      bucket: 'bucket',
      endpoint_url: 'http://127.0.0.1:9',
      secret_key: '************',
    })
    expect(answer.text).not.toMatch(/top-secret|AKIA-LONG/)
    const tried = await boss.raw('POST', '/admin/storage-settings', {})
    expect([tried.status, tried.body.code, /127\.0\.0\.1|secret|AKIA/.test(tried.text)]).toEqual([503, 'service_unavailable', false])
    await away.close()
  }, 60_000)
})

test('links to sites that are not offered are refused, existing ones stay', async () => {
  await ana.api.profiles.update({ username: 'me', social_links: { fb: 'https://facebook.com/ana' } })
  const { providers } = await admin.api.settingsPages.saveLinkProviders({ configs: ['twitter', 'linkedin'] })
  expect(Object.entries(providers).flatMap(([name, { enabled }]) => (enabled ? [name] : []))).toEqual(['twitter', 'linkedin'])
  const { data } = await refused(
    ana.api.profiles.update({ username: 'me', social_links: { youtube: 'https://youtube.com/@ana' } }),
    400,
    'invalid_url',
  )
  expect(data).toMatchObject({ field: 'social_links.youtube' })
  await ana.api.profiles.update({ username: 'me', social_links: { fb: 'https://facebook.com/ana', twitter: 'https://x.com/ana' } })
  expect((await ana.api.profiles.get({ username: 'me' })).profile.social_links).toMatchObject({
    fb: 'https://facebook.com/ana',
    twitter: 'https://x.com/ana',
  })
  expect(await wrong('/admin/profile-link-providers', { configs: ['myspace'] })).toEqual([400, 'invalid_data', 'configs.0'])
})

test('the SDK can read each page and send it back', async () => {
  const { settingsPages } = admin.api
  const [email, texts] = [await settingsPages.email(), await settingsPages.mailTexts()]
  expect((await settingsPages.saveEmail(email)).email_settings).toEqual(email.email_settings)
  expect((await settingsPages.saveMailTexts(texts)).texts).toEqual(texts.texts)
  const [banner, auth, menu] = [await settingsPages.banner(), await settingsPages.auth(), await settingsPages.menu()]
  expect((await settingsPages.saveBanner(banner)).settings).toEqual(banner.settings)
  expect((await settingsPages.saveAuth(auth)).settings).toEqual(auth.settings)
  expect((await settingsPages.saveMenu(menu)).menuSettings).toEqual(menu.menuSettings)
  const [custom, colors, privacy] = [await settingsPages.customization(), await settingsPages.colors(), await settingsPages.privacy()]
  expect((await settingsPages.saveCustomization(custom)).settings).toEqual(custom.settings)
  expect((await settingsPages.saveColors(colors)).settings).toEqual(colors.settings)
  expect((await settingsPages.savePrivacy(privacy)).settings).toEqual(privacy.settings)
  const [general, snippets, followers] = [await settingsPages.general(), await settingsPages.snippets(), await settingsPages.followers()]
  expect((await settingsPages.saveGeneral({ settings: general.settings })).settings).toEqual(general.settings)
  expect((await settingsPages.saveSnippets(snippets)).snippets).toEqual(snippets.snippets)
  expect((await settingsPages.saveFollowers(followers)).settings).toEqual(followers.settings)
  const { providers } = await settingsPages.linkProviders()
  expect((await settingsPages.saveLinkProviders({ configs: ['instagram', 'twitter', 'youtube', 'linkedin', 'fb'] })).providers).toEqual(
    providers,
  )
})

test('further sites can be offered, and are shown once linked', async () => {
  const link = { github: 'https://github.com/ana' }
  const { data } = await refused(ana.api.profiles.update({ username: 'me', social_links: link }), 400, 'invalid_url')
  expect(data).toMatchObject({ field: 'social_links.github' })
  const links = async () => (await admin.api.profiles.get({ username: 'ana' })).profile.social_links
  expect(Object.keys(await links())).not.toContain('github')
  await admin.api.settingsPages.saveLinkProviders({ configs: ['github', 'mastodon'] })
  await ana.api.profiles.update({ username: 'me', social_links: link })
  expect(await links()).toMatchObject(link)
  await ana.api.profiles.update({ username: 'me', social_links: { github: '' } })
  expect(Object.keys(await links())).not.toContain('github')
})
