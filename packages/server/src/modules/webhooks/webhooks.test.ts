import { MAX_WEBHOOKS, WEBHOOK_EVENTS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { LOOPBACK, type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

let world: World
let admin: Member
let receiver: Receiver

beforeAll(async () => {
  world = await createWorld({ env: LOOPBACK })
  admin = await world.member({ role: 'admin' })
  receiver = await startReceiver((got, response) => {
    if (got.path === '/500') response.statusCode = 500
    if (got.path === '/moved') response.writeHead(302, { location: `${receiver.url}/elsewhere` })
    response.end('x'.repeat(got.path === '/long' ? 1_000_000 : 2))
  })
})
afterAll(async () => {
  await receiver.stop()
  await world.close()
})

const PUBLIC = 'https://93.184.215.14/hook'
type Fields = Partial<Parameters<Member['api']['webhooks']['create']>[0]>
const make = (fields: Fields = {}, who = admin) =>
  who.api.webhooks.create({ name: 'Books', url: PUBLIC, events: ['feed.created'], status: 'inactive', ...fields })
const manager = async (permissions: readonly string[], spaces: readonly number[] | null = null) => {
  const who = await world.member()
  await admin.raw('POST', '/admin/managers', { user_id: who.id, role: 'manager', permissions, spaces })
  return who
}

describe('creating a webhook', () => {
  it('returns the whole record, and the secret only once', async () => {
    const { status, body } = await admin.api.webhooks.create.answer({
      name: ' Books ',
      url: PUBLIC,
      events: ['comment.created', 'feed.created', 'comment.created'],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Books',
      url: PUBLIC,
      events: ['feed.created', 'comment.created'],
      status: 'active',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_secret_until: null,
      headers: {},
      retry_count: 3,
      all_content: false,
      created_by: admin.id,
      last_triggered_at: null,
      last_error: null,
      paused_until: null,
      created_at: '2026-03-10 12:00:00',
      updated_at: '2026-03-10 12:00:00',
      message: 'The webhook was created.',
    })
    const { data } = await admin.api.webhooks.one({ webhook_id: body.id })
    expect(data.secret).toBe(`whsec_…${body.secret.slice(-4)}`)
    const { webhooks } = await admin.api.webhooks.list()
    expect(webhooks.find(({ id }) => id === body.id)).toEqual(data)
    expect(JSON.stringify(webhooks)).not.toContain(body.secret)
  })

  it('accepts a custom secret, and shows next to nothing of a short one', async () => {
    const { id, secret } = await make({ secret: 'my-own' })
    expect(secret).toBe('my-own')
    expect((await admin.api.webhooks.one({ webhook_id: id })).data.secret).toBe('…')
  })

  it.each([
    ['nonsense'],
    ['ftp://example.org/x'],
    ['http://93.184.215.14/hook'],
    ['https://ana:pw@93.184.215.14/hook'],
    ['https://10.0.0.1/hook'],
    ['https://0.0.0.0/hook'],
    ['https://[::]/hook'],
    ['https://[::ffff:10.0.0.1]/hook'],
    ['https://0xa9fea9fe/latest'],
    ['https://169.254.169.254/latest'],
    ['https://93.184.215.14:5432/'],
    ['javascript:alert(1)'],
    [''],
  ])('refuses the URL %s', async (url) => {
    const error = await refused(make({ url }), 400, 'invalid_url')
    expect(error.data).toMatchObject({ field: 'url' })
  })

  it('accepts plain http and any port only in ranges that the operator allows', async () => {
    expect((await make({ url: `${receiver.url}/hook` })).url).toBe(`${receiver.url}/hook`)
    const strict = await createWorld()
    const boss = await strict.member({ role: 'admin' })
    for (const url of [`${receiver.url}/hook`, 'https://127.0.0.1/hook', 'https://localhost/hook', 'http://localhost/hook'])
      await refused(make({ url }, boss), 400, 'invalid_url')
    await strict.close()
  })

  it.each([
    [{ events: ['*'] }],
    [{ events: ['moon.risen'] }],
    [{ events: ['constructor'] }],
    [{ events: [] }],
    [{ retry_count: -1 }],
    [{ retry_count: 11 }],
    [{ status: 'paused' }],
    [{ name: '  ' }],
    [{ secret: 'short' }],
    [{ secret: 'two words' }],
    [{ headers: { Host: 'evil.example' } }],
    [{ headers: { 'content-length': '3' } }],
    [{ headers: { 'Webhook-Signature': 'v1,x' } }],
    [{ headers: { 'X-Lyceum-Signature': 'x' } }],
    [{ headers: { 'bad name': 'x' } }],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }],
    [{ headers: { 'X-A': 'ü' } }],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }],
    [{ headers: { 'X-A': 7 } }],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'x'])) }],
  ])('refuses %j', async (fields) => {
    await refused(make(fields as Fields), 400, 'invalid_data')
  })

  it.each(['name', 'url', 'events'])('requires %s', async (field) => {
    await refused(make({ [field]: undefined }), 400, 'missing_required_field')
  })

  it('accepts every event', async () => {
    expect((await make({ events: [...WEBHOOK_EVENTS] })).events).toEqual(WEBHOOK_EVENTS)
  })

  it('is limited in number', async () => {
    const other = await createWorld()
    const boss = await other.member({ role: 'admin' })
    await other.app.write(null, async ({ db, now }) => {
      const row = { name: 'x', url: PUBLIC, secret: '', headers: '', created_at: now, updated_at: now } as const
      const rest = { previous_secret: null, previous_until: null, created_by: null, last_triggered_at: null, last_error: null }
      const rows = Array.from({ length: MAX_WEBHOOKS - 1 }, () => ({
        ...row,
        ...rest,
        failing_since: null,
        paused_until: null,
        recheck_at: null,
      }))
      await db.insertInto('webhooks').values(rows).execute()
    })
    const answers = await Promise.allSettled([make({}, boss), make({}, boss), make({}, boss)])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await refused(make({}, boss), 409, 'conflict')
    await other.close()
  })
})

