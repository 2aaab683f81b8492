import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { register } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'
import { expectNoEffect, makeStage, openContent, type Stage } from './stage.ts'

let world: World
let stage: Stage

beforeAll(async () => {
  world = await createWorld()
  stage = await makeStage(world)
})
afterAll(() => world.close())

const userRow = (id: number) =>
  world.app.services.database.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('vuln-05: nobody gains a higher role', async () => {
  const privileged = {
    id: 1,
    user_id: stage.admin.id,
    role: 'admin',
    is_admin: true,
    permissions: ['manage_settings'],
    is_verified: 1,
    total_points: 1_000_000,
    badge_slugs: ['vip'],
    status: 'banned',
    password_hash: 'x',
    followers_count: 1_000_000,
    created_at: '1999-01-01 00:00:00',
  }
  const { id } = await register(world, { username: 'climber', ...(privileged as object) })
  expect(await userRow(id)).toMatchObject({
    username: 'climber',
    is_verified: 0,
    total_points: 0,
    badge_slugs: '[]',
    status: 'active',
    followers_count: 0,
    created_at: '2026-03-10 12:00:00',
  })
  const { attacker } = stage
  const before = await userRow(attacker.id)
  expect((await attacker.raw('POST', '/profile/me', { bio: '', ...privileged, settings: privileged })).status).toBe(200)
  const climbing = { bio: '', role: 'admin', is_verified: 1, total_points: 1_000_000, status: 'active', user_id: 1 }
  expect((await attacker.raw('POST', `/profile/${attacker.username}`, climbing)).status).toBe(200)
  expect((await attacker.raw('POST', `/profile/${stage.victim.username}`, { bio: 'mine' })).status).toBe(403)
  for (const body of [{ is_verified: 1 }, { badge_slugs: ['vip'] }, { status: 'active' }, { status: 'active', role: 'admin' }]) {
    for (const { id } of [attacker, stage.victim, stage.admin]) {
      expect((await attacker.raw('PATCH', `/members/${id}`, body)).status).toBe(403)
    }
  }
  expect(await userRow(attacker.id)).toEqual(before)
  await attacker.raw('POST', '/account/application-passwords', { ...privileged, name: 'x', hash: 'a'.repeat(64) })
  const managers = await world.app.services.database.read.selectFrom('managers').select('user_id').execute()
  expect(managers.map(({ user_id }) => user_id)).toEqual([stage.admin.id])
  const passwords = world.app.services.database.read.selectFrom('application_passwords').select('user_id').where('name', '=', 'x')
  expect((await passwords.execute()).map(({ user_id }) => user_id)).toEqual([attacker.id])
})

describe('vuln-06: privileged fields require their permission', () => {
  test('pin, priority, announcement and moderated statuses of a feed', async () => {
    const { attacker, open } = stage
    const own = (await attacker.api.feeds.create({ message: 'Mine', space_id: open.id })).data.id
    const marks = [
      { is_sticky: true },
      { is_sticky: 1 },
      { priority: 5 },
      { type: 'announcement' },
      { status: 'pending' },
      { status: 'spam' },
    ]
    await expectNoEffect(world, async () => {
      for (const mark of marks) {
        for (const space_id of [open.id, null]) {
          const created = await attacker.raw('POST', '/feeds', { message: 'x', space_id, ...mark })
          expect([mark, created.status, created.body.code]).toEqual([mark, 403, 'rest_forbidden'])
        }
        const changed = await attacker.raw('POST', `/feeds/${own}`, mark)
        expect([mark, changed.status, changed.body.code]).toEqual([mark, 403, 'rest_forbidden'])
      }
    })
  })

  test('all fields together, or the author', async () => {
    const { attacker, admin } = stage
    const greedy = { message: 'x', is_sticky: true, type: 'announcement', priority: 999, user_id: admin.id }
    await expectNoEffect(world, async () => {
      expect((await attacker.raw('POST', '/feeds', greedy)).status).toBe(403)
    })
    const { body } = await attacker.raw('POST', '/feeds', { message: 'x', user_id: admin.id, status: 'published' })
    expect((await attacker.api.feeds.byId({ feed_id: body.data.id })).data.user_id).toBe(attacker.id)
  })

  test('the author of a held feed cannot release it', async () => {
    const { attacker, admin } = stage
    const asks = await makeSpace(world, { members: [attacker], settings: { require_approval: true } })
    const { data: pending } = await attacker.api.feeds.create({ message: 'Held', space_id: asks.id })
    const { data: spam } = await attacker.api.feeds.create({ message: 'Spam' })
    await admin.api.feeds.update({ feed_id: spam.id, status: 'spam' })
    expect(pending.status).toBe('pending')
    await expectNoEffect(world, async () => {
      for (const { id } of [pending, spam]) {
        for (const body of [
          { status: 'published' },
          { status: 'draft' },
          { status: 'scheduled', scheduled_at: '2030-01-01 00:00:00' },
          { status: 'published', space_id: null },
          { status: 'published', space_id: stage.open.id },
          { status: id === spam.id ? 'pending' : 'spam' },
        ]) {
          const { status, body: answer } = await attacker.raw('POST', `/feeds/${id}`, body)
          expect([body, status, answer.code]).toEqual([body, 403, 'rest_forbidden'])
        }
      }
    })
    await attacker.api.feeds.update({ feed_id: pending.id, message: 'Held, reworded', space_id: null })
    expect((await admin.api.feeds.byId({ feed_id: pending.id })).data.status).toBe('pending')
  })

  test('the author of a held comment can neither release nor pin it', async () => {
    const { attacker, moderator } = stage
    const { feed_id } = await openContent(stage)
    const { data } = await attacker.api.comments.create({
      feed_id,
      comment: 'Spam',
      ...({ status: 'published', is_sticky: true } as object),
    })
    await refused(attacker.api.comments.update({ feed_id, comment_id: data.id, is_sticky: true }), 403, 'rest_forbidden')
    await refused(attacker.api.comments.update({ feed_id, comment_id: data.id, status: 'pending' }), 403, 'rest_forbidden')
    await moderator.api.comments.update({ feed_id, comment_id: data.id, status: 'spam' })
    await expectNoEffect(world, async () => {
      for (const body of [
        { status: 'published' },
        { status: 'pending' },
        { status: 'published', comment: 'Better' },
        { is_sticky: true },
      ]) {
        expect((await attacker.raw('POST', `/feeds/${feed_id}/comments/${data.id}`, body)).status).toBe(403)
      }
    })
    await attacker.api.comments.update({ feed_id, comment_id: data.id, comment: 'Reworded' })
    expect((await moderator.api.comments.byId({ comment_id: data.id })).data.status).toBe('spam')
  })
})

