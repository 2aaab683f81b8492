import { describe, expect, test } from 'vitest'
import { activity, comment, group, type Row, user, withSite } from '../../test-support/buddypress-dump.ts'
import { UnreadableSource } from '../source.ts'
import { openBuddypress } from './open.ts'

const HASH = {
  phpass: `$P$B${'a'.repeat(30)}`,
  wp: `$wp$2y$10$${'a'.repeat(53)}`,
  md5: '0123456789abcdef0123456789ABCDEF',
}

const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)
const picked = <T extends object, K extends keyof T>(records: readonly T[], ...keys: K[]) =>
  records.map((record) => keys.map((key) => record[key]))

describe('the site', () => {
  test('a dump without tables of BuddyPress, or without accounts, is refused', async () => {
    await expect(withSite({ tables: { bp_activity: [], posts: [{ ID: 1 }] } }, async () => 0)).rejects.toThrow(UnreadableSource)
    await expect(withSite({ tables: { users: [] } }, async () => 0)).rejects.toThrow(/no accounts/)
  })

  test('an address of a site is refused', async () => {
    await expect(openBuddypress('https://old.example', {})).rejects.toThrow(/use a dump/)
  })

  test('tables may have any prefix, and be missing if a component is not active', async () => {
    await withSite({ tables: {}, prefix: 'Xy_' }, async ({ source, records }) => {
      expect(source.origins).toEqual(['https://old.example', 'https://www.old.example', 'http://old.example', 'http://www.old.example'])
      expect(ids(await records('people'))).toEqual(['1', '2'])
      expect(ids(await records('posts'))).toEqual(['1'])
      for (const kind of ['spaces', 'memberships', 'follows', 'reactions', 'media', 'topics', 'lessons'] as const)
        expect(await records(kind)).toEqual([])
      expect(await source.counts()).toMatchObject({ people: 2, posts: 1, spaces: 0, follows: 0, reactions: 0 })
      expect(await source.leftOut()).toEqual({})
    })
  })

  test('addresses are below the base path and the pages of the directories', async () => {
    const options = [
      { option_id: 1, option_name: 'home', option_value: 'https://old.example/club/' },
      { option_id: 2, option_name: 'siteurl', option_value: 'https://old.example/club/wp' },
      { option_id: 3, option_name: 'bp-pages', option_value: 'a:3:{s:7:"members";i:5;s:6:"groups";s:1:"6";s:8:"activity";i:7;}' },
    ]
    const posts = [
      { ID: 4, post_name: 'community', post_parent: 0, post_type: 'page' },
      { ID: 5, post_name: 'mitglieder', post_parent: 4, post_type: 'page' },
      { ID: 6, post_name: 'kreise', post_parent: 0, post_type: 'buddypress' },
      { ID: 7, post_name: 'neues', post_parent: 0, post_type: 'buddypress' },
    ]
    const tables = {
      options,
      posts,
      bp_groups: [group(7, 'bread')],
      bp_groups_groupmeta: [
        { id: 1, group_id: 7, meta_key: 'previous_slug', meta_value: 'brot' },
        { id: 2, group_id: 7, meta_key: 'previous_slug', meta_value: 'rolls' },
      ],
      bp_activity: [activity(1, { component: 'groups', item_id: 7 }), comment(2, 1, 1)],
    }
    await withSite({ tables }, async ({ source, records }) => {
      expect(source.basePath).toBe('/club')
      expect((await records('people'))[0]?.urls).toEqual([
        '/club/community/mitglieder/ana/',
        '/club/community/mitglieder/ana/profile/',
        '/club/community/mitglieder/ana/activity/',
        '/club/author/ana/',
        '/club/community/mitglieder/Ana/',
        '/club/community/mitglieder/Ana/profile/',
        '/club/community/mitglieder/Ana/activity/',
        '/club/author/Ana/',
        '/club/?author=1',
      ])
      expect((await records('spaces'))[0]?.urls).toEqual(
        ['bread', 'brot', 'rolls'].flatMap((slug) => ['', 'home/', 'activity/', 'members/'].map((page) => `/club/kreise/${slug}/${page}`)),
      )
      expect((await records('posts'))[0]?.urls).toEqual([
        '/club/neues/p/1/',
        '/club/activity/p/1/',
        '/club/community/mitglieder/ana/activity/1/',
        '/club/kreise/bread/activity/1/',
      ])
      expect((await records('comments'))[0]?.urls).toEqual(['/club/neues/p/2/', '/club/activity/p/2/'])
    })
  })

  test('a network of sites has its accounts in shared tables, and roles by the prefix of the site', async () => {
    const usermeta = [
      { umeta_id: 1, user_id: 1, meta_key: 'wp_capabilities', meta_value: 'a:1:{s:10:"subscriber";b:1;}' },
      { umeta_id: 2, user_id: 2, meta_key: 'wp_capabilities', meta_value: 'a:1:{s:13:"administrator";b:1;}' },
      { umeta_id: 3, user_id: 1, meta_key: 'wp_2_capabilities', meta_value: 'a:1:{s:13:"administrator";b:1;}' },
    ]
    const users = [user(1, 'Ana', { spam: 0, deleted: 1 }), user(2, 'Ben', { spam: 0, deleted: 0 }), user(3, 'Cy', { spam: 1, deleted: 0 })]
    await withSite({ tables: { users, usermeta, '2_bp_groups': [group(1, 'other')] } }, async ({ records }) => {
      expect(picked(await records('people'), 'id', 'role', 'status')).toEqual([
        ['1', 'member', 'suspended'],
        ['2', 'admin', 'active'],
        ['3', 'member', 'banned'],
      ])
      expect(await records('spaces')).toEqual([])
    })
  })

  test('what has no place is counted', async () => {
    const tables = {
      bp_activity: [
        activity(1),
        activity(2, { type: 'joined_group' }),
        activity(3, { type: 'joined_group' }),
        activity(4, { type: 'new_blog_post' }),
      ],
      bp_messages_messages: [{ id: 1, thread_id: 1, message: 'secret' }],
      bp_notifications: [{ id: 1 }, { id: 2 }],
      signups: [
        { signup_id: 1, active: 0 },
        { signup_id: 2, active: 1 },
      ],
      bp_invitations: [
        { id: 1, user_id: 2, inviter_id: 1, class: 'bp_groups_invitation_manager', item_id: 1, type: 'invite', accepted: 0 },
        { id: 2, user_id: 0, inviter_id: 1, class: 'bp_members_invitation_manager', item_id: 0, type: 'invite', accepted: 0 },
      ],
      posts: [
        { ID: 1, post_type: 'post', post_status: 'publish' },
        { ID: 2, post_type: 'topic', post_status: 'publish' },
        { ID: 3, post_type: 'reply', post_status: 'publish' },
        { ID: 4, post_type: 'reply', post_status: 'publish' },
      ],
    }
    await withSite({ tables }, async ({ source }) => {
      expect(await source.leftOut()).toEqual({
        'private messages': 1,
        notifications: 2,
        'incomplete registrations': 1,
        'invitations to groups': 1,
        'invitations to the site': 1,
        'blog posts': 1,
        'forum topics': 1,
        'forum replies': 2,
        'activities of type joined_group': 2,
        'activities of type new_blog_post': 1,
      })
    })
  })
})

