import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { routeAt } from '../xss/fields.ts'
import { problemsOf } from './judge.ts'
import { differencesOf, outgoingOf, REACH, type Reach, reachesOut, reachOf, strayIn } from './reach.ts'
import { type Received, takeAll } from './received.ts'
import { runScenario } from './scenario.ts'
import { makeStage, type Stage } from './stage.ts'
import { TEXTS } from './values.ts'
import { writeAll } from './writes.ts'

const TIMEOUT_MS = 3_600_000
/** The first round sends all hostile texts together; soak rounds put each text first once, for every permitted actor. */
const ROUNDS = SOAK === 1 ? 1 : Math.min(SOAK, TEXTS.length + 1)

/** Responses do not depend on the database: on PostgreSQL, short runs test only outgoing messages. */
const IN_FULL = SOAK > 1 || process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'
const wants = (operation: string): boolean => IN_FULL || reachesOut(operation)

let stage: Stage
const received: Received[] = []
let first: Reach = {}
beforeAll(async () => {
  stage = await makeStage()
}, 120_000)
afterAll(() => stage.close())

const judged = (things: readonly Received[]): string[] =>
  things.flatMap((one) =>
    problemsOf(one, stage.world.origin).map((trouble) => `${one.channel} ${one.from.slice(0, 60)}: ${trouble.slice(0, 300)}`),
  )

test('no entered value, by anyone, has an effect in the clients of others', { timeout: TIMEOUT_MS }, async () => {
  let requests = 0
  let values = 0
  const failures: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const writing = await writeAll(stage, round, { wants, everybody: round > 0 })
    await runScenario(stage, writing, round)
    const got = await takeAll(stage, IN_FULL)
    expect(judged(got).slice(0, 20)).toEqual([])
    requests += writing.requests
    failures.push(...writing.failures)
    values += writing.taken.size
    if (round === 0) {
      received.push(...got)
      first = reachOf(writing.taken, got)
    } else expect(strayIn(reachOf(writing.taken, got))).toEqual([])
  }
  expect(failures).toEqual([])
  const counts = Object.groupBy(received, ({ channel }) => channel)
  report({
    rounds: ROUNDS,
    requests,
    'values taken': values,
    ...Object.fromEntries(Object.entries(counts).map(([channel, list]) => [channel, list.length])),
    troubles: 0,
  })
})

test('text reaches others only through the channels of the table', () => {
  expect(IN_FULL ? differencesOf(REACH, first) : differencesOf(outgoingOf(REACH), outgoingOf(first))).toEqual([])
})

/** Control: removes the escaping, like a template that forgets it. */
const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

describe('controls: the checks detect', () => {
  const ofChannel = <C extends Received['channel']>(channel: C) =>
    received.filter((one): one is Extract<Received, { channel: C }> => one.channel === channel)

  test('unescaped mails', () => {
    const weak = ofChannel('mail').map((one) => ({ ...one, mail: { ...one.mail, html: unescaped(one.mail.html ?? '') } }))
    const found = judged(weak).join('\n')
    for (const sign of [
      'tag img',
      'tag script',
      'tag iframe',
      'a refresh',
      'a style sheet that loads',
      'attribute img.src',
      'tag svg',
      'a link to data:',
    ])
      expect(found).toContain(sign)
  })

  test('line breaks in mail headers', async () => {
    const mail = ofChannel('mail')[0] as Extract<Received, { channel: 'mail' }>
    const sources = ['Bcc: x@evil.example', 'X-Eyes: 1', 'Reply-To: x@evil.example, y@evil.example', 'Subject: another'].map((line) =>
      mail.source.replace('Subject:', `${line}\r\nSubject:`),
    )
    for (const source of [...sources, mail.source.replace('Subject:', 'X: 1\nSubject:')])
      expect(judged([{ ...mail, source, mail: await PostalMime.parse(source) }])).not.toEqual([])
    expect(judged([{ ...mail, mail: { ...mail.mail, subject: 'a\u202eb' } }])).not.toEqual([])
  })

  test('push messages, deliveries, pages and responses that link or load from elsewhere', () => {
    const [push, webhook, page] = [ofChannel('push')[0], ofChannel('webhook')[0], ofChannel('page').find(({ html }) => html !== '')]
    if (!push || !webhook || !page) throw new Error('nothing was received')
    const broken = (change: Record<string, string>) => {
      const headers = new Headers(page.headers)
      for (const [name, value] of Object.entries(change)) headers.set(name, value)
      return { ...page, headers }
    }
    const route = routeAt('GET', '/settings/public')
    const css = 'a{background:url(https://evil.example/x)}'
    const banner = { description_rendered: '<img src="https://evil.example/x" onerror="x()">', ctaButtons: [{ link: 'javascript:x()' }] }
    const weak: Received[] = [
      { ...push, message: { ...push.message, url: 'https://evil.example/' } },
      { ...push, message: { ...push.message, title: 'a\u202eb' } },
      { ...push, message: { ...push.message, icon: 'https://evil.example/' } },
      { ...webhook, headers: { ...webhook.headers, 'x-eyes': '1' } },
      { ...webhook, body: { data: { message_rendered: '<script>x()</script>' } } },
      broken({ 'content-type': 'text/html', 'content-security-policy': "default-src 'none'; img-src https:" }),
      broken({ 'x-title': 'eyes1x' }),
      { ...page, headers: new Headers({ ...Object.fromEntries(page.headers), 'content-type': 'text/html' }), html: '<p onclick=x()>' },
      { channel: 'guests', from: '/settings/public', route, body: { data: { appearance: { custom_css: css } } } },
      { channel: 'guests', from: '/settings/public', route, body: { data: { appearance: { welcome_banner: banner } } } },
    ]
    expect(weak.filter((one) => judged([one]).length === 0)).toEqual([])
  })

  test('a wrong table', () => {
    const wrong: Reach = { ...REACH, manage_webhooks: { 'webhooks.create': ['mail'] } }
    expect(differencesOf(wrong, REACH)).toEqual([
      'manage_webhooks: webhooks.create → staff is not in the table',
      'manage_webhooks: webhooks.update → staff is not in the table',
    ])
    expect(differencesOf(REACH, wrong)).toEqual([
      'manage_webhooks: webhooks.create → mail is not in the table',
      'manage_webhooks: webhooks.update reached nobody',
    ])
    expect(strayIn({ manage_webhooks: { 'webhooks.create': ['mail'], 'webhooks.update': ['staff'] } })).toEqual([
      'manage_webhooks: webhooks.create → mail',
    ])
  })
})
