import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { outbox } from '#test/outbox.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin', username: 'boss' })
  ana = await world.member({ username: 'ana' })
  ben = await world.member({ username: 'ben' })
})
beforeEach(async () => {
  await world.app.services.database.write((db) => db.deleteFrom('settings').execute())
})
afterAll(() => world.close())

const set = (values: object) => admin.raw('PUT', '/settings', values)
const privacy = (values: object) => admin.raw('POST', '/settings/privacy-settings', values)
const moderator = () => world.member({ role: 'moderator' })

describe('content', () => {
  test('without allow_comments, commenting is refused with feed_locked for everyone, immediately', async () => {
    const { data: feed } = await ana.api.feeds.create({ message: 'Hello' })
    await ben.api.comments.create({ feed_id: feed.id, comment: 'Before' })
    await set({ allow_comments: false })
    for (const who of [ben, ana, admin]) await refused(who.api.comments.create({ feed_id: feed.id, comment: 'x' }), 403, 'feed_locked')
    expect((await ben.api.comments.list({ feed_id: feed.id })).comments).toHaveLength(1)
    await set({ allow_comments: true })
    await ben.api.comments.create({ feed_id: feed.id, comment: 'After' })
  })

  test('without allow_reactions, reacting is refused with rest_forbidden, while bookmarks and removing reactions still work', async () => {
    const { data: feed } = await ana.api.feeds.create({ message: 'Hello' })
    const { data: comment } = await ana.api.comments.create({ feed_id: feed.id, comment: 'Mine' })
    const given = await ben.api.reactions.toFeed({ feed_id: feed.id, type: 'like' })
    await set({ allow_reactions: false })
    await refused(ana.api.reactions.toFeed({ feed_id: feed.id, type: 'like' }), 403, 'rest_forbidden')
    await refused(ana.api.reactions.toComment({ feed_id: feed.id, comment_id: comment.id, type: 'wow' }), 403, 'rest_forbidden')
    await ana.api.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' })
    const { reaction } = given.data as { reaction: { id: number } }
    await ben.api.reactions.remove({ reaction_id: reaction.id })
  })

  test('with disable_global_posts, members can post in spaces only', async () => {
    await admin.raw('POST', '/admin/general', { disable_global_posts: true })
    await refused(ana.api.feeds.create({ message: 'Anywhere' }), 403, 'rest_forbidden')
    await admin.api.feeds.create({ message: 'Staff may' })
    const { data: space } = await admin.api.spaces.create({ title: 'A space' })
    await ana.raw('POST', `/spaces/${space.slug}/join`)
    await ana.api.feeds.create({ message: 'Here', space_id: space.id })
  })
})