describe('people', () => {
  test('have the name of their pages, and keep their login as an alias unless it is the name of another', async () => {
    const users = [
      user(1, 'ana@mail.example', { user_nicename: 'anamail-example', display_name: 'Ana &amp; Co' }),
      user(2, 'Ben Bond', { user_nicename: 'ben-bond' }),
      user(3, 'ben-bond', { user_nicename: 'cy' }),
      user(4, '', { user_nicename: '' }),
    ]
    await withSite({ tables: { users } }, async ({ records, unreadable }) => {
      expect(picked(await records('people'), 'username', 'aliases', 'display_name')).toEqual([
        ['anamail-example', ['anamail-example', 'ana@mail.example'], 'Ana & Co'],
        ['ben-bond', ['ben-bond', 'Ben Bond'], 'Ben Bond'],
        ['cy', ['cy'], 'ben-bond'],
      ])
      expect(await unreadable('people')).toEqual([{ id: '4', reason: 'it has no name', outcome: 'failed' }])
    })
  })

  test('keep the hashes of their passwords; empty and unknown ones never match', async () => {
    const hashes = [HASH.phpass, HASH.wp, HASH.md5, '', '$argon2id$v=19$x', 'x']
    const users = hashes.map((user_pass, at) => user(at + 1, `p${at}`, { user_pass }))
    await withSite({ tables: { users } }, async ({ records, unreadable }) => {
      expect((await unreadable('people')).map(({ id }) => id)).toEqual(['5', '6'])
      expect((await records('people')).map(({ password }) => password)).toEqual([
        HASH.phpass,
        HASH.wp,
        `md5:${HASH.md5.toLowerCase()}`,
        null,
        null,
        null,
      ])
    })
  })

  test('keep their status; times are in UTC, whatever the zone of the site', async () => {
    const users = [
      user(1, 'Ana'),
      user(2, 'Spammer', { user_status: 1 }),
      user(3, 'New', { user_status: 2, user_registered: '0000-00-00 00:00:00' }),
      user(4, 'Gone'),
    ]
    const tables = {
      users,
      bp_activity: [
        activity(1, { type: 'last_activity', component: 'members', user_id: 1, date_recorded: '2024-07-01 12:00:00' }),
        activity(2, { date_recorded: '2024-07-01 12:00:00' }),
      ],
      bp_suspend: [{ id: 1, item_id: 4, item_type: 'user', hide_sitewide: 1, user_suspended: 1 }],
    }
    await withSite({ tables }, async ({ records }) => {
      expect(picked(await records('people'), 'status', 'created_at', 'last_activity')).toEqual([
        ['active', '2020-01-01 08:00:00', '2024-07-01 12:00:00'],
        ['banned', '2020-01-02 08:00:00', undefined],
        ['unverified', '2020-01-01 08:00:00', undefined],
        ['suspended', '2020-01-04 08:00:00', undefined],
      ])
      expect((await records('posts'))[0]?.created_at).toBe('2024-07-01 12:00:00')
    })
  })

  const FIELDS = [
    { id: 1, group_id: 1, parent_id: 0, type: 'textbox', name: 'Name', field_order: 0 },
    { id: 2, group_id: 2, parent_id: 0, type: 'selectbox', name: 'Oven', field_order: 1 },
    { id: 3, group_id: 2, parent_id: 2, type: 'option', name: 'Gas', field_order: 0 },
    { id: 4, group_id: 1, parent_id: 0, type: 'telephone', name: 'Phone', field_order: 5 },
    { id: 5, group_id: 1, parent_id: 0, type: 'textarea', name: 'About me', field_order: 6 },
  ]

  test('have the public values of their profile fields, the newer of two', async () => {
    const tables = {
      users: [user(1, 'Ana'), user(2, 'Ben'), user(3, 'Cy')],
      bp_xprofile_groups: [
        { id: 1, name: 'Base', group_order: 0 },
        { id: 2, name: 'More', group_order: 1 },
      ],
      bp_xprofile_fields: FIELDS,
      bp_xprofile_meta: [{ id: 1, object_id: 4, object_type: 'field', meta_key: 'default_visibility', meta_value: 'adminsonly' }],
      bp_xprofile_data: [
        { id: 1, field_id: 1, user_id: 1, value: 'Ana Ruiz' },
        { id: 2, field_id: 2, user_id: 1, value: 'Wood' },
        { id: 3, field_id: 2, user_id: 1, value: 'Gas' },
        { id: 4, field_id: 4, user_id: 1, value: '555-0100' },
        { id: 5, field_id: 5, user_id: 1, value: `It\\'s me` },
        { id: 6, field_id: 5, user_id: 2, value: 'Mine' },
        { id: 7, field_id: 9, user_id: 2, value: 'field is gone' },
        { id: 8, field_id: 1, user_id: 3, value: 'Cyril' },
        { id: 9, field_id: 5, user_id: 3, value: 'Maybe private' },
      ],
      usermeta: [
        { umeta_id: 1, user_id: 2, meta_key: 'bp_xprofile_visibility_levels', meta_value: 'a:1:{i:5;s:7:"friends";}' },
        { umeta_id: 2, user_id: 3, meta_key: 'bp_xprofile_visibility_levels', meta_value: 'a:1:{i:5;s:' },
        { umeta_id: 3, user_id: 2, meta_key: 'first_name', meta_value: 'Benedict' },
      ],
    }
    await withSite({ tables }, async ({ source, records, unreadable }) => {
      const [ana, ben, cy] = await records('people')
      expect(cy?.display_name).toBe('Cyril')
      expect(cy).not.toHaveProperty('short_description')
      expect(await unreadable('people')).toMatchObject([{ id: '3', outcome: 'noted', reason: expect.stringContaining('cannot be read') }])
      expect(ana).toMatchObject({ display_name: 'Ana Ruiz', short_description: "It's me\n\nOven: Gas" })
      expect(ben).toMatchObject({ display_name: 'Ben' })
      expect(ben).not.toHaveProperty('short_description')
      expect(ben).not.toHaveProperty('first_name')
      expect(JSON.stringify([ana, ben])).not.toContain('555')
      expect(await source.leftOut()).toEqual({ 'profile values that are not visible to all members': 3 })
    })
  })

  test('of BuddyBoss hide a last name that not all members see', async () => {
    const part = (id: number, name: string) => ({ id, group_id: 1, parent_id: 0, type: 'textbox', name, field_order: id })
    const option = (option_id: number, option_name: string, option_value: string) => ({ option_id, option_name, option_value })
    const value = (id: number, field_id: number, text: string, user_id = 1) => ({ id, field_id, user_id, value: text })
    const tables = {
      users: [user(1, 'ana', { display_name: 'Ana Ruiz' }), user(2, 'ben', { display_name: 'Ben Bond' })],
      options: [
        option(1, 'bp-xprofile-firstname-field-id', '1'),
        option(2, 'bp-xprofile-lastname-field-id', '2'),
        option(3, 'bp-xprofile-nickname-field-id', '3'),
      ],
      bp_xprofile_fields: [part(1, 'First Name'), part(2, 'Last Name'), part(3, 'Nickname')],
      bp_xprofile_data: [value(1, 1, 'Ana'), value(2, 2, 'Ruiz'), value(3, 3, 'annie'), value(4, 1, 'Ben', 2), value(5, 2, 'Bond', 2)],
      bb_xprofile_visibility: [{ id: 1, field_id: 2, user_id: 1, value: 'adminsonly' }],
    }
    await withSite({ tables }, async ({ records }) => {
      const [ana, ben] = await records('people')
      expect(ana).toMatchObject({ username: 'ana', aliases: ['ana', 'annie'], display_name: 'Ana', first_name: 'Ana' })
      expect(JSON.stringify(ana)).not.toContain('Ruiz')
      expect(ben).toMatchObject({ display_name: 'Ben Bond', first_name: 'Ben', last_name: 'Bond' })
    })
  })

  test('have avatars and covers from files; missing files and other people are ignored', async () => {
    const uploads = {
      'avatars/1/1600000000-bpfull.png': 'new',
      'avatars/1/1500000000-bpfull.png': 'old',
      'avatars/9/1600000000-bpfull.png': 'nobody',
      'group-avatars/7/5f5e0000aaaaa-bpfull.jpg': 'group',
      'buddypress/members/1/cover-image/5f5e0000aaaaa-bp-cover-image.jpg': 'cover',
      'buddypress/groups/7/cover-image/x.txt': 'no picture',
    }
    await withSite({ tables: { bp_groups: [group(7, 'bread')] }, uploads }, async ({ source, records }) => {
      const [ana, ben] = await records('people')
      expect(ana).toMatchObject({ avatar: 'avatar:1', cover_photo: 'cover:1' })
      expect(ben).not.toHaveProperty('avatar')
      const [bread] = await records('spaces')
      expect(bread).toMatchObject({ logo: 'group-avatar:7' })
      expect(bread).not.toHaveProperty('cover_photo')
      const media = await records('media')
      expect(picked(media, 'id', 'file', 'owner', 'used_for', 'created_at')).toEqual([
        ['avatar:1', 'avatars/1/1600000000-bpfull.png', '1', 'profile', '2020-09-13 12:26:40'],
        ['cover:1', 'buddypress/members/1/cover-image/5f5e0000aaaaa-bp-cover-image.jpg', '1', 'profile', '2020-09-13 11:18:24'],
        ['group-avatar:7', 'group-avatars/7/5f5e0000aaaaa-bpfull.jpg', '1', 'space', '2020-09-13 11:18:24'],
      ])
      expect((await source.counts()).media).toBe(3)
      const content = await source.openMedia(media[0] as (typeof media)[number])
      expect(content && Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>)).toString()).toBe('new')
      expect(await source.openMedia({ ...(media[0] as (typeof media)[number]), file: 'avatars/1/none.png' })).toBe(null)
    })
  })
})

