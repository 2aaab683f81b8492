import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectSound, givePassword, type Life, makeLife, runErasure, whereIs } from '#test/account-deletion.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { PASSWORD, signIn } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { backfillLedger } from '../../../../demo/src/points/backfill.ts'
import { runText } from '../../db/index.ts'

let mailbox: Mailbox
let world: World
let admin: Member

beforeAll(async () => {
  mailbox = await startMailbox()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url } })
  admin = await world.member({ role: 'admin', username: 'boss' })
  await givePassword(world, admin)
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

const count = async (text: string, ...values: (string | number)[]): Promise<number> =>
  (await runText<{ n: number }>(world.app.services.database.read, `select count(*) as n from ${text}`, values))[0]?.n ?? -1

/** Tables with personal data, by the column that refers to the user. */
const OWNED = [
  ...['application_passwords', 'sessions', 'tokens', 'managers', 'space_members', 'reactions', 'bookmarks', 'survey_votes', 'activities'],
  ...[
    'notifications',
    'notification_preferences',
    'digest_schedules',
    'push_subscriptions',
    'user_name_tokens',
    'enrolments',
    'lesson_completions',
  ],
  ...[
    'course_completions',
    'quiz_attempts',
    'points_ledger',
    'daily_scores',
    'period_scores',
    'contribution_counts',
    'achievements',
    'data_exports',
    'username_aliases',
    'redirects',
  ],
]

const expectNothingOf = async (id: number) => {
  const left: Record<string, number> = {}
  for (const table of OWNED) left[table] = await count(`${table} where user_id = $1`, id)
  left['followers'] = await count('followers where follower_id = $1 or following_id = $1', id)
  left['causes'] = await count('notification_actors where actor_id = $1', id)
  left['reports'] = await count('reports where reporter_id = $1', id)
  left['answers'] = await count('idempotency_keys where scope = $1', `user:${id}`)
  left['loose files'] = await count(`media where user_id = $1 and (status = 'uploaded' or object_source = 'profile')`, id)
  expect(Object.entries(left).filter(([, n]) => n !== 0)).toEqual([])
}

describe('a member deletes their account', () => {
  test('only with the account password, effective immediately', async () => {
    const member = await world.member()
    await refused(member.api.privacy.deleteAccount({ current_password: 'x' }), 400, 'wrong_password')
    await givePassword(world, member)
    await refused(member.api.privacy.deleteAccount({ current_password: `${PASSWORD}x` }), 400, 'wrong_password')
    await refused(member.api.privacy.deleteAccount({} as never), 400, 'missing_required_field')
    await refused(member.api.privacy.deleteAccount({ current_password: PASSWORD, content: 'nonsense' as never }), 400, 'invalid_data')
    const browser = await signIn(world, member.username)
    await member.raw('POST', '/feeds', { message: 'Once' }, { 'idempotency-key': 'k1' })
    await mailbox.take()
    const gone = await browser.raw('DELETE', '/account', { current_password: PASSWORD })
    expect([gone.status, gone.body]).toEqual([200, { message: 'Your account was deleted.' }])
    expect(gone.headers.getSetCookie().join()).toMatch(/lyceum_session=; /)
    for (const answer of [
      await member.raw('GET', '/feeds'),
      await member.raw('DELETE', '/account', { current_password: PASSWORD }),
      await browser.raw('GET', '/feeds'),
      await world.request('POST', '/auth/login', { login: member.username, password: PASSWORD }),
      await world.request('POST', '/auth/login', { login: member.email, password: PASSWORD }),
      await world.request('POST', '/auth/login', { login: `deleted-${member.id}`, password: PASSWORD }),
    ])
      expect([answer.status, answer.body.code]).toEqual([401, 'rest_forbidden'])
    await world.runPendingJobs()
    const [mail, ...more] = await mailbox.take(member.email)
    expect([mail?.mail.subject, more.length]).toEqual(['Your account at Lyceum was deleted', 0])
    const { entries } = await admin.api.audit.list({ object_type: 'user', object_id: member.id })
    expect(entries[0]).toMatchObject({
      action: 'account.deleted',
      actor_id: member.id,
      actor: { username: `deleted-${member.id}`, display_name: 'Deleted member' },
      details: { content: 'anonymise' },
      ip_address: '',
    })
    await runErasure(world)
    await expectNothingOf(member.id)
  })

  test('which frees the address and reserves the username for a year', async () => {
    const member = await world.member({ username: 'phoenix' })
    await admin.api.privacy.deleteMember({ user_id: member.id })
    const again = { username: 'phoenix', email: member.email, password: PASSWORD }
    await refused(world.anonymous.auth.register(again), 400, 'username_taken')
    const { data } = await world.anonymous.auth.register({ ...again, username: 'phoenix-2' })
    expect(data.id).not.toBe(member.id)
    await refused(
      world.anonymous.auth.register({ username: `deleted-${data.id}`, email: 'd@example.org', password: PASSWORD }),
      400,
      'invalid_username',
    )
  })

  test('whose placeholder address cannot be taken by others', async () => {
    const member = await world.member()
    const email = `Deleted-${member.id}@Deleted.Invalid`
    await refused(world.anonymous.auth.register({ username: 'squatter', email, password: PASSWORD }), 400, 'invalid_email')
    const squatter = await world.member()
    await givePassword(world, squatter)
    await refused(squatter.api.account.changeEmail({ email, current_password: PASSWORD }), 400, 'invalid_email')
    await admin.api.privacy.deleteMember({ user_id: member.id })
  })

  test('which an unsubscribe link in an old mail does not restore', async () => {
    const member = await world.member()
    const text = `${member.id}.all`
    const signed = createHmac('sha256', world.app.services.keys.unsubscribing).update(text).digest('base64url')
    const path = `${world.origin}/unsubscribe/${text}.${signed}`
    await admin.api.privacy.deleteMember({ user_id: member.id })
    await runErasure(world)
    expect((await fetch(path, { method: 'POST' })).status).toBe(200)
    await expectNothingOf(member.id)
  })

  test('and undeliverable mail addresses are erased', async () => {
    const member = await world.member()
    await admin.api.privacy.deleteMember({ user_id: member.id })
    const { database } = world.app.services
    const park = { status: 'parked', attempts: 12 } as const
    await database.write((db) => db.updateTable('jobs').set(park).where('name', '=', 'privacy.mail_deleted').execute())
    await world.app.maintenance.run()
    const kept = () => count('jobs where name = $1 and payload like $2', 'privacy.mail_deleted', `%${member.email}%`)
    expect(await kept()).toBe(1)
    world.clock.advance(7 * 24 * 3600)
    await world.app.maintenance.run()
    expect(await kept()).toBe(0)
    await runErasure(world)
  })

  test('unless no administrator would remain', async () => {
    await refused(admin.api.privacy.deleteAccount({ current_password: PASSWORD }), 409, 'last_admin')
    const second = await world.member({ role: 'admin' })
    await givePassword(world, second)
    await second.api.privacy.deleteAccount({ current_password: PASSWORD, content: 'remove' })
    await refused(admin.api.privacy.deleteAccount({ current_password: PASSWORD }), 409, 'last_admin')
    await runErasure(world)
  })
})

