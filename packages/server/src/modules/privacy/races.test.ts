import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound, givePassword, makeLife, runErasure, whereIs } from '#test/account-deletion.ts'
import { makeSpace } from '#test/fixtures.ts'
import { PASSWORD } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { actorFor } from '../../auth/authenticate.ts'
import { runText } from '../../db/index.ts'
import { createMount } from '../../http/pipeline/route-handlers.ts'
import { accounts } from '../accounts/module.ts'
import { eraseInSteps } from './deletion.ts'

/** A handler called directly, without authentication. */
type Late = (ctx: object, input: object, prepared: unknown) => Promise<unknown>

let world: World
let admin: Member

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  admin = await world.member({ role: 'admin', username: 'boss' })
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})

const run = <Row>(text: string, ...values: (string | number)[]): Promise<Row[]> =>
  world.app.services.database.write((db) => runText<Row>(db, text, values))
const count = async (text: string, ...values: (string | number)[]): Promise<number> =>
  (await run<{ n: number }>(`select count(*) as n from ${text}`, ...values))[0]?.n ?? -1

test('of two concurrent deletions, one succeeds', async () => {
  const member = await world.member()
  await givePassword(world, member)
  const own = () => member.raw('DELETE', '/account', { current_password: PASSWORD, content: 'remove' })
  const answers = await Promise.all([own(), own(), own(), admin.raw('DELETE', `/members/${member.id}`)])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status } of answers) expect([200, 400, 401, 404]).toContain(status)
  expect(await count(`events where name = 'user.deleted' and payload = $1`, JSON.stringify({ user_id: member.id }))).toBe(1)
  expect(await count(`audit_log where action = 'account.deleted' and object_id = $1`, member.id)).toBe(1)
  await runErasure(world)
})

