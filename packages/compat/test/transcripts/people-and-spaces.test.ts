import { describe, expect, test } from 'vitest'
import { COMMENT, COURSE, PERSON, PROFILE, pageOf, SPACE, USER } from '../shapes.ts'
import { codeOf, ROOT, useStage } from '../stage.ts'

const { as, here } = useStage()
const DONE = { message: 'str' } as const

describe('people', () => {
  test('the directory', async () => {
    const LIST = { members: pageOf(PERSON), current_user_follows: 'obj', execution_time: 'num' } as const
    expect(
      (await as('ben', 'GET', '/members?sort_by=last_activity&sort_dir=DESC&status=active&search=', LIST)).current_user_follows,
    ).toEqual({ [here().ana.id]: 1 })
    await as('ben', 'GET', '/members?mention=a', { members: { data: [PERSON] } })
    await as('admin', 'GET', '/admin/users?search=an', { users: { data: [USER] } })
    await as('admin', 'PATCH', `/members/${here().ben.id}`, { message: 'str', member: PERSON }, { status: 'blocked' })
    await as('admin', 'PATCH', `/members/${here().ben.id}`, { message: 'str', member: PERSON }, { status: 'active' })
  })

  test('profiles', async () => {
    await as('ben', 'GET', '/profile/ana', { profile: PROFILE })
    const { profile } = await as(
      'ana',
      'POST',
      '/profile/ana',
      { message: 'str', profile: PROFILE },
      { data: { first_name: 'Ana', short_description: 'Hi', social_links: { twitter: '@ana' } }, query_timestamp: 1 },
    )
    expect(profile).toMatchObject({ first_name: 'Ana', short_description: 'Hi', social_links: { twitter: 'https://x.com/ana' } })
    await as('ana', 'PUT', '/profile/me', { message: 'str', profile: PROFILE }, { data: { cover_photo: 'https://example.org/c.jpg' } })
    await as('ana', 'GET', '/profile/me/spaces', { spaces: [SPACE] })
    await as('ana', 'GET', '/profile/me/memberships', { memberships: ['int'] })
    await as('ana', 'GET', '/profile/me/courses', { courses: [COURSE] })
    await as('ben', 'GET', '/profile/ana/courses', { courses: 'list' })
    await as('ana', 'GET', '/profile/ben/comments', {
      comments: pageOf({ ...COMMENT, post: { id: 'int', title: 'str', slug: 'str', permalink: 'url' } }),
      xprofile: { user_id: 'int', username: 'str' },
    })
    expect(
      codeOf(
        await here().ana.raw('POST', `${ROOT}/profile/ben/change-password`, {
          current_password: 'x',
          new_password: 'y',
          confirm_password: 'y',
        }),
      ),
    ).toEqual([403, 'rest_forbidden'])
  })

  test('follows', async () => {
    const FOLLOWED = {
      message: 'str',
      follow: { id: 'int', level: 'int', followed_id: 'int' },
      xprofile: { user_id: 'int', followers_count: 'int' },
    } as const
    expect((await as('ana', 'POST', '/profile/ben/follow', FOLLOWED)).xprofile.followers_count).toBe(1)
    expect(codeOf(await here().ana.raw('POST', `${ROOT}/profile/ben/follow`))).toEqual([400, 'already_following'])
    await as('ana', 'GET', '/profile/ben/followers', {
      followers: pageOf({ follower: PERSON, xprofile: PERSON, level: 'int' }),
      current_user_follows: 'obj',
    })
    await as('ben', 'GET', '/profile/ana/followings', {
      followings: pageOf({ followed: PERSON, level: 'int' }),
      current_user_follows: 'obj',
    })
    await as('ana', 'POST', '/profile/ben/unfollow', { message: 'str', follow: 'obj?', xprofile: { followers_count: 'int' } })
    await as('ana', 'POST', '/profile/ben/toggle-follow', { follow: { level: 'int' }, xprofile: 'obj' })
    await as('ana', 'POST', '/profile/ben/toggle-follow', { follow: 'obj?', xprofile: 'obj' })
  })
})