describe('updating a webhook', () => {
  it('changes only the given fields', async () => {
    const made = await make({ headers: { 'X-Source': 'lyceum' } })
    world.clock.advance(60)
    const changed = await admin.api.webhooks.update({ webhook_id: made.id, name: 'Renamed', retry_count: 0 })
    expect(changed).toMatchObject({
      id: made.id,
      name: 'Renamed',
      url: PUBLIC,
      retry_count: 0,
      headers: { 'X-Source': 'lyceum' },
      message: 'The webhook was updated.',
    })
    expect(changed.updated_at > made.updated_at).toBe(true)
    expect(changed.secret).not.toBe(made.secret)
    const again = await admin.api.webhooks.update({ webhook_id: made.id, events: ['report.created'], status: 'active', url: `${PUBLIC}/2` })
    expect(again).toMatchObject({ name: 'Renamed', events: ['report.created'], status: 'active', url: `${PUBLIC}/2` })
    await refused(admin.api.webhooks.update({ webhook_id: made.id, url: 'http://93.184.215.14/' }), 400, 'invalid_url')
    await refused(admin.api.webhooks.update({ webhook_id: made.id, events: [] }), 400, 'invalid_data')
    expect((await admin.api.webhooks.update({ webhook_id: made.id, headers: null })).headers).toEqual({})
  })

  it('never changes the secret', async () => {
    const { id, secret } = await make({ url: `${receiver.url}/unchanged` })
    await admin.raw('PUT', `/admin/webhooks/${id}`, { secret: 'whsec_aGVsbG8=' })
    expect((await admin.api.webhooks.one({ webhook_id: id })).data.secret).toBe(`whsec_…${secret.slice(-4)}`)
  })

  it('drops credentials when it moves to another host, unless they are sent again', async () => {
    const { id, headers } = await make({ headers: { Authorization: 'Bearer one', 'X-Source': 'here' } })
    const move = async (fields: object) => (await admin.api.webhooks.update({ webhook_id: id, ...fields })).headers
    expect(await move({ url: `${PUBLIC}/elsewhere` })).toEqual(headers)
    const stranger = `${receiver.url}/mine`
    expect(await move({ url: stranger, headers: { ...headers } })).toEqual({ 'X-Source': 'here' })
    await move({ headers: { Authorization: 'Bearer two', 'X-Source': 'here' } })
    expect(await move({ url: PUBLIC })).toEqual({ 'X-Source': 'here' })
    expect(await move({ url: stranger, headers: { Authorization: 'Bearer three' } })).toEqual({ Authorization: headers['Authorization'] })
    await admin.api.webhooks.test({ webhook_id: id })
    expect(receiver.of('webhook.test').at(-1)?.headers['authorization']).toBe('Bearer three')
  })

  it('masks headers that look like credentials, and accepts the mask as unchanged', async () => {
    const { id, headers } = await make({
      url: `${receiver.url}/masked`,
      headers: { Authorization: 'Bearer one', 'X-Api-Key': 'k', 'X-Source': 'here' },
    })
    expect(headers).toEqual({ Authorization: '••••••••', 'X-Api-Key': '••••••••', 'X-Source': 'here' })
    const sent = { ...headers, 'X-Source': 'there', 'X-Token': '••••••••' }
    expect((await admin.api.webhooks.update({ webhook_id: id, headers: sent })).headers).toEqual({ ...headers, 'X-Source': 'there' })
    await admin.api.webhooks.test({ webhook_id: id })
    const got = receiver.seen.find(({ path }) => path === '/masked')
    expect(got?.headers).toMatchObject({ authorization: 'Bearer one', 'x-api-key': 'k', 'x-source': 'there' })
    expect(got?.headers).not.toHaveProperty('x-token')
  })

  it('deletes it once', async () => {
    const { id } = await make()
    expect(await admin.api.webhooks.remove({ webhook_id: id })).toEqual({ message: 'The webhook was deleted.' })
    await refused(admin.api.webhooks.remove({ webhook_id: id }), 404, 'not_found')
    await refused(admin.api.webhooks.one({ webhook_id: id }), 404, 'not_found')
    await refused(admin.api.webhooks.update({ webhook_id: id, name: 'x' }), 404, 'not_found')
    await refused(admin.api.webhooks.test({ webhook_id: id }), 404, 'not_found')
    await refused(admin.api.webhooks.rotateSecret({ webhook_id: id }), 404, 'not_found')
    await refused(admin.api.webhooks.deliveries({ webhook_id: id }), 404, 'not_found')
    await refused(admin.api.webhooks.redeliver({ webhook_id: id, delivery_id: 1 }), 404, 'not_found')
  })
})