describe('groups', () => {
  const member = (id: number, group_id: number, user_id: number, more: Row = {}): Row => ({
    id,
    group_id,
    user_id,
    inviter_id: 0,
    is_admin: 0,
    is_mod: 0,
    is_confirmed: 1,
    is_banned: 0,
    date_modified: '2020-07-01 10:00:00',
    ...more,
  })

  test('are spaces with their privacy, decoded names and who may post', async () => {
    const meta = (id: number, group_id: number, meta_value: string) => ({ id, group_id, meta_key: 'activity_feed_status', meta_value })
    const tables = {
      bp_groups: [
        group(1, 'bread', { name: 'Bread &amp; Butter', description: 'Good \\"old\\" <b>bread</b>.\nDaily.' }),
        group(2, 'closed', { status: 'private', creator_id: 9, date_created: '0000-00-00 00:00:00' }),
        group(3, 'hidden', { status: 'hidden', name: '' }),
        group(4, 'odd', { status: 'premium' }),
      ],
      bp_groups_groupmeta: [meta(1, 1, 'mods'), meta(2, 2, 'admins'), meta(3, 3, 'members')],
    }
    await withSite({ tables }, async ({ records }) => {
      expect(picked(await records('spaces'), 'title', 'description', 'privacy', 'settings', 'created_by', 'created_at')).toEqual([
        [
          'Bread & Butter',
          'Good "old" bread.\nDaily.',
          'public',
          { post_permissions: ['moderator', 'admin'], members_page_status: 'logged_in' },
          '1',
          '2020-06-01 08:00:00',
        ],
        ['closed', undefined, 'private', { post_permissions: ['admin'], can_request_join: 'yes' }, null, '2020-01-01 08:00:00'],
        ['hidden', undefined, 'secret', {}, '1', '2020-06-01 08:00:00'],
        ['odd', undefined, 'secret', {}, '1', '2020-06-01 08:00:00'],
      ])
    })
  })

  test('below others, or of a type, are in space groups, whose titles never name a hidden group', async () => {
    const typed = (object_id: number, term_taxonomy_id: number) => ({ object_id, term_taxonomy_id })
    const tables = {
      bp_groups: [
        group(1, 'top'),
        group(2, 'middle', { parent_id: 1 }),
        group(3, 'bottom', { parent_id: 2 }),
        group(4, 'hidden', { status: 'hidden' }),
        group(5, 'below-hidden', { parent_id: 4 }),
        group(6, 'orphan', { parent_id: 99 }),
        group(7, 'circle', { parent_id: 8 }),
        group(8, 'circle-too', { parent_id: 7 }),
        group(9, 'self', { parent_id: 9 }),
        group(10, 'secret-type', { status: 'hidden' }),
      ],
      terms: [
        { term_id: 1, name: 'team', slug: 'team' },
        { term_id: 2, name: 'conspiracy', slug: 'conspiracy' },
      ],
      termmeta: [{ meta_id: 1, term_id: 1, meta_key: 'bp_type_name', meta_value: 'Teams' }],
      term_taxonomy: [
        { term_taxonomy_id: 1, term_id: 1, taxonomy: 'bp_group_type' },
        { term_taxonomy_id: 2, term_id: 2, taxonomy: 'bp_group_type' },
      ],
      term_relationships: [typed(5, 1), typed(2, 1), typed(10, 2)],
    }
    await withSite({ tables }, async ({ source, records }) => {
      expect(picked(await records('space_groups'), 'id', 'title', 'slug')).toEqual([
        ['group:1', 'top', 'top-group'],
        ['type:team', 'Teams', 'team-groups'],
      ])
      expect((await source.counts()).space_groups).toBe(2)
      expect((await records('spaces')).map(({ slug, group }) => `${slug} ${group ?? '-'}`)).toEqual([
        'top group:1',
        'middle group:1',
        'bottom group:1',
        'hidden -',
        'below-hidden type:team',
        'orphan -',
        'circle -',
        'circle-too -',
        'self -',
        'secret-type -',
      ])
    })
  })

  test('have members with roles, bans and requests; the strongest of several rows counts', async () => {
    const request = (id: number, user_id: number, more: Row = {}): Row => ({
      ...{ id, user_id, inviter_id: 0, class: 'bp_groups_invitation_manager', item_id: 1, type: 'request' },
      ...{ date_modified: '2021-02-03 04:05:06', accepted: 0 },
      ...more,
    })
    const tables = {
      users: [1, 2, 3, 4, 5, 6, 7].map((id) => user(id, `p${id}`)),
      bp_groups: [group(1, 'bread')],
      bp_groups_members: [
        member(1, 1, 1, { is_admin: 1, date_modified: '0000-00-00 00:00:00' }),
        member(2, 1, 2, { is_mod: 1 }),
        member(3, 1, 3, { is_banned: 1 }),
        member(4, 1, 4, { is_confirmed: 0 }),
        member(5, 1, 5, { is_confirmed: 0, inviter_id: 1 }),
        member(6, 1, 2),
        member(7, 9, 2),
        member(8, 1, 99),
        member(9, 1, 6),
      ],
      bp_groups_membermeta: [{ id: 1, member_id: 2, meta_key: 'joined_date', meta_value: '2020-06-15 00:00:00' }],
      bp_invitations: [request(1, 7), request(2, 6), request(3, 5), request(4, 99), request(5, 1, { accepted: 1 }), request(6, 7)],
    }
    await withSite({ tables }, async ({ source, records, unreadable }) => {
      expect(picked(await records('memberships'), 'id', 'person', 'role', 'status', 'joined_at')).toEqual([
        ['1', '1', 'admin', 'active', '2020-06-01 08:00:00'],
        ['2', '2', 'moderator', 'active', '2020-06-15 00:00:00'],
        ['3', '3', 'member', 'banned', '2020-07-01 10:00:00'],
        ['4', '4', 'member', 'pending', '2020-07-01 10:00:00'],
        ['9', '6', 'member', 'active', '2020-07-01 10:00:00'],
        ['request:1', '7', 'member', 'pending', '2021-02-03 04:05:06'],
        ['request:3', '5', 'member', 'pending', '2021-02-03 04:05:06'],
      ])
      expect((await unreadable('memberships')).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
        '5 it is a pending invitation, not a membership',
        '6 another row has the same group and account',
        '7 its group does not exist in the source',
        '8 its account does not exist in the source',
        'request:2 another row has the same group and account',
        'request:4 its account does not exist in the source',
        'request:6 another row has the same group and account',
      ])
      expect((await source.counts()).memberships).toBe(14)
    })
  })
})

