import { describe, expect, test } from 'vitest'
import { php, read } from './small-site.ts'

const user = (ID: number, more: Record<string, string | number> = {}) => ({
  ID,
  user_login: `user-${ID}`,
  user_nicename: `user-${ID}`,
  user_email: `u${ID}@club.example`,
  ...more,
})

describe('people', () => {
  test('have account and profile in one', async () => {
    const { records } = await read('people', {
      users: [user(7, { user_login: 'Carla Q', user_nicename: 'carla-q', display_name: 'C', user_pass: 'D'.repeat(32) })],
      usermeta: [
        { umeta_id: 1, user_id: 7, meta_key: 'first_name', meta_value: 'Carla' },
        { umeta_id: 2, user_id: 7, meta_key: 'wp_capabilities', meta_value: php({ administrator: true }) },
      ],
      fcom_xprofile: [
        {
          user_id: 7,
          username: 'carla',
          display_name: 'Carla Quarz',
          is_verified: 1,
          total_points: 12,
          short_description: '**Hello**',
          last_activity: '2024-07-02 00:30:00',
          meta: php({ website: 'https://q.example', social_links: { twitter: '@carla', fb: 'https://social.example/c', odd: 'x' } }),
        },
      ],
    })
    expect(records).toEqual([
      {
        id: '7',
        urls: ['/hub/u/carla', '/author/carla-q'],
        username: 'carla',
        aliases: ['carla-q', 'Carla Q'],
        email: 'u7@club.example',
        password: `md5:${'d'.repeat(32)}`,
        display_name: 'Carla Quarz',
        first_name: 'Carla',
        short_description: '**Hello**',
        website: 'https://q.example',
        social_links: { twitter: 'https://x.com/carla', fb: 'https://social.example/c' },
        is_verified: true,
        status: 'active',
        role: 'admin',
        points: 12,
        last_activity: '2024-07-01 22:30:00',
        created_at: '2024-01-01 10:00:00',
        updated_at: '2024-07-01 10:00:00',
      },
    ])
  })

  test('each status of a profile; deactivated accounts are suspended', async () => {
    const statuses = ['active', 'pending', 'blocked', '']
    const { records } = await read('people', {
      users: statuses.map((_, at) => user(at + 1)),
      fcom_xprofile: statuses.map((status, at) => ({ user_id: at + 1, status })),
    })
    expect(records.map(({ status }) => status)).toEqual(['active', 'pending', 'banned', 'suspended'])
  })

  test('roles in the community; those without a counterpart are noted', async () => {
    const roles = [['admin'], ['moderator', 'course_admin'], ['course_creator'], []]
    const { records, noted } = await read('people', {
      users: roles.map((_, at) => user(at + 1)),
      fcom_meta: roles.map((value, at) => ({
        object_type: 'user',
        object_id: at + 1,
        meta_key: '_user_community_roles',
        value: php(value),
      })),
    })
    expect(records.map(({ role }) => role)).toEqual(['admin', 'moderator', 'member', 'member'])
    expect(noted).toEqual(['2: they lost the role course_admin', '3: they lost the role course_creator'])
  })

  test('without an address, or with one that is none, survive', async () => {
    const { records, noted } = await read('people', { users: [user(1, { user_email: '' }), user(2, { user_email: 'nonsense' })] })
    expect(records.map(({ email }) => email)).toEqual([null, null])
    expect(noted).toEqual(['2: its email address is not valid'])
  })

  test('with one address in two spellings are both there, for the import to make one of them', async () => {
    const { records } = await read('people', { users: [user(1, { user_email: 'A@b.example' }), user(2, { user_email: 'a@B.example' })] })
    expect(records).toHaveLength(2)
  })

  test('whose account is gone keep their name, and cannot sign in', async () => {
    const { records, noted } = await read('people', {
      users: [user(1)],
      fcom_xprofile: [{ user_id: 9, username: 'gone', display_name: 'Gone G' }],
    })
    expect(records[1]).toMatchObject({
      id: '9',
      username: 'gone',
      display_name: 'Gone G',
      email: null,
      password: null,
      status: 'suspended',
    })
    expect(noted).toHaveLength(1)
  })

  test('without a profile come from their account', async () => {
    const { records } = await read('people', {
      users: [user(1, { display_name: 'Only Account' })],
      usermeta: [{ umeta_id: 1, user_id: 1, meta_key: 'description', meta_value: 'Bio' }],
    })
    expect(records[0]).toMatchObject({ username: 'user-1', display_name: 'Only Account', short_description: 'Bio', status: 'active' })
  })

  test('with broken details keep the rest', async () => {
    const { records, noted } = await read('people', {
      users: [user(1)],
      fcom_xprofile: [{ user_id: 1, username: 'one', short_description: 'Bio', meta: 'a:2:{s:7:"website";s:99:"https://cut' }],
    })
    expect(records[0]).toMatchObject({ username: 'one', short_description: 'Bio' })
    expect(noted).toEqual(['1: their profile details were dropped, because they cannot be read: it is truncated'])
  })

  test('a login stays an alias, even if it is the username of somebody else', async () => {
    const { records } = await read('people', {
      users: [user(1, { user_login: 'twin', user_nicename: 'twin' }), user(2, { user_login: 'x', user_nicename: 'x' })],
      fcom_xprofile: [
        { user_id: 1, username: 'first' },
        { user_id: 2, username: 'Twin' },
      ],
    })
    expect(records.map(({ aliases }) => aliases)).toEqual([['twin'], ['x']])
  })

  test('choices about mail', async () => {
    const choice = (notification_type: string, is_read: number) => ({
      object_type: 'notification_pref',
      notification_type,
      user_id: 1,
      is_read,
    })
    const { records } = await read('people', {
      users: [user(1), user(2)],
      fcom_notification_users: [choice('mention_mail', 0), choice('com_my_post_mail', 1), choice('digest_mail', 0)],
    })
    expect(records.map(({ preferences }) => preferences)).toEqual([
      { email: { new_comment: true, mention: false }, digest_frequency: 'never' },
      undefined,
    ])
  })

  test('of other sites of a network do not belong to it', async () => {
    const { records } = await read(
      'people',
      {
        users: [user(1), user(2), user(3)],
        usermeta: [
          { umeta_id: 1, user_id: 1, meta_key: 'wp_3_capabilities', meta_value: php({ administrator: true }) },
          { umeta_id: 2, user_id: 2, meta_key: 'wp_capabilities', meta_value: php({ administrator: true }) },
        ],
        fcom_xprofile: [{ user_id: 3, username: 'three' }],
      },
      { prefix: 'wp_3_' },
    )
    expect(records.map(({ id, role }) => [id, role])).toEqual([
      ['1', 'admin'],
      ['3', 'member'],
    ])
  })
})

