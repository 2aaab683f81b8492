import { PERMISSIONS, type Permission, WEBHOOK_EVENTS } from '@lyceum/contract'
import { givePassword } from '#test/account-deletion.ts'
import { grant } from '#test/fixtures.ts'
import { type Device, type PushService, startPushService } from '#test/push-service.ts'
import { type Listener, listen } from '#test/sse-client.ts'
import { makeScene, type Scene } from '#test/valid-bodies.ts'
import { LOOPBACK, type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type Operation, operationsOn, readingIn } from '../xss/fields.ts'

/** The actors: by their relation to a space, by a single permission, or by a role. The weakest come first. */
export const HOLDERS = ['member', 'author', 'space moderator', 'space admin', ...PERMISSIONS, 'global moderator', 'administrator'] as const
export type Holder = (typeof HOLDERS)[number]

/** A community with all actors, and all channels that reach other people. */
export interface Stage {
  readonly world: World
  readonly holders: Readonly<Record<Holder, Member>>
  /** Members and an administrator who only receive; the stranger is in no space or course. */
  readonly reader: Member
  readonly stranger: Member
  readonly owner: Member
  readonly scene: Scene
  readonly operations: readonly Operation[]
  readonly reading: readonly string[]
  readonly receiver: Receiver
  readonly push: PushService
  readonly devices: ReadonlyMap<Member, Device>
  readonly stream: Listener
  close(): Promise<void>
}

export const makeHolders = async (world: World): Promise<Record<Holder, Member>> => {
  const holders: Partial<Record<Holder, Member>> = {}
  for (const name of ['member', 'author', 'space moderator', 'space admin'] as const) holders[name] = await world.member()
  for (const permission of PERMISSIONS) holders[permission] = await managerWith(world, permission)
  holders['global moderator'] = await world.member({ role: 'moderator' })
  holders['administrator'] = await world.member({ role: 'admin' })
  return holders as Record<Holder, Member>
}

const managerWith = async (world: World, permission: Permission): Promise<Member> => {
  const manager = await world.member({ role: 'manager' })
  await grant(world, manager, [permission])
  return manager
}

export const subscribeAll = async (push: PushService, people: readonly Member[]): Promise<Map<Member, Device>> => {
  const devices = new Map<Member, Device>()
  for (const who of people) {
    const device = push.device()
    await who.api.push.subscribe({ endpoint: device.endpoint, keys: device.keys })
    devices.set(who, device)
  }
  return devices
}

export const makeStage = async (): Promise<Stage> => {
  const [push, receiver] = [await startPushService(), await startReceiver()]
  const world = await createWorld({ env: LOOPBACK })
  const holders = await makeHolders(world)
  const reader = await world.member({ username: 'reader' })
  const stranger = await world.member()
  const owner = await world.member({ role: 'admin' })
  await givePassword(world, reader)
  const { author, member } = holders
  const password = (await member.api.account.applicationPasswords()).data[0]?.id as number
  const scene = await makeScene(world, {
    author,
    member: reader,
    other: member,
    password,
    spaceModerator: holders['space moderator'],
    spaceAdmin: holders['space admin'],
    administrator: owner,
  })
  for (const course of [scene.school.courseId, scene.quiz.course_id])
    await owner.raw('POST', `/admin/courses/${course}/students`, { user_id: reader.id })
  await owner.api.webhooks.create({ name: 'Receiver', url: receiver.url, events: [...WEBHOOK_EVENTS], all_content: true })
  const hook = await holders.manage_webhooks.api.webhooks.create({
    name: 'Hook',
    url: 'https://93.184.215.14/',
    events: ['feed.deleted'],
    status: 'inactive',
  })
  const { id: report_id } = await reader.api.moderation.report({ object_id: scene.feed, object_type: 'feed', reason: 'spam' })
  const { data: feed } = await owner.api.feeds.byId({ feed_id: scene.feed })
  const own = {
    webhook_id: hook.id,
    report_id,
    feed_slug: feed.slug,
    option_slug: 'a',
    key: 'site_name',
    code: '0'.repeat(32),
  }
  const devices = await subscribeAll(push, [...Object.values(holders), reader, owner])
  await world.runPendingJobs()
  return {
    world,
    holders,
    reader,
    stranger,
    owner,
    scene,
    operations: operationsOn(scene, owner, own),
    reading: [...readingIn(scene, own), `/courses/${scene.quiz.course_id}/lessons/${scene.quiz.lesson_id}`],
    receiver,
    push,
    devices,
    stream: await listen(world, reader),
    close: async () => {
      await world.close()
      await Promise.all([push.close(), receiver.stop()])
    },
  }
}
