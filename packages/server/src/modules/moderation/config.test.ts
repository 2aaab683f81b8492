import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8' } })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const DEFAULTS = {
  auto_moderation: { enabled: false, spam_detection: true, profanity_filter: true, link_moderation: true },
  report_thresholds: { auto_hide_threshold: 0, auto_ban_threshold: 0 },
  moderator_notifications: { email_on_report: false, chat_webhook: '' },
  blocked_words: [],
  blocked_domains: [],
  trusted_users: [],
}

test('holds nothing by default', async () => {
  expect(await admin.api.moderation.config()).toEqual(DEFAULTS)
})

test('is merged by group', async () => {
  const { message, config } = await admin.api.moderation.saveConfig({ auto_moderation: { enabled: true }, blocked_words: ['foulword'] })
  expect(message).toEqual(expect.any(String))
  expect(config).toEqual({ ...DEFAULTS, auto_moderation: { ...DEFAULTS.auto_moderation, enabled: true }, blocked_words: ['foulword'] })
  await admin.api.moderation.saveConfig({ report_thresholds: { auto_hide_threshold: 3 }, trusted_users: [7, 7, 8] })
  await admin.api.moderation.saveConfig({ moderator_notifications: { chat_webhook: 'http://127.0.0.1:9/chat' } })
  await admin.api.moderation.saveConfig({})
  expect(await admin.api.moderation.config()).toEqual({
    ...config,
    report_thresholds: { auto_hide_threshold: 3, auto_ban_threshold: 0 },
    trusted_users: [7, 8],
    moderator_notifications: { email_on_report: false, chat_webhook: 'http://127.0.0.1:9/chat' },
  })
  await admin.api.moderation.saveConfig({ moderator_notifications: { chat_webhook: null, email_on_report: null } })
  expect((await admin.api.moderation.config()).moderator_notifications.chat_webhook).toBe('')
})

test('concurrent changes do not undo each other', async () => {
  await Promise.all([
    admin.api.moderation.saveConfig({ blocked_words: ['one'] }),
    admin.api.moderation.saveConfig({ blocked_domains: ['one.example'] }),
    admin.api.moderation.saveConfig({ auto_moderation: { spam_detection: false } }),
    admin.api.moderation.saveConfig({ report_thresholds: { auto_ban_threshold: 9 } }),
  ])
  expect(await admin.api.moderation.config()).toMatchObject({
    blocked_words: ['one'],
    blocked_domains: ['one.example'],
    auto_moderation: { enabled: true, spam_detection: false },
    report_thresholds: { auto_hide_threshold: 3, auto_ban_threshold: 9 },
  })
})

test('lists are normalized and deduplicated', async () => {
  const { config } = await admin.api.moderation.saveConfig({
    blocked_words: ['  Foul   Word ', 'foul word', 'ＦＯＵＬ ＷＯＲＤ', 'other'],
    blocked_domains: ['Evil.Example', 'https://evil.example/x', '*.münchen.example'],
  })
  expect(config.blocked_words).toEqual(['Foul Word', 'other'])
  expect(config.blocked_domains).toEqual(['evil.example', 'xn--mnchen-3ya.example'])
})

test.each([
  [{ blocked_words: [''] }],
  [{ blocked_words: [' \u200b '] }],
  [{ blocked_words: ['x'.repeat(101)] }],
  [{ blocked_words: 'foulword' }],
  [{ blocked_words: [7] }],
  [{ blocked_words: Array.from({ length: 2001 }, (_, i) => `w${i}`) }],
  [{ blocked_domains: ['nonsense'] }],
  [{ blocked_domains: ['java script:x'] }],
  [{ report_thresholds: { auto_hide_threshold: -1 } }],
  [{ report_thresholds: { auto_ban_threshold: 1.5 } }],
  [{ report_thresholds: { auto_ban_threshold: '-3' } }],
  [{ auto_moderation: { enabled: 'yes' } }],
  [{ auto_moderation: ['enabled'] }],
  [{ trusted_users: [0] }],
  [{ trusted_users: ['one'] }],
  [{ moderator_notifications: { chat_webhook: 'nonsense' } }],
  [{ moderator_notifications: { chat_webhook: 'javascript:alert(1)' } }],
  [{ moderator_notifications: { chat_webhook: 'http://0.0.0.0:5432/' } }],
  [{ moderator_notifications: { chat_webhook: 'https://169.254.169.254/latest' } }],
  [{ moderator_notifications: { chat_webhook: 'http://[::1]:80/' } }],
])('%j is refused', async (body) => {
  const before = await admin.api.moderation.config()
  const { status } = await admin.raw('POST', '/moderation/config', {
    ...body,
    auto_moderation: (body as { auto_moderation?: object }).auto_moderation ?? { enabled: false },
  })
  expect(status).toBe(400)
  expect(await admin.api.moderation.config()).toEqual(before)
})

test('requires an administrator', async () => {
  for (const who of [await world.member(), await world.member({ role: 'moderator' }), await world.member({ role: 'manager' })]) {
    await refused(who.api.moderation.config(), 403, 'rest_forbidden')
    await refused(who.api.moderation.saveConfig({}), 403, 'rest_forbidden')
  }
  await refused(world.anonymous.moderation.config(), 401, 'rest_forbidden')
})

test('the audit log contains the changes, but not the chat URL', async () => {
  await admin.api.moderation.saveConfig({
    blocked_words: ['foulword'],
    moderator_notifications: { chat_webhook: 'http://127.0.0.1:9/secret-token' },
  })
  const { entries } = await admin.api.audit.list({ action: 'moderation.configured', per_page: 1 })
  expect(entries[0]).toMatchObject({ actor_id: admin.id, details: { blocked_words: 1 } })
  expect(JSON.stringify(entries)).not.toMatch(/secret-token|foulword/)
})
