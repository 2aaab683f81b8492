import { REACTION_TYPES } from '@lyceum/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** Each toggle is a transaction that waits for the previous one, which takes five times as long on PostgreSQL. */
const TOGGLES = (process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? 1500 : 500) * SOAK
const IN_FLIGHT = 100
/** Takes a few seconds unless the machine is busy. */
const TIMEOUT_MS = 60_000 * SOAK

let world: World
let people: Member[]

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  people = await Promise.all(Array.from({ length: 5 }, () => world.member()))
})
afterAll(() => world.close())

const countEvents = async (name: string): Promise<number> => {
  const rows = await world.app.services.database.read.selectFrom('events').select('id').where('name', '=', name).execute()
  return rows.length
}

it(
  `${TOGGLES} toggles by five members at once neither fail nor let the counter drift`,
  async () => {
    const author = await world.member()
    const { data: feed } = await author.api.feeds.create({ message: 'A feed' })
    const statuses: number[] = []
    let sent = 0
    let removed = 0
    const toggle = async () => {
      while (sent < TOGGLES) {
        const i = sent++
        const who = people[i % people.length] as Member
        const { status, body } = await who.raw('POST', `/feeds/${feed.id}/react`, { type: REACTION_TYPES[(i >> 3) % 2] })
        statuses.push(status)
        if (body.data?.action === 'removed') removed += 1
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, toggle))

    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(statuses.length).toBe(TOGGLES)
    const { read } = world.app.services.database
    const rows = await read.selectFrom('reactions').select('user_id').where('feed_id', '=', feed.id).execute()
    expect(new Set(rows.map((row) => row.user_id)).size).toBe(rows.length)
    expect((await author.api.feeds.byId({ feed_id: feed.id })).data.reactions_count).toBe(rows.length)
    expect(await countEvents('reaction.removed')).toBe(removed)
    expect(await countEvents('reaction.added')).toBe(removed + rows.length)
  },
  TIMEOUT_MS,
)