describe('friends', () => {
  test('follow each other, requests are pending; repeated and impossible rows are left out', async () => {
    const friends = (id: number, initiator_user_id: number, friend_user_id: number, is_confirmed: number): Row => ({
      ...{ id, initiator_user_id, friend_user_id, is_confirmed, date_created: '2021-05-05 05:05:05' },
    })
    const tables = {
      users: [1, 2, 3, 4].map((id) => user(id, `p${id}`)),
      bp_friends: [
        friends(1, 1, 2, 0),
        friends(2, 2, 1, 1),
        friends(3, 1, 3, 0),
        friends(4, 3, 1, 0),
        friends(5, 1, 3, 0),
        friends(6, 4, 4, 1),
        friends(7, 4, 99, 1),
        friends(8, 1, 2, 1),
      ],
      bp_follow: [
        { id: 1, leader_id: 4, follower_id: 1 },
        { id: 2, leader_id: 1, follower_id: 2 },
        { id: 3, leader_id: 4, follower_id: 1 },
        { id: 4, leader_id: 3, follower_id: 4 },
      ],
      bp_activity: [activity(1, { user_id: 3, privacy: 'friends' })],
    }
    await withSite({ tables }, async ({ source, records, unreadable }) => {
      expect(picked(await records('follows'), 'id', 'follower', 'following', 'status')).toEqual([
        ['friends:2:to', '2', '1', 'active'],
        ['friends:2:from', '1', '2', 'active'],
        ['friends:3:to', '1', '3', 'pending'],
        ['friends:4:to', '3', '1', 'pending'],
        ['follow:1', '1', '4', 'active'],
        ['follow:4', '4', '3', 'pending'],
      ])
      expect(ids(await unreadable('follows'))).toEqual([
        'friends:1',
        'friends:5',
        'friends:6',
        'friends:7',
        'friends:8',
        'follow:2',
        'follow:3',
      ])
      expect((await source.counts()).follows).toBe(13)
    })
  })
})
