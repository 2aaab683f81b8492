import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOOPBACK, type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

let world: World
let collector: Receiver
let site: Receiver
let ana: Member
let hookId: number
beforeAll(async () => {
  collector = await startReceiver()
  site = await startReceiver()
  world = await createWorld({ env: { ...LOOPBACK, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` } })
  ana = await world.member({ role: 'admin' })
  const { id } = await ana.api.webhooks.create({ name: 'Hook', url: `${site.url}/secret-path`, events: ['feed.created'] })
  hookId = id
  await world.runPendingJobs()
})
afterAll(async () => {
  await collector.stop()
  await site.stop()
})

const bodiesOf = () => collector.seen.filter(({ path }) => path === '/v1/traces').map(({ body }) => body)
const spans = (): Span[] =>
  bodiesOf().flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
const attributeOf = (span: Span, name: string) => Object.values(span.attributes.find(({ key }) => key === name)?.value ?? {})[0]

test('one trace leads from the caller through the request and its jobs to the webhook', async () => {
  const sent = { title: 'Told', message: 'A word that only members read' }
  const { status } = await ana.raw('POST', '/feeds', sent, { traceparent: `00-${TRACE}-${PARENT}-01` })
  expect(status).toBe(201)
  await ana.raw('GET', '/feeds', undefined, { traceparent: `00-${TRACE}-${PARENT}-00` })
  await ana.raw('GET', '/topics', undefined, { traceparent: 'nonsense' })
  await world.runPendingJobs()
  expect((await ana.api.webhooks.deliveries({ webhook_id: hookId })).deliveries).toMatchObject([{ status: 'delivered' }])
  await world.close()

  const all = spans()
  const ours = all.filter(({ traceId }) => traceId === TRACE)
  const named = (name: string) => {
    const found = ours.filter((span) => span.name === name)
    expect(found, name).toHaveLength(1)
    return found[0] as Span
  }
  const below = (span: Span) => ours.filter(({ parentSpanId }) => parentSpanId === span.spanId)

  const request = named('POST /feeds')
  expect(request).toMatchObject({ parentSpanId: PARENT, kind: 2 })
  expect(attributeOf(request, 'http.response.status_code')).toBe(201)
  const write = below(request).find(({ name }) => name === 'database write')
  expect(Number(write && attributeOf(write, 'lyceum.db.statements'))).toBeGreaterThan(1)
  expect(below(request).some(({ name }) => name === 'database read')).toBe(true)

  const event = named('event:feed.published')
  expect(event).toMatchObject({ parentSpanId: write?.spanId, kind: 5 })
  const hook = named('webhook:feed.created')
  expect(hook.parentSpanId).toBe(write?.spanId)
  expect(
    below(event)
      .flatMap(below)
      .map(({ name }) => name),
  ).toContain('job:webhooks.send')
  const [outgoing] = below(hook).filter(({ kind, name }) => kind === 3 && name === 'POST')
  expect(site.seen.map(({ headers }) => headers['traceparent'])).toEqual([`00-${TRACE}-${outgoing?.spanId}-01`])

  // The sender of the second request did not record it; the third has no valid parent.
  expect(ours.filter(({ name }) => name === 'GET /feeds')).toEqual([])
  const third = all.find(({ name }) => name === 'GET /topics')
  expect(third).toMatchObject({ traceId: expect.not.stringMatching(TRACE) })
  expect(third?.parentSpanId).toBeUndefined()

  // A collector is no place for secrets or for what members write.
  const text = JSON.stringify(bodiesOf())
  expect(text).toContain('{"key":"service.name","value":{"stringValue":"lyceum"}}')
  for (const secret of ['secret-path', 'A word that', ana.password]) expect(text).not.toContain(secret)
})