describe('privacy', () => {
  test('without show_last_activity, only moderators see when others were active', async () => {
    await ana.api.feeds.list()
    await world.app.presence.flush()
    expect((await ben.api.profiles.get({ username: 'ana' })).profile.last_activity).not.toBeNull()
    await privacy({ show_last_activity: 'no' })
    const { profile } = await ben.api.profiles.get({ username: 'ana' })
    expect([profile.last_activity, profile.last_seen]).toEqual([null, null])
    expect((await ana.api.profiles.get({ username: 'me' })).profile.last_activity).not.toBeNull()
    const { members } = await ben.api.members.list({ orderby: 'last_seen' })
    expect(members.data.filter(({ user_id, last_activity }) => user_id !== ben.id && last_activity !== null)).toEqual([])
    const { data, meta } = await ben.api.members.active()
    expect([data.map(({ id }) => id), meta.total_online]).toEqual([[ben.id], 1])
    expect((await ben.api.members.newest()).data.filter(({ last_seen, is_online }) => last_seen !== null || is_online)).toEqual([])
    const staff = await moderator()
    expect((await staff.api.profiles.get({ username: 'ana' })).profile.last_activity).not.toBeNull()
    expect((await staff.api.members.active()).data.map(({ id }) => id)).toContain(ana.id)
  })

  test('without show_last_activity, instructors do not see it either', async () => {
    const school = await makeSchool(admin, { instructor_id: ana.id, students: [ben] })
    await ben.api.feeds.list()
    await world.app.presence.flush()
    const seen = async (who: Member) => {
      const { students } = await who.api.adminCourses.students({ course_id: school.courseId })
      return students.data.find(({ user_id }) => user_id === ben.id)?.last_activity
    }
    expect(await seen(ana)).not.toBeNull()
    await privacy({ show_last_activity: 'no' })
    expect([await seen(ana), (await seen(admin)) === null]).toEqual([null, false])
  })

  test('members_page_status', async () => {
    await privacy({ members_page_status: 'admin_only' })
    await refused(ana.api.members.list(), 403, 'rest_forbidden')
    await refused(ana.api.members.active(), 403, 'rest_forbidden')
    await refused(ana.api.members.newest(), 403, 'rest_forbidden')
    await refused(ana.api.members.topContributors(), 403, 'rest_forbidden')
    expect((await ana.api.members.list({ mention: 'be' })).members.data.map(({ username }) => username)).toEqual(['ben'])
    await (await moderator()).api.members.list()
    await privacy({ members_page_status: 'logged_in' })
    await ana.api.members.list()
  })

  test('profile_page_visibility', async () => {
    await privacy({ profile_page_visibility: 'admin_only' })
    const hidden = await ana.raw('GET', '/profile/ben')
    const missing = await ana.raw('GET', '/profile/nobody-here')
    expect([hidden.status, hidden.text]).toEqual([404, missing.text])
    await refused(ana.api.profiles.comments({ username: 'ben' }), 404, 'user_not_found')
    await ana.api.profiles.get({ username: 'me' })
    await (await moderator()).api.profiles.get({ username: 'ben' })
  })

  test('user_space_visibility', async () => {
    const { data: space } = await admin.api.spaces.create({ title: 'Seen' })
    await ben.raw('POST', `/spaces/${space.slug}/join`)
    const spaces = async (who: Member) => (await who.api.profiles.spaces({ username: 'ben' })).spaces.length
    expect(await spaces(ana)).toBeGreaterThan(0)
    await privacy({ user_space_visibility: 'admin_only' })
    expect([await spaces(ana), (await spaces(ben)) > 0, (await spaces(await moderator())) > 0]).toEqual([0, true, true])
    expect((await ana.api.profiles.get({ username: 'ben' })).profile.canViewUserSpaces).toBe(false)
    await ana.raw('POST', `/spaces/${space.slug}/join`)
    await world.runPendingJobs()
    const joins = async (who: Member, query: object) => {
      const { data, total } = (await who.api.activities.list(query)).activities
      expect(data).toHaveLength(total)
      return data.filter(({ action_type, user_id }) => action_type === 'space_joined' && user_id === ben.id).length
    }
    const lists = [{}, { 'context[type]': 'user', 'context[user_id]': ben.id }, { 'context[type]': 'space', 'context[space_id]': space.id }]
    for (const list of lists) expect([await joins(ana, list), await joins(ben, list), await joins(admin, list)]).toEqual([0, 1, 1])
    const told = async (who: Member) =>
      (await who.api.activities.ticker()).activities.some(({ type, user }) => type === 'space_joined' && user.id === ben.id)
    expect([await told(ana), await told(admin)]).toEqual([false, true])
    await privacy({ user_space_visibility: 'logged_in' })
    expect(await joins(ana, lists[1] ?? {})).toBe(1)
  })

  test('leaderboard_members_visibility', async () => {
    await ana.api.leaderboard.list()
    await privacy({ leaderboard_members_visibility: 'admin_only' })
    await refused(ana.api.leaderboard.list(), 403, 'rest_forbidden')
    await (await moderator()).api.leaderboard.list()
  })

  test('members can change email, password and username as far as the settings allow', async () => {
    const { id, username } = await register(world, { username: 'carla' })
    const carla = await signIn(world, username)
    const own = async () => (await carla.raw('GET', '/profile/me')).body.profile
    const change = async (what: string, body: object) => {
      const answer = await carla.raw('POST', `/account/${what}`, { current_password: PASSWORD, ...body })
      return answer.body.code ?? answer.status
    }
    expect(await own()).toMatchObject({ can_change_email: true, can_change_username: false })
    expect(await change('username', { username: 'carla2' })).toBe('rest_forbidden')
    await privacy({ can_change_email: false, can_change_password: false, can_customize_username: true })
    expect(await own()).toMatchObject({ can_change_email: false, can_change_username: true })
    expect(await change('email', { email: 'new@example.org' })).toBe('rest_forbidden')
    expect(await change('password', { new_password: 'Other-river-9152' })).toBe('rest_forbidden')
    expect(await change('username', { username: 'ben' })).toBe('username_taken')
    expect(await change('username', { username: 'admin' })).toBe('invalid_username')
    expect(await change('username', { username: 'x' })).toBe('invalid_username')
    expect(await change('username', { username: 'Carla_2', current_password: 'wrong one' })).toBe('wrong_password')
    const renamed = await carla.raw('POST', '/account/username', { current_password: PASSWORD, username: 'Carla_2' })
    expect([renamed.status, renamed.body.data]).toEqual([200, { id, username: 'carla_2' }])
    expect(await own()).toMatchObject({ username: 'carla_2', user_id: id })
    expect((await ben.api.members.list({ search: 'carla_2' })).members.data.map(({ user_id }) => user_id)).toEqual([id])
    expect((await ben.api.profiles.get({ username: 'carla' })).profile.username).toBe('carla_2')
    await signIn(world, 'carla_2')
  })
})