describe('an administrator deletes an account', () => {
  test('of another member only; members cannot', async () => {
    const [member, moderator] = [await world.member(), await world.member({ role: 'manager' })]
    for (const caller of [member, moderator]) await refused(caller.api.privacy.deleteMember({ user_id: member.id }), 403, 'rest_forbidden')
    expect((await world.request('DELETE', `/members/${member.id}`)).status).toBe(401)
    await refused(admin.api.privacy.deleteMember({ user_id: admin.id }), 409, 'last_admin')
    await world.member({ role: 'admin' })
    await refused(admin.api.privacy.deleteMember({ user_id: admin.id }), 403, 'rest_forbidden')
    await refused(admin.api.privacy.deleteMember({ user_id: 999_999 }), 404, 'user_not_found')
    const bare = await admin.raw('DELETE', `/members/${member.id}`)
    expect([bare.status, bare.body.data]).toEqual([200, { id: member.id, content: 'anonymise' }])
    await refused(admin.api.privacy.deleteMember({ user_id: member.id }), 404, 'user_not_found')
    const { entries } = await admin.api.audit.list({ object_type: 'user', object_id: member.id })
    expect(entries[0]).toMatchObject({ action: 'account.deleted', actor_id: admin.id, details: { content: 'anonymise' } })
  })

  test('which is then indistinguishable from one that never existed', async () => {
    const member = await world.member({ username: 'vanisher', displayName: 'Vanishing Vera' })
    await admin.api.privacy.deleteMember({ user_id: member.id })
    const name = `deleted-${member.id}`
    await refused(admin.api.profiles.get({ username: name }), 404, 'user_not_found')
    await refused(admin.api.profiles.get({ username: 'vanisher' }), 404, 'user_not_found')
    await refused(admin.api.members.update({ user_id: member.id, status: 'active' }), 404, 'user_not_found')
    await refused(admin.api.privacy.exportMember({ user_id: member.id }), 404, 'user_not_found')
    await refused(admin.api.managers.save({ user_id: member.id, role: 'moderator' }), 404, 'user_not_found')
    await refused(admin.api.followers.follow({ username: name }), 404, 'user_not_found')
    await refused(admin.api.moderation.report({ object_type: 'user', object_id: member.id, reason: 'spam' }), 404, 'not_found')
    for (const search of [name, 'vanish', 'deleted']) {
      const { members } = await admin.api.members.list({ search })
      expect(members.data.filter(({ user_id }) => user_id === member.id)).toEqual([])
    }
    expect((await admin.api.members.list({ mention: 'delet' })).members.data).toEqual([])
    const { data } = await admin.api.feeds.create({ message: `Hello @${name}` })
    expect((await admin.api.feeds.byId({ feed_id: data.id })).data.message_rendered).not.toContain('href')
    expect((await admin.raw('GET', '/members?status=deleted')).status).toBe(400)
  })
})

