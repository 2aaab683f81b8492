import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byWayOf, type Detour, openDetour, postgresAt } from '#test/detour.ts'
import { createWorld, databaseUrl, type Member, type World } from '#test/world.ts'

/** More than the rate limit of an anonymous client per minute. */
const REQUESTS = 120

describe.skipIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('while the database is unavailable', () => {
  let proxy: Detour
  let world: World
  let ana: Member
  beforeAll(async () => {
    const url = new URL(await databaseUrl())
    proxy = await openDetour(postgresAt(url))
    world = await createWorld({ env: { LYCEUM_DATABASE_URL: byWayOf(proxy, url), LYCEUM_RATE_LIMIT: 'on' } })
    ana = await world.member()
  })
  afterAll(async () => {
    await world.close()
    await proxy.close()
  })
  const page = async (path: string) => {
    const answer = await fetch(world.origin + path)
    return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') }
  }

  test('all requests get that error, however many come from one address, and none is rate-limited afterwards', async () => {
    proxy.set('refused')
    const answers = []
    for (let i = 0; i < REQUESTS; i++) answers.push(await ana.raw('GET', '/feeds'))
    expect(new Set(answers.map(({ status, body, headers }) => `${status} ${body.code} ${headers.get('retry-after')}`))).toEqual(
      new Set(['503 service_unavailable 1']),
    )
    proxy.set('open')
    await expect.poll(async () => (await ana.raw('GET', '/feeds')).status).toBe(200)
    expect((await world.request('GET', '/settings/public')).status).toBe(200)
  })

  test.each(['refused', 'lost'] as const)('health and metrics still respond, when connections are %s', async (way) => {
    proxy.set(way)
    const begun = performance.now()
    expect(await page('/health/live')).toMatchObject({ status: 200 })
    expect(await page('/health/ready')).toMatchObject({ status: 503, retryAfter: '1' })
    const figures = await page('/metrics')
    expect([figures.status, figures.text]).toEqual([200, expect.stringContaining('lyceum_database_connections')])
    expect(figures.text).not.toMatch(/^lyceum_jobs\{/m)
    expect(performance.now() - begun).toBeLessThan(6000)
    proxy.set('open')
    await expect.poll(async () => (await page('/health/ready')).status, { timeout: 10_000 }).toBe(200)
  })
})