describe('vuln-b7: the audience of another’s feed', () => {
  test('cannot be changed by others, nor moved where they may not post', async () => {
    const { attacker, victim, open, closed, secret } = stage
    const theirs = (await victim.api.feeds.create({ message: 'Among us', space_id: open.id, privacy: 'private' })).data.id
    const mine = (await attacker.api.feeds.create({ message: 'Mine', space_id: open.id })).data.id
    await expectNoEffect(world, async () => {
      for (const [feed_id, body, status] of [
        [theirs, { privacy: 'public' }, 403],
        [theirs, { space_id: null }, 403],
        [theirs, { privacy: 'public', message: 'x' }, 403],
        [mine, { space_id: closed.id }, 403],
        [mine, { space_id: secret.id }, 404],
        [mine, { space_id: secret.id, privacy: 'public', status: 'published' }, 404],
      ] as const) {
        expect([body, (await attacker.raw('POST', `/feeds/${feed_id}`, body)).status]).toEqual([body, status])
      }
    })
  })

  test('cannot be extended beyond the author’s choice', async () => {
    const { victim, moderator, closed, secret, open, admin } = stage
    await world.app.write(null, async ({ db, now }) => {
      const row = { space_id: open.id, user_id: moderator.id, role: 'moderator' as const, joined_at: now, updated_at: now }
      await db
        .insertInto('space_members')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    const elsewhere = await makeSpace(world, { members: [moderator, victim] })
    for (const space of [closed, secret]) {
      const { data } = await victim.api.feeds.create({ message: 'Between us', space_id: space.id, privacy: 'private' })
      const move = (who: typeof victim, body: object) => who.raw('POST', `/feeds/${data.id}`, body)
      await expectNoEffect(world, async () => {
        for (const who of [moderator, admin]) expect((await move(who, { privacy: 'public' })).status).toBe(403)
        // This moderator's rights cover this space only, neither other spaces nor posts outside spaces.
        expect((await move(moderator, { space_id: null })).status).toBe(403)
        expect((await move(moderator, { space_id: elsewhere.id })).status).toBe(403)
        expect((await move(stage.attacker, { space_id: open.id })).status).toBe(404)
      })
      expect((await move(moderator, { space_id: open.id })).status).toBe(200)
      expect((await move(victim, { space_id: null })).status).toBe(200)
    }
  })
})

describe('vuln-b9: nobody joins without permission', () => {
  test('a private or secret space, in any way', async () => {
    const { attacker, closed, secret } = stage
    const doors = (slug: string, id: number) =>
      [
        ['POST', `/spaces/${slug}/members`, { user_id: attacker.id }],
        ['POST', `/spaces/${slug}/members`, { user_id: attacker.id, role: 'admin', status: 'active' }],
        ['POST', `/spaces/${slug}/members/bulk-add`, { user_ids: [attacker.id], role: 'admin' }],
        ['PUT', `/spaces/${slug}/members/${attacker.id}`, { status: 'active' }],
        ['PUT', `/spaces/${slug}/members/${attacker.id}`, { role: 'admin', status: 'active' }],
        ['POST', `/spaces/${slug}/members/${attacker.id}/unban`, undefined],
        ['PUT', `/spaces/${id}/by-id`, { privacy: 'public' }],
        ['PUT', `/spaces/${slug}/by-slug`, { privacy: 'public' }],
      ] as const
    for (const [space, status] of [
      [closed, 403],
      [secret, 404],
    ] as const) {
      await expectNoEffect(world, async () => {
        for (const [method, path, body] of doors(space.slug, space.id)) {
          expect([method, path, (await attacker.raw(method, path, body)).status]).toEqual([method, path, status])
        }
      })
    }
    await expectNoEffect(world, () => refused(attacker.api.spaceMembers.join({ space_slug: secret.slug }), 404, 'space_not_found'))

    // A member with a pending request stays outside, whatever they send again.
    const body = { status: 'active', role: 'admin' }
    expect((await attacker.raw('POST', `/spaces/${closed.slug}/join`, body)).body.data).toEqual({ status: 'pending' })
    await expectNoEffect(world, async () => {
      for (const [method, path, more] of doors(closed.slug, closed.id)) expect((await attacker.raw(method, path, more)).status).toBe(403)
      expect((await attacker.raw('POST', `/spaces/${closed.slug}/join`, body)).body.data).toEqual({ status: 'pending' })
      await refused(attacker.api.feeds.create({ message: 'x', space_id: closed.id }), 403, 'rest_forbidden')
    })
  })

  test('a banned member cannot return by leaving and joining', async () => {
    const banned = await world.member()
    for (const privacy of ['public', 'private', 'secret'] as const) {
      const space = await makeSpace(world, { privacy, members: [banned], admins: [stage.victim] })
      await stage.victim.api.spaceMembers.ban({ space_slug: space.slug, user_id: banned.id })
      const [left, joined] = [
        await banned.raw('POST', `/spaces/${space.slug}/leave`),
        await banned.raw('POST', `/spaces/${space.slug}/join`),
      ]
      expect([left.status, joined.status]).toEqual(privacy === 'secret' ? [404, 404] : [400, 403])
      await refused(
        banned.api.feeds.create({ message: 'x', space_id: space.id }),
        privacy === 'secret' ? 404 : 403,
        privacy === 'secret' ? 'space_not_found' : 'rest_forbidden',
      )
      const { data } = await stage.victim.api.spaceMembers.list({ space_slug: space.slug, status: 'banned' })
      expect(data.map(({ user_id }) => user_id)).toEqual([banned.id])
    }
  })

  test('nobody assigns themselves a role, or others a role above their own', async () => {
    const [member, friend] = [await world.member(), await world.member()]
    const manager = await world.member({ role: 'manager' })
    await world.app.write(null, ({ db }) =>
      db.updateTable('managers').set({ permissions: '["manage_space_members"]' }).where('user_id', '=', manager.id).execute(),
    )
    for (const privacy of ['public', 'secret'] as const) {
      const space = await makeSpace(world, { privacy, members: [member, friend], moderators: [stage.moderator], admins: [stage.victim] })
      const place = (user_id: number) =>
        world.app.services.database.read
          .selectFrom('space_members')
          .select('role')
          .where('space_id', '=', space.id)
          .where('user_id', '=', user_id)
          .executeTakeFirst()
      const give = (who: typeof member, user: typeof member, role: string) =>
        who.raw('PUT', `/spaces/${space.slug}/members/${user.id}`, { role })
      for (const who of [member, stage.moderator]) {
        for (const role of ['member', 'moderator', 'admin']) {
          for (const user of [who, friend]) expect((await give(who, user, role)).status).toBe(403)
        }
      }
      // A member manager may join as a member only: their record does not include a moderator's permissions.
      for (const role of ['moderator', 'admin'] as const) {
        await refused(manager.api.spaceMembers.add({ space_slug: space.slug, user_id: manager.id, role }), 403, 'rest_forbidden')
        await refused(
          manager.api.spaceMembers.bulkAdd({ space_slug: space.slug, user_ids: [friend.id, manager.id], role }),
          403,
          'rest_forbidden',
        )
      }
      await manager.api.spaceMembers.add({ space_slug: space.slug, user_id: manager.id })
      for (const role of ['moderator', 'admin']) expect((await give(manager, manager, role)).status).toBe(403)
      expect((await give(manager, friend, 'admin')).status).toBe(403)
      expect((await give(manager, stage.victim, 'member')).status).toBe(403)
      expect([await place(manager.id), await place(friend.id)]).toEqual([{ role: 'member' }, { role: 'member' }])
      expect((await give(stage.victim, manager, 'moderator')).status).toBe(200)
    }
  })
})