const lookAt = async ({ other, feed, comment, others }: Life) => ({
  feed: await other.raw('GET', `/feeds/${feed.id}/by-id`),
  others: (await other.api.feeds.byId({ feed_id: others.id })).data,
  comments: (await other.api.comments.list({ feed_id: others.id })).comments.map(({ id }) => id),
  comment,
})

describe('content of a deleted member', () => {
  test('stays with a deleted author, and nothing else stays', async () => {
    const life = await makeLife(world, admin, 'quokkaword')
    const { member, other, others, comment, feed, space } = life
    await member.api.privacy.deleteAccount({ current_password: PASSWORD })
    await runErasure(world)
    const seen = await lookAt(life)
    expect(seen.feed.status).toBe(200)
    expect(seen.feed.body.data.xprofile).toMatchObject({
      user_id: member.id,
      username: `deleted-${member.id}`,
      display_name: 'Deleted member',
      status: 'deleted',
      avatar: '',
      short_description: '',
      total_points: 0,
      meta: { website: '', cover_photo: '' },
    })
    expect(seen.comments).toContain(comment)
    expect(seen.others).toMatchObject({ comments_count: 2, reactions_count: 0 })
    expect(await count('surveys where feed_id = $1 and voters = 1', others.id)).toBe(1)
    const mine = (await other.api.profiles.get({ username: 'me' })).profile
    expect([mine.followers_count, mine.followings_count]).toEqual([0, 0])
    expect((await other.api.spaces.bySlug({ space_slug: space.slug })).data.members_count).toBe(1)
    // Activity on remaining posts no longer concerns the deleted member.
    await other.api.comments.create({ feed_id: feed.id, comment: 'Still here?' })
    await other.api.comments.create({ feed_id: others.id, comment: 'And you?', parent_id: comment })
    await other.api.reactions.toComment({ feed_id: others.id, comment_id: comment, type: 'like' })
    await other.api.reactions.toComment({ feed_id: others.id, comment_id: comment, type: 'like' })
    await runErasure(world)
    await backfillLedger({ database: world.app.services.database, shouldContinue: async () => true })
    await expectNothingOf(member.id)
    await expectSound(world)
    const tables = new Set((await whereIs(world, 'quokkaword')).map((place) => place.split(' ')[0]))
    // Files shown in a feed keep the names used in its text.
    expect([...tables].sort()).toEqual(['comments', 'feeds', 'media'])
    expect(await count('feeds where user_id = $1', member.id)).toBe(1)
    expect(await count(`media where user_id = $1 and object_source = 'feed'`, member.id)).toBe(1)
    expect(await count('reports where reported_user_id = $1', member.id)).toBe(1)
  })

  test('is deleted together with its replies if requested', async () => {
    const life = await makeLife(world, admin, 'wombatword')
    const { member, others, comment, reply, school } = life
    await member.api.privacy.deleteAccount({ current_password: PASSWORD, content: 'remove' })
    await runErasure(world)
    const seen = await lookAt(life)
    expect([seen.feed.status, seen.feed.body.code]).toEqual([404, 'feed_not_found'])
    expect(seen.comments).not.toContain(comment)
    expect(seen.comments).not.toContain(reply)
    expect(seen.others).toMatchObject({ comments_count: 0, reactions_count: 0 })
    expect(await count('surveys where feed_id = $1 and voters = 1', others.id)).toBe(1)
    expect((await admin.api.courses.byId({ course_id: school.courseId })).data.students_count).toBe(0)
    await expectNothingOf(member.id)
    await expectSound(world)
    expect(await whereIs(world, 'wombatword')).toEqual([])
    for (const table of ['feeds', 'comments', 'media']) expect(await count(`${table} where user_id = $1`, member.id)).toBe(0)
    expect(await count('reports where reported_user_id = $1', member.id)).toBe(0)
  })

  test('in their own spaces and courses stays', async () => {
    const teacher = await world.member({ role: 'admin' })
    const { data: space } = await teacher.api.spaces.create({ title: 'Kept' })
    const { data: course } = await teacher.api.courses.create({ title: 'Kept too', description: 'A course', status: 'published' })
    await admin.api.privacy.deleteMember({ user_id: teacher.id, content: 'remove' })
    await runErasure(world)
    expect((await admin.api.spaces.bySlug({ space_slug: space.slug })).data).toMatchObject({ title: 'Kept', members_count: 0 })
    expect((await admin.api.courses.byId({ course_id: course.id })).data.title).toBe('Kept too')
    expect(await count('spaces where created_by = $1', teacher.id)).toBe(0)
    expect(await count('courses where created_by = $1 or instructor_id = $1', teacher.id)).toBe(0)
    await admin.api.spaces.updateById({ space_id: space.id, title: 'Run on' })
    await expectSound(world)
  })
})
