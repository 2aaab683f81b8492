import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PushService, startPushService } from '#test/push-service.ts'
import { report, SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { TRIGGERS } from './events.ts'
import { beginLife, endLife } from './life.ts'
import { survivors } from './probes.ts'
import { ENDED, EVENTS, type Event, KINDS, type Kind } from './table.ts'

let world: World
let push: PushService
let admin: Member
let cells = 0

beforeAll(async () => {
  push = await startPushService()
  world = await createWorld({
    env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: 'on', LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
  admin = await world.member({ role: 'admin' })
  await admin.api.settingsPages.savePrivacy({ can_customize_username: 'yes' })
})
afterAll(async () => {
  report({ events: EVENTS.length, credentials: KINDS.length, cells, differences: 0 })
  await world.close()
  await push.close()
})

/** Differences between the table and an account after the event. */
const differences = async (event: Event, ended: readonly Kind[]): Promise<string[]> => {
  const life = await beginLife(world, push)
  try {
    const answer = (await TRIGGERS[event](life, admin)) as { status: number; text: string }
    if (answer.status >= 300) return [`${event} did not happen: ${answer.status} ${answer.text}`]
    const alive = await survivors(life)
    cells += KINDS.length
    return KINDS.filter((kind) => alive.includes(kind) === ended.includes(kind)).map(
      (kind) => `${event}: ${kind} ${alive.includes(kind) ? 'survives' : 'has ended'}`,
    )
  } finally {
    await endLife(life)
  }
}

describe('account events', () => {
  test.each(EVENTS.map((event) => [event]))('%s revokes exactly the listed credentials', async (event) => {
    for (let round = 0; round < SOAK; round++) expect(await differences(event, ENDED[event])).toEqual([])
  })

  test('control: wrong rows of the table are detected', async () => {
    const wrong = [...ENDED['sign-out'], 'child application password' as const].filter((kind) => kind !== 'own session')
    expect(await differences('sign-out', wrong)).toEqual([
      'sign-out: own session has ended',
      'sign-out: child application password survives',
    ])
  })
})
