import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStaging, type Staging } from '../staging/staging.ts'
import {
  accountOf,
  CORE_TABLES,
  defineTables,
  emailOf,
  metaOf,
  networkPrefix,
  passwordOf,
  prefixesOf,
  readSite,
  type UserRow,
  uploadPlaces,
  wantedTables,
} from './index.ts'

let staging: Staging
beforeEach(() => {
  staging = openStaging()
})
afterEach(() => staging.close())

const fill = (table: string, rows: readonly Record<string, string | number | null>[]) => {
  const shape = wantedTables(CORE_TABLES)(table)
  if (!shape || !rows[0]) throw new Error(table)
  const loader = staging.loader(table, shape, Object.keys(rows[0]))
  for (const row of rows) loader.add(Object.values(row), '')
}

const options = (values: Record<string, string>) =>
  Object.entries(values).map(([option_name, option_value], at) => ({ option_id: at + 1, option_name, option_value }))

const ROW: UserRow = {
  ID: 7,
  user_login: 'Some One',
  user_pass: '',
  user_nicename: 'some-one',
  user_email: ' some@one.example ',
  user_url: 'one.example',
  user_registered: '2020-05-01 10:00:00',
  display_name: '',
}

describe('accounts', () => {
  test('names, roles and times', () => {
    const meta = new Map([
      ['first_name', 'Some'],
      ['nickname', 'Somy'],
      ['x_capabilities', 'a:2:{s:6:"editor";b:1;s:6:"author";b:0;}'],
      ['y_capabilities', 'a:1:{s:13:"administrator";b:1;}'],
    ])
    expect(accountOf(ROW, meta, 'x_')).toMatchObject({
      id: '7',
      displayName: 'Somy',
      firstName: 'Some',
      lastName: '',
      email: 'some@one.example',
      website: '',
      roles: ['editor'],
      registeredAt: '2020-05-01 10:00:00',
      problems: [],
    })
  })

  test('addresses that are none', () => {
    for (const text of ['', 'one', 'one@', '@one.example', 'a b@c.example', 'a@b@c', null]) expect(emailOf(text)).toBe(null)
    expect(accountOf({ ...ROW, user_email: 'nobody' }, new Map(), '').problems).toEqual(['its email address is not valid'])
  })

  test('password hashes', () => {
    const phpass = `$P$B${'a'.repeat(30)}`
    const bcrypt = `$2y$10$${'a'.repeat(53)}`
    expect(passwordOf(phpass).hash).toBe(phpass)
    expect(passwordOf(`$wp${bcrypt}`).hash).toBe(`$wp${bcrypt}`)
    expect(passwordOf(bcrypt).hash).toBe(bcrypt)
    expect(passwordOf('A'.repeat(32)).hash).toBe(`md5:${'a'.repeat(32)}`)
    expect(passwordOf('')).toEqual({ hash: null, problem: null })
    for (const unknown of ['$argon2id$v=19$m=1$a$b', '*', 'plain', '$P$short']) {
      expect(passwordOf(unknown).hash).toBe(null)
      expect(passwordOf(unknown).problem).toMatch(/unknown format/)
    }
  })
})

describe('sites', () => {
  test('the metadata of an account: the first row of a key counts', () => {
    fill('p_usermeta', [
      { umeta_id: 1, user_id: 7, meta_key: 'first_name', meta_value: 'First' },
      { umeta_id: 2, user_id: 7, meta_key: 'first_name', meta_value: 'Second' },
      { umeta_id: 3, user_id: 7, meta_key: 'session_tokens', meta_value: 'secret' },
      { umeta_id: 4, user_id: 8, meta_key: 'first_name', meta_value: 'Other' },
    ])
    defineTables(staging, 'p_', CORE_TABLES)
    expect([...metaOf(staging, 7)]).toEqual([['first_name', 'First']])
  })

  test('a site of a network has its own options and the accounts of the network', () => {
    fill('wp_users', [{ ID: 1, user_login: 'one' }])
    fill('wp_options', options({ home: 'https://main.example' }))
    fill(
      'wp_2_options',
      options({ home: 'https://second.example/club/', siteurl: 'https://second.example/wp', timezone_string: 'Asia/Kolkata' }),
    )
    expect(networkPrefix('wp_2_')).toBe('wp_')
    expect(networkPrefix('wp_')).toBe('wp_')
    expect(prefixesOf(staging, 'options').sort()).toEqual(['wp_', 'wp_2_'])
    defineTables(staging, 'wp_2_', CORE_TABLES)
    const site = readSite(staging)
    expect(site.address).toBe('https://second.example/club')
    expect(site.basePath).toBe('/club')
    expect(site.zone.toUtc('2024-01-01 05:30:00')).toBe('2024-01-01 00:00:00')
    expect(staging.get('select user_login from users')).toEqual({ user_login: 'one' })
  })

  test('the origins are those that servers treat alike', () => {
    fill('options', options({ siteurl: 'https://www.club.example:8443' }))
    defineTables(staging, '', CORE_TABLES)
    expect(readSite(staging).origins).toEqual([
      'https://www.club.example:8443',
      'https://club.example:8443',
      'http://www.club.example:8443',
      'http://club.example:8443',
    ])
  })

  test('a site without options', () => {
    defineTables(staging, 'p_', CORE_TABLES)
    expect(readSite(staging)).toMatchObject({ address: '', origins: [], basePath: '' })
  })
})

test('paths of uploads, by their addresses', () => {
  const places = (values: Record<string, string> = {}) => uploadPlaces({ option: (name) => values[name] ?? null })
  const { pathOf } = places()
  expect(pathOf('https://a.example/wp-content/uploads/2024/05/K%C3%A4se%2520.jpg?x=1')).toBe('2024/05/Käse%20.jpg')
  expect(pathOf('/wp-content/uploads/a.png')).toBe('a.png')
  expect(pathOf('//cdn.example/blog/wp-content/uploads/a%zz.png')).toBe('a%zz.png')
  expect(pathOf('https://a.example/other/a.png')).toBe(null)
  expect(pathOf('https://a.example/?to=/wp-content/uploads/a.png')).toBe(null)
  expect(places({ upload_url_path: 'https://files.example/' }).pathOf('https://files.example/2024/a.png')).toBe('2024/a.png')
  expect(places({ upload_path: 'media' }).pathOf('https://a.example/media/2024/a.png')).toBe('2024/a.png')
})
