import { FEATURES, SETTINGS } from '@lyceum/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorld, type World } from '#test/world.ts'
import { hasFeature, readSetting, readSettings, type SettingChanges, saveSettings, settingProblem } from './repository.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const save = (changes: SettingChanges) => world.app.write(null, (ctx) => saveSettings(ctx, changes))
const read = <K extends keyof typeof SETTINGS>(key: K) => readSetting(world.app.services.database.read, key)

test('public settings need no credentials', async () => {
  const { data } = await world.anonymous.settings.public()
  expect(data).toMatchObject({
    site_name: 'Lyceum',
    site_description: '',
    allow_registration: true,
    logo_url: '',
    primary_color: '#256150',
    features: Object.fromEntries(FEATURES.map((name) => [name, name !== 'gif'])),
    appearance: { custom_css: '', welcome_banner: null, customization: { dark_mode: 'yes' } },
  })
  await save({ site_name: 'Café ☕', allow_registration: false, features: { gif: true } })
  const changed = (await world.anonymous.settings.public()).data
  expect(changed).toMatchObject({ site_name: 'Café ☕', allow_registration: false, site_description: '' })
  expect(changed.features).toEqual(Object.fromEntries(FEATURES.map((name) => [name, true])))
})

test('every default is valid', () => {
  for (const [key, [fallback]] of Object.entries(SETTINGS)) expect(settingProblem(key as keyof typeof SETTINGS, fallback), key).toBeNull()
})

test.each([
  ['site_name', '   '],
  ['site_name', 7],
  ['allow_registration', 'yes'],
  ['timezone', 'Mars/Olympus'],
  ['timezone', ''],
  ['primary_color', 'red;}'],
  ['logo_url', 'javascript:alert(1)'],
  ['logo_url', '//evil.example/x.png'],
  ['admin_email', 'nobody'],
  ['features', { gif: 'yes' }],
  ['features', { constructor: true }],
  ['digest_frequency', 'hourly'],
] as const)('%s does not take %j', async (key, value) => {
  await expect(save({ site_description: 'not this either', [key]: value } as SettingChanges)).rejects.toMatchObject({
    code: 'invalid_data',
    data: { errors: { [key]: expect.any(String) } },
  })
  expect(await read('site_description')).toBe('')
  expect(await read(key)).toEqual(SETTINGS[key][0])
})

test('accepted values are returned unchanged', async () => {
  await save({ timezone: 'Europe/Berlin', logo_url: '/media/logo.png', primary_color: '#ABCDEF' })
  await save({ logo_url: 'https://example.org/l.png' })
  expect(await readSettings(world.app.services.database.read, ['timezone', 'logo_url', 'primary_color', 'site_name'])).toEqual({
    timezone: 'Europe/Berlin',
    logo_url: 'https://example.org/l.png',
    primary_color: '#ABCDEF',
    site_name: 'Lyceum',
  })
})

test('feature flags change independently, also concurrently', async () => {
  await Promise.all(FEATURES.map((name) => save({ features: { [name]: name === 'gif' } })))
  expect(await read('features')).toEqual(Object.fromEntries(FEATURES.map((name) => [name, name === 'gif'])))
  expect(await hasFeature(world.app.services.database.read, 'gif')).toBe(true)
  expect(await hasFeature(world.app.services.database.read, 'topics')).toBe(false)
})

test('a stored value from another version counts as not set', async () => {
  const { database } = world.app.services
  await save({ features: { topics: false } })
  await database.write((db) =>
    db.updateTable('settings').set({ value: '{"topics":false,"telepathy":true}' }).where('key', '=', 'features').execute(),
  )
  await database.write((db) =>
    db.insertInto('settings').values({ key: 'primary_color', value: '"mauve"', updated_at: '2026-01-01 00:00:00' }).execute(),
  )
  expect([await read('primary_color'), (await read('features')).gif]).toEqual(['#256150', false])
})