describe('mail', () => {
  const mailAfter = async (work: () => Promise<unknown>, to: string) => {
    await work()
    await world.runPendingJobs()
    const mail = outbox(world).findLast((one) => one.to.includes(to))
    return mail?.source.replace(/=\r?\n/g, '') ?? ''
  }

  test('sender, reply address and footer', async () => {
    await admin.raw('POST', '/admin/email-settings', {
      send_from_name: 'Harbour',
      send_from_email: 'hello@harbour.example',
      reply_to_name: 'Desk',
      reply_to_email: 'desk@harbour.example',
      email_footer: 'Pier 4 <b>',
    })
    const source = await mailAfter(() => world.anonymous.auth.forgotPassword({ login: 'ana' }), 'ana@example.org')
    expect(source).toMatch(/^From: Harbour <hello@harbour\.example>/m)
    expect(source).toMatch(/^Reply-To: Desk <desk@harbour\.example>/m)
    expect(source).toContain('Pier 4 <b>')
    expect(source).toContain('Pier 4 &lt;b&gt;')
    await admin.raw('POST', '/admin/email-settings', { reply_to_email: '' })
    await set({ admin_email: 'boss@harbour.example' })
    expect(await mailAfter(() => world.anonymous.auth.forgotPassword({ login: 'ben' }), 'ben@example.org')).toMatch(
      /^Reply-To: boss@harbour\.example/m,
    )
  })

  test('custom texts in plain text, with placeholders filled in', async () => {
    const texts = {
      reset_password: { subject: 'New key for {username} of {community}', intro: 'Dear {name},\n\nhere {nothing} it is <b>.' },
    }
    await admin.raw('POST', '/admin/email-texts', texts)
    const dora = await world.member({ username: 'dora', displayName: 'Dora D' })
    const source = await mailAfter(() => world.anonymous.auth.forgotPassword({ login: 'dora' }), dora.email)
    expect(source).toMatch(/^Subject: New key for dora of Lyceum/m)
    expect(source).toContain('Dear Dora D,')
    expect(source).toContain('here {nothing} it is &lt;b&gt;.')
    expect(source).toContain('/reset-password?token=')
    const evil = await world.member({ username: 'evil', displayName: 'Win at www.evil.example' })
    expect(await mailAfter(() => world.anonymous.auth.forgotPassword({ login: 'evil' }), evil.email)).toContain('Dear evil,')
  })

  test('defaults for members without preferences', async () => {
    const mine = async () => (await ana.api.notifications.preferences({ username: 'me' })).data
    expect((await mine()).email_notifications).toMatchObject({ new_comment: true, mention: true })
    await admin.raw('POST', '/admin/email-settings', { com_my_post_mail: false, mention_mail: 'no', digest_frequency: 'daily' })
    expect(await mine()).toMatchObject({
      email_notifications: { new_comment: false, mention: false, new_follower: true },
      digest_frequency: 'daily',
    })
  })

  test('schedule of digests', async () => {
    const due = async (id: number) =>
      (await world.app.services.database.read.selectFrom('digest_schedules').select('due_at').where('user_id', '=', id).executeTakeFirst())
        ?.due_at
    await admin.raw('POST', '/admin/email-settings', { digest_mail_day: 'thu', daily_digest_time: '18:30' })
    const eve = await world.member()
    await world.runPendingJobs()
    expect(await due(eve.id)).toBe('2026-03-12 18:30:00')
  })
})