describe('a test delivery', () => {
  const hook = async (path: string) => (await make({ url: receiver.url + path })).id

  it('returns the endpoint’s response', async () => {
    const answer = await admin.api.webhooks.test({ webhook_id: await hook('/fine') })
    expect(answer).toEqual({ success: true, status_code: 200, response_time: expect.any(Number), message: 'The receiver answered 200.' })
    const got = receiver.seen.find(({ path }) => path === '/fine')
    expect(got).toMatchObject({
      method: 'POST',
      body: {
        event: 'webhook.test',
        timestamp: expect.stringMatching(/^2026-03-10T12:\d\d:\d\dZ$/),
        data: { name: 'Books' },
        xprofile: { user_id: admin.id },
      },
    })
    expect(got?.headers['content-type']).toContain('application/json')
  })

  it('does not follow redirects, and limits the bytes read', async () => {
    expect(await admin.api.webhooks.test({ webhook_id: await hook('/moved') })).toMatchObject({ success: false, status_code: 302 })
    expect(receiver.seen.some(({ path }) => path === '/elsewhere')).toBe(false)
    expect(await admin.api.webhooks.test({ webhook_id: await hook('/long') })).toMatchObject({ success: true })
  })

  it('reports that there is no response', async () => {
    expect(await admin.api.webhooks.test({ webhook_id: await hook('/500') })).toMatchObject({ success: false, status_code: 500 })
    const gone = await startReceiver()
    await gone.stop()
    const { id } = await make({ url: `${gone.url}/x` })
    expect(await admin.api.webhooks.test({ webhook_id: id })).toMatchObject({ success: false, status_code: null })
  })
})