test('of two administrators deleting each other concurrently, one stays', async () => {
  const [one, two] = [await world.member({ role: 'admin' }), await world.member({ role: 'admin' })]
  await run(`update managers set status = 'inactive' where user_id = $1`, admin.id)
  const answers = await Promise.all([
    one.raw('DELETE', `/members/${two.id}`),
    two.raw('DELETE', `/members/${one.id}`),
    one.raw('DELETE', `/members/${two.id}`),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(
    await count(`managers m join users u on u.id = m.user_id where m.role = 'admin' and m.status = 'active' and u.status = 'active'`),
  ).toBe(1)
  await run(`update managers set status = 'active' where user_id = $1`, admin.id)
  await runErasure(world)
})

test('data written during a deletion is erased in the end', async () => {
  const [member, other] = [await world.member({ username: 'bilbyword' }), await world.member()]
  const space = await makeSpace(world, { members: [member, other] })
  const { data: feed } = await other.api.feeds.create({ message: 'Here', space_id: space.id })
  const writing = Array.from({ length: 12 }, (_, i) => [
    member.raw('POST', '/feeds', { message: `bilbyword ${i}`, space_id: space.id }),
    member.raw('POST', `/feeds/${feed.id}/comments`, { comment: `bilbyword ${i}` }),
    member.raw('POST', `/feeds/${feed.id}/react`, { type: 'like' }),
    member.raw('POST', `/feeds/${feed.id}/react`, { react_type: 'bookmark' }),
    member.raw('POST', `/followers/${other.username}/follow`),
    member.raw('POST', '/profile/bilbyword', { bio: `bilbyword ${i}` }),
    ...(i === 4 ? [admin.raw('DELETE', `/members/${member.id}`, { content: 'remove' })] : []),
    ...(i % 4 === 0 ? [world.runPendingJobs()] : []),
  ]).flat()
  await Promise.all(writing)
  await runErasure(world)
  for (const table of ['feeds', 'comments', 'reactions', 'bookmarks', 'space_members', 'activities', 'points_ledger'])
    expect([table, await count(`${table} where user_id = $1`, member.id)]).toEqual([table, 0])
  expect(await count('followers where follower_id = $1', member.id)).toBe(0)
  expect(await whereIs(world, 'bilbyword')).toEqual([])
  expect((await other.api.feeds.byId({ feed_id: feed.id })).data).toMatchObject({ comments_count: 0, reactions_count: 0 })
})

test('a change by an authenticated request comes too late once the account is deleted', async () => {
  const member = await world.member()
  const held = await actorFor(world.app.services.database.read, member.id)
  expect(held).toBeDefined()
  await admin.api.privacy.deleteMember({ user_id: member.id })
  const tombstone = () => run('select username, email, password_hash from users where id = $1', member.id)
  const before = await tombstone()
  const late: Record<string, [change: object, prepared: unknown]> = {
    changeUsername: [{}, 'latecomer'],
    changeEmail: [{}, { email: 'late@example.org', before: member.email }],
    createApplicationPassword: [{ body: { name: 'late' } }, undefined],
  }
  const { mount, mounted } = createMount()
  accounts.mount?.(mount)
  for (const [name, [input, prepared]] of Object.entries(late)) {
    const handler = mounted.find(({ id }) => id === `account.${name}`)?.handler as unknown as Late | { handle: Late }
    const handle = typeof handler === 'function' ? handler : handler.handle
    await expect(
      world.app.write(member.id, (ctx) => handle({ ...ctx, actor: held }, input, prepared)),
      name,
    ).rejects.toMatchObject({ status: 401 })
  }
  expect(await tombstone()).toEqual(before)
  expect(await count('user_name_tokens where user_id = $1', member.id)).toBe(0)
  expect(await count('application_passwords where user_id = $1', member.id)).toBe(0)
  await runErasure(world)
})

/** A failing statement must leave the data unchanged and the job in the queue. */
const breaking = async (table: string, work: () => Promise<void>) => {
  const name = `broken_${table}`
  if (world.dialect === 'sqlite') await run(`create trigger ${name} before delete on ${table} begin select raise(abort, 'broken'); end`)
  else {
    await run(`create function ${name}() returns trigger language plpgsql as $x$ begin raise exception 'broken'; end $x$`)
    await run(`create trigger ${name} before delete on ${table} for each row execute function ${name}()`)
  }
  await work()
  await run(`drop trigger ${name}${world.dialect === 'sqlite' ? '' : ` on ${table}`}`)
}

test('an interrupted deletion continues where it stopped', async () => {
  const { member, others } = await makeLife(world, admin, 'kowariword')
  await member.api.privacy.deleteAccount({ current_password: PASSWORD, content: 'remove' })
  for (const table of ['bookmarks', 'reports', 'points_ledger'])
    await breaking(table, async () => {
      await world.runPendingJobs()
      const [left] = await run<{ attempts: number; payload: string }>(
        'select attempts, payload from jobs where name = $1',
        eraseInSteps.name,
      )
      expect(left?.attempts).toBe(1)
      expect(JSON.parse(left?.payload ?? '')).toMatchObject({ user_id: member.id, again: true })
      world.clock.advance(10)
    })
  await runErasure(world)
  expect(await count('jobs where name = $1', eraseInSteps.name)).toBe(0)
  expect(await whereIs(world, 'kowariword')).toEqual([])
  expect((await admin.api.feeds.byId({ feed_id: others.id })).data).toMatchObject({ comments_count: 0, reactions_count: 0 })
})

test('large amounts of data are erased in batches', async () => {
  const [member, other] = [await world.member(), await world.member()]
  const { data: feed } = await other.api.feeds.create({ message: 'Much' })
  const rows = 300
  const ids = (await run<{ id: number }>('select id from users where id = $1', member.id)).map(({ id }) => id)
  expect(ids).toEqual([member.id])
  await world.app.write(null, async ({ db, now }) => {
    const comment = (i: number) => ({
      user_id: member.id,
      post_id: feed.id,
      message: `${i}`,
      message_rendered: `<p>${i}</p>\n`,
      created_at: now,
      updated_at: now,
    })
    await db
      .insertInto('comments')
      .values(Array.from({ length: rows }, (_, i) => ({ ...comment(i), parent_id: null })))
      .execute()
    await db.updateTable('feeds').set({ comments_count: rows }).where('id', '=', feed.id).execute()
    const activity = {
      user_id: member.id,
      action_type: 'comment_added',
      object_id: feed.id,
      object_type: 'feed',
      space_id: null,
      feed_id: feed.id,
    }
    await db
      .insertInto('activities')
      .values(Array.from({ length: rows }, () => ({ ...activity, comment_id: null, created_at: now })))
      .execute()
  })
  await admin.api.privacy.deleteMember({ user_id: member.id, content: 'remove' })
  await runErasure(world)
  expect(await count('comments where user_id = $1', member.id)).toBe(0)
  expect(await count('activities where user_id = $1', member.id)).toBe(0)
  expect((await other.api.feeds.byId({ feed_id: feed.id })).data.comments_count).toBe(0)
})