describe('spaces', () => {
  test('are listed and read', async () => {
    await as('ana', 'GET', '/spaces', { spaces: [SPACE] })
    await as('ana', 'GET', '/spaces/discover?type=all&search=&sort_by=alphabetical', { spaces: pageOf(SPACE), execution_time: 'num' })
    await as('ana', 'GET', '/spaces/all-spaces', { spaces: pageOf(SPACE) })
    const ONE = { space: { ...SPACE, membership: 'obj?', topics: 'list', header_links: 'list' }, data: SPACE } as const
    await as('ana', 'GET', `/spaces/${here().space.slug}/by-slug`, ONE)
    await as('ana', 'GET', `/spaces/${here().space.id}/by-id`, ONE)
    await as('ana', 'GET', `/spaces/${here().space.slug}/lockscreens`, { lockscreen: 'list' })
    await as('admin', 'GET', `/spaces/${here().space.slug}/meta-settings`, { meta_settings: 'obj?' })
    await as('admin', 'GET', '/admin/all_space_courses', { all_spaces: [{ id: 'int', title: 'str', slug: 'str', type: 'str' }] })
  })

  test('are made, changed, joined and left', async () => {
    const SAVED = { message: 'str', space: SPACE, redirect_url: 'str' } as const
    const { space } = await as('admin', 'POST', '/spaces', SAVED, { space: { title: 'Orchard', privacy: 'public' } })
    await as('admin', 'PUT', `/spaces/${space.slug}/by-slug`, SAVED, { data: { title: 'The orchard' } })
    await as('admin', 'PUT', `/spaces/${space.id}/by-id`, SAVED, { data: { description: 'Apples' } })
    await as('ana', 'POST', `/spaces/${space.slug}/join`, {
      message: 'str',
      membership: { space_id: 'int', user_id: 'int', role: 'str', status: 'str' },
    })
    await as('ana', 'POST', `/spaces/${space.slug}/leave`, DONE)
    await as('admin', 'POST', `/spaces/${space.slug}/members`, DONE, { user_id: here().ben.id, role: 'member' })
    await as('admin', 'POST', `/spaces/${space.slug}/members`, DONE, { user_id: String(here().ben.id), role: 'moderator' })
    const MEMBERS = {
      members: pageOf({
        id: 'int',
        space_id: 'digits',
        user_id: 'digits',
        status: 'str',
        role: 'str',
        created_at: 'time',
        xprofile: PERSON,
      }),
      pending_count: 'int',
      current_user_follows: 'obj',
    } as const
    const { members } = await as('admin', 'GET', `/spaces/${space.slug}/members?sort_by=created_at&sort_dir=desc`, MEMBERS)
    expect(members.data.find(({ user_id }: { user_id: string }) => user_id === String(here().ben.id)).role).toBe('moderator')
    await as('admin', 'GET', `/spaces/users/search?space_id=${space.id}&search=ana`, {
      users: { data: [{ ...USER, user_email: 'str' }], total: 'int' },
    })
    await as('admin', 'POST', `/spaces/${space.slug}/members/remove`, DONE, { user_id: here().ben.id })
    await as(
      'admin',
      'POST',
      `/spaces/${space.slug}/links`,
      { message: 'str', links: ['obj'] },
      { links: [{ title: 'Home', permalink: 'https://example.org/' }] },
    )
    await as('admin', 'DELETE', `/spaces/${space.slug}`, DONE)
  })

  test('groups', async () => {
    const { group } = await as(
      'admin',
      'POST',
      '/spaces/space_groups',
      { message: 'str', group: { id: 'int', title: 'str', slug: 'str', settings: 'obj' } },
      { title: 'Beds', slug: 'beds', settings: { hide_members: 'no' } },
    )
    await as('admin', 'PUT', `/spaces/space_groups/${group.id}`, { message: 'str', group: { id: 'int' } }, { title: 'Borders' })
    await as('admin', 'GET', '/spaces/space_groups?options_only=true', {
      groups: [{ id: 'int', title: 'str', slug: 'str', serial: 'digits', spaces: 'list' }],
      orphaned_spaces: ['obj'],
    })
    await as('admin', 'PATCH', '/spaces/space_groups/move-space', DONE, { space_id: here().space.id, group_id: group.id })
    await as('admin', 'PATCH', '/spaces/space_groups/re-index', DONE, { indexes: { [group.id]: '0' } })
    await as('admin', 'PATCH', '/spaces/space_groups/re-index-spaces', DONE, { indexes: [String(here().space.id)] })
    await as('admin', 'PATCH', '/spaces/space_groups/move-space', DONE, { space_id: here().space.id, group_id: 0 })
    await as('admin', 'DELETE', `/spaces/space_groups/${group.id}`, DONE)
  })

  test('topics', async () => {
    const TOPIC = { id: 'int', title: 'str', slug: 'str', description: 'str', admin_only: 'yesno', space_ids: 'list' } as const
    const { topic } = await as(
      'admin',
      'POST',
      '/admin/topics',
      { message: 'str', topic: TOPIC },
      { title: 'Harvest', space_ids: [], admin_only: 'no' },
    )
    await as('admin', 'POST', '/admin/topics', { message: 'str', topic: TOPIC }, { id: topic.id, title: 'Harvests' })
    await as('admin', 'GET', '/admin/topics', { topics: [TOPIC], all_spaces: [{ id: 'int', title: 'str' }] })
    await as(
      'admin',
      'POST',
      '/admin/topics/config',
      { message: 'str', config: { max_topics_per_post: 'int' } },
      { config: { max_topics_per_post: 2 } },
    )
    await as('admin', 'DELETE', `/admin/topics/${topic.id}`, DONE)
  })
})