describe('pictures of people', () => {
  const avatars = async (avatar: string, rows = {}) => {
    const { records } = await read('people', { users: [user(1)], fcom_xprofile: [{ user_id: 1, avatar }], ...rows })
    const { avatar: id, avatar_url: url } = records[0] ?? {}
    return { id, url }
  }

  test('are uploads of the archive of media', async () => {
    const url = 'https://club.example/wp-content/uploads/fluent-community/fluentcom-k-fluentcom-me.png'
    expect(await avatars(url, { fcom_media_archive: [{ id: 5, media_url: url }] })).toEqual({ id: '5', url: undefined })
  })

  test('are files of the media library, also by a relative address and on an old host', async () => {
    const id = 'file:2019/05/me.jpg'
    expect(await avatars('/wp-content/uploads/2019/05/me.jpg')).toEqual({ id, url: undefined })
    expect(await avatars('http://old.example/wp-content/uploads/2019/05/me.jpg')).toEqual({ id, url: undefined })
  })

  test('elsewhere stay addresses, which nobody fetches', async () => {
    expect(await avatars('https://secure.gravatar.com/avatar/0?s=96')).toEqual({
      id: undefined,
      url: 'https://secure.gravatar.com/avatar/0?s=96',
    })
    expect(await avatars('javascript:alert(1)')).toEqual({ id: undefined, url: undefined })
  })
})
