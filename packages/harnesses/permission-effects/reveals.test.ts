import { PERMISSIONS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant } from '#test/fixtures.ts'
import { type PushService, startPushService } from '#test/push-service.ts'
import { report, SOAK } from '#test/scale.ts'
import { makeScene } from '#test/valid-bodies.ts'
import { LOOPBACK, type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type Channels, openChannels, WAYS } from './channels.ts'
import { beyondAnswers, linesOfReveals, REVEALS, revealed } from './reveals.ts'
import { createSecrets, KINDS, type Secrets } from './secrets.ts'
import { HOLDERS, type Holder, makeHolders } from './stage.ts'

/** Permissions do not depend on the database: on PostgreSQL, short runs test only the holders with many channels. */
const FEW: readonly Holder[] = ['view_reports', 'view_analytics', 'manage_settings', 'manage_webhooks', 'administrator']
const ASKED_ABOUT = SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? HOLDERS : FEW

let world: World
let push: PushService
let receiver: Receiver
let owner: Member
let holders: Record<Holder, Member>
let ears: Channels
let secrets: Secrets

beforeAll(async () => {
  push = await startPushService()
  receiver = await startReceiver()
  world = await createWorld({ env: { ...LOOPBACK, LYCEUM_TRUST_PROXY: 'on' } })
  owner = await world.member({ role: 'admin' })
  holders = await makeHolders(world)
  const [author, member, other] = [await world.member(), await world.member(), await world.member()]
  const password = (await other.api.account.applicationPasswords()).data[0]?.id as number
  const [spaceModerator, spaceAdmin] = [holders['space moderator'], holders['space admin']]
  const scene = await makeScene(world, { author, member, other, password, spaceModerator, spaceAdmin, administrator: owner })
  const asked = Object.fromEntries(ASKED_ABOUT.map((holder) => [holder, holders[holder]]))
  ears = await openChannels(world, asked, receiver, push, scene)
  secrets = await createSecrets(world, owner, Object.values(holders))
  await ears.take()
}, 120_000)
afterAll(async () => {
  await ears.stop()
  await world.close()
  await Promise.all([push.close(), receiver.stop()])
})

test('each permission reveals through each channel what the table lists, and nothing that a GET rejects', {
  timeout: 600_000,
}, async () => {
  const found: Record<string, ReturnType<typeof revealed>> = {}
  let texts = 0
  for (const holder of ASKED_ABOUT) {
    const heard = await ears.collect(holder, secrets)
    texts += Object.values(heard).reduce((sum, { length }) => sum + length, 0)
    // Every channel is open; otherwise silence would prove nothing.
    expect(heard.archive).toContain(holders[holder].email)
    expect(heard.mail).not.toBe('')
    found[holder] = revealed(heard, secrets.signs)
    expect({ holder, beyond: beyondAnswers(found[holder]) }).toEqual({ holder, beyond: [] })
  }
  const about = Object.fromEntries(Object.entries(REVEALS).filter(([holder]) => ASKED_ABOUT.some((one) => one === holder)))
  expect(linesOfReveals(found)).toEqual(linesOfReveals(about))
  // Every kind of secret reaches someone, so each would be recognized.
  expect(new Set(Object.values(found).flatMap((rows) => Object.values(rows).flat()))).toEqual(new Set(KINDS))
  report({ holders: ASKED_ABOUT.length, ways: WAYS.length, kinds: KINDS.length, 'characters read': texts, 'told beyond': 0 })
})

/** What their webhooks receive from now on. */
const hearMore = async (): Promise<string[]> => {
  const more = await createSecrets(world, owner, [])
  await world.runPendingJobs()
  return beyondAnswers(revealed(await ears.collect('manage_webhooks', more), more.signs))
}

test.runIf(SOAK > 1)('a webhook includes what each further permission reveals', { timeout: 600_000 }, async () => {
  for (const permission of PERMISSIONS) {
    await grant(world, holders.manage_webhooks, ['manage_webhooks', permission])
    expect({ permission, beyond: await hearMore() }).toEqual({ permission, beyond: [] })
  }
  await grant(world, holders.manage_webhooks, ['manage_webhooks'])
})

describe('controls: the checks detect', () => {
  test('a webhook with more than its creator’s permissions', async () => {
    const { manage_webhooks, administrator } = holders
    await world.app.services.database.write((db) =>
      db.updateTable('webhooks').set({ created_by: administrator.id }).where('created_by', '=', manage_webhooks.id).execute(),
    )
    const beyond = await hearMore()
    for (const kind of ['secret space', 'secret post', 'secret comment', 'followers post', 'reporter'])
      expect(beyond).toContain(`webhook: ${kind}`)
  })

  test('a wrong table, or a list that reveals what its own GET rejects', () => {
    const { view_reports: _missing, ...less } = REVEALS
    expect(linesOfReveals(less)).not.toEqual(linesOfReveals(REVEALS))
    expect(linesOfReveals({ ...REVEALS, manage_webhooks: { webhook: ['secret post'] } })).not.toEqual(linesOfReveals(REVEALS))
    expect(beyondAnswers({ analytics: ['secret space'], mail: ['email'] })).toEqual(['analytics: secret space', 'mail: email'])
  })
})
