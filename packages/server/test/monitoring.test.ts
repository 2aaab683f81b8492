import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { LOOPBACK } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const TOKEN = 'a token for the metrics and nothing else'
let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld({ env: { ...LOOPBACK, LYCEUM_METRICS_TOKEN: TOKEN } })
  admin = await world.member({ role: 'admin' })
  await admin.api.webhooks.create({ name: 'Hook', url: 'https://127.0.0.1:1/', events: ['feed.created'] })
  await world.runPendingJobs()
})
afterAll(() => world.close())

const withToken = (path: string) => fetch(`${world.origin}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
const metrics = async () => (await withToken('/metrics')).text()
const sampleOf = (text: string, sample: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length),
  )

test('dashboard and alerts name only metrics that the server has', async () => {
  const names = ['grafana-dashboard.json', 'alerts.yml'].flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, '../../../deploy/monitoring', file), 'utf8')
    return text.match(/\blyceum_\w+/g) ?? []
  })
  // SQLite has no pool of connections.
  const known = new Set(
    [...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`] : [name],
    ),
  )
  const absent = world.dialect === 'sqlite' ? ['lyceum_database_connections'] : []
  expect(names.length).toBeGreaterThan(20)
  expect([...new Set(names)].filter((name) => !known.has(name))).toEqual(absent)
})

test('members, webhooks, mails and the age of the queue are measured', async () => {
  const before = await metrics()
  expect(sampleOf(before, 'lyceum_members')).toBe(1)
  expect(sampleOf(before, 'lyceum_webhooks{state="active"}')).toBe(1)
  expect(sampleOf(before, 'lyceum_job_age_seconds')).toBe(0)
  const mails = sampleOf(before, 'lyceum_mails_total{outcome="sent"}')
  await makeSpace(world, { members: [await world.member()] })
  await admin.api.feeds.create({ message: 'Hello' })
  world.clock.advance(90)
  expect(sampleOf(await metrics(), 'lyceum_job_age_seconds')).toBe(90)
  await world.anonymous.auth.forgotPassword({ email: admin.email })
  await world.runPendingJobs()
  const after = await metrics()
  expect(sampleOf(after, 'lyceum_members')).toBe(2)
  expect(sampleOf(after, 'lyceum_webhooks{state="failing"}')).toBe(1)
  expect(sampleOf(after, 'lyceum_mails_total{outcome="sent"}')).toBeGreaterThan(mails)
})

test('the token opens nothing but the metrics', async () => {
  expect((await withToken('/metrics')).status).toBe(200)
  for (const path of ['/api/v2/feeds', '/api/v2/account/application-passwords', '/api/v2/admin/webhooks'])
    expect((await withToken(path)).status).toBe(401)
  expect((await fetch(`${world.origin}/metrics`)).status).toBe(401)
})