describe('access', () => {
  it('is for administrators and managers of all spaces only', async () => {
    const { id } = await make()
    const space = await makeSpace(world)
    const everywhere = await manager(['manage_webhooks'])
    const here = await manager(['manage_webhooks'], [space.id])
    const others = [here, await manager(['manage_settings']), await world.member({ role: 'moderator' }), await world.member()]
    const calls = (who: Member) => [
      who.raw('GET', '/admin/webhooks'),
      who.raw('GET', `/admin/webhooks/${id}`),
      who.raw('POST', '/admin/webhooks', { name: 'x', url: PUBLIC, events: ['feed.created'], status: 'inactive' }),
      who.raw('PUT', `/admin/webhooks/${id}`, { name: 'y' }),
      who.raw('POST', `/admin/webhooks/${id}/test`),
      who.raw('POST', `/admin/webhooks/${id}/rotate-secret`),
      who.raw('GET', `/admin/webhooks/${id}/deliveries`),
      who.raw('POST', `/admin/webhooks/${id}/deliveries/1/redeliver`),
      who.raw('DELETE', `/admin/webhooks/${id}`),
    ]
    for (const who of others) {
      for (const { status, body } of await Promise.all(calls(who))) expect([status, body.code]).toEqual([403, 'rest_forbidden'])
    }
    await make({ url: `${receiver.url}/managers` })
    expect((await everywhere.api.webhooks.list()).webhooks.length).toBeGreaterThan(0)
    const own = await make({}, everywhere)
    await everywhere.api.webhooks.update({ webhook_id: own.id, name: 'By a manager' })
    await refused(everywhere.api.webhooks.update({ webhook_id: id, name: 'By a manager' }), 403, 'rest_forbidden')
    expect((await world.request('GET', '/admin/webhooks')).status).toBe(401)
  })

  it('is refused while the feature is off', async () => {
    await world.app.write(null, (ctx) => saveSettings(ctx, { features: { webhooks: false } }))
    await refused(admin.api.webhooks.list(), 403, 'pro_feature_required')
    await world.app.write(null, (ctx) => saveSettings(ctx, { features: { webhooks: true } }))
  })
})

it('secrets and headers are encrypted, and the audit log omits them', async () => {
  const { id, secret } = await make({ url: 'https://93.184.215.14/hook?token=path-secret', headers: { Authorization: 'header-secret' } })
  const rotated = await admin.api.webhooks.rotateSecret({ webhook_id: id })
  expect(rotated.secret).toMatch(/^whsec_/)
  expect(rotated.previous_secret_until).not.toBeNull()
  await admin.api.webhooks.remove({ webhook_id: (await make()).id })
  const { database } = world.app.services
  const stored = JSON.stringify(await database.read.selectFrom('webhooks').select(['secret', 'previous_secret', 'headers']).execute())
  const log = await database.read.selectFrom('audit_log').selectAll().where('object_type', '=', 'webhook').execute()
  for (const text of [secret, rotated.secret, 'header-secret']) expect(stored).not.toContain(text)
  for (const text of [secret, rotated.secret, 'header-secret', 'path-secret']) expect(JSON.stringify(log)).not.toContain(text)
  expect(new Set(log.map(({ action }) => action))).toEqual(
    new Set(['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.secret_rotated']),
  )
})
