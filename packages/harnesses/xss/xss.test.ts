import { ALLOWED, enforce } from '@lyceum/content'
import sanitizeHtml from 'sanitize-html'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unsafeParts } from '#test/html-oracle.ts'
import { report, SOAK } from '#test/scale.ts'
import { findChromium } from '#test/services/programs.ts'
import { FAMILY_NAMES, PAYLOADS, type Payload, somePayloads } from '#test/xss-payloads/index.ts'
import { nameOf } from '../ssrf/fields.ts'
import { type Hit, type Shown, startTrial, type Trial } from './browser.ts'
import { makeStage, type Stage } from './fields.ts'
import { papersOf } from './mail-texts.ts'
import { mailsAbout, pagesAbout, pagesAt } from './own-pages.ts'
import { createCollection } from './shown.ts'
import { type Figures, fillSink, findSinks, type Sink } from './sinks.ts'
import { writtenTree } from './trees.ts'

/** Short runs use one payload of each family; soak runs use many, and finally all. */
const SOME = somePayloads(SOAK === 1 ? FAMILY_NAMES.length : 44 * SOAK)
const TIMEOUT_MS = 3 * 3_600_000

/** Fields that are accepted but never shown, or are aliases of a field in the same request. */
const NOT_SHOWN = new Set([
  'auth.register password',
  'batch.run requests.0.body.url',
  'comments.create message',
  'comments.update message',
  'migrations.saveConfig application_password',
  'migrations.start map.url',
  'profiles.update short_description',
  'reactions.toFeed react_type',
  'settings.save topics.url',
  'settings.saveFeatures gif_api_key',
  'settings.saveFeatures features.gif_api_key',
  // Replaced by the host of the link.
  'feeds.create meta.preview.provider',
  'feeds.update meta.preview.provider',
  // Shown for questions without options, and in responses to the creation of a space with custom client data.
  'lessons.update quiz.questions.0.correct_answer',
  'spaces.create meta_settings.url',
])
/** Replaced by a drawing. */
const REPLACED = /\.emoji$/
const few = <T>(list: readonly T[], most: number): readonly T[] => {
  const step = Math.max(1, list.length / most)
  return Array.from({ length: Math.min(list.length, most) }, (_, i) => list[Math.floor(i * step)] as T)
}
const lines = (hits: readonly Hit[]) => hits.map(({ what, from, of }) => `${what} | ${from} | ${of}`)
const ran = (hits: readonly Hit[]) => hits.filter(({ what }) => what.startsWith('ran '))

let stage: Stage
let trial: Trial
/** The least strict policy of the server's own pages. */
let policy = ''
beforeAll(async () => {
  stage = await makeStage()
  policy = (await stage.world.request('GET', '//docs')).headers.get('content-security-policy') ?? ''
}, 120_000)
afterAll(() => stage.world.close())

const showing = new Map<string, Set<string>>()
const collection = createCollection()

/** In a short run fields that render HTML get every second payload, the others one. */
const payloadsFor = ({ places }: Sink, index: number): readonly Payload[] => {
  if (SOAK > 1) return SOME
  const renders = places.some(({ field }) => [...(showing.get(nameOf(field)) ?? [])].some((how) => how.startsWith('html')))
  if (renders) return SOME.filter((_, i) => i % 2 === index % 2)
  return [SOME[index % SOME.length] as Payload]
}

test('every field of every operation accepts payloads, and no response has an active one', { timeout: TIMEOUT_MS }, async () => {
  const { sinks, shown, unmet } = await findSinks(stage)
  for (const [name, how] of shown) showing.set(name, new Set(how))
  const figures: Figures = { requests: 0, taken: 0, refused: 0, failures: [] }
  expect(unmet.filter((name) => !NOT_SHOWN.has(name) && !REPLACED.test(name))).toEqual([])
  for (const [index, sink] of sinks.entries()) await fillSink(stage, sink, payloadsFor(sink, index), collection, figures)
  const values = collection.all()
  const html = values.filter(({ kind }) => kind === 'html')
  const ticker = /^GET \/activities /
  const unsafe = html.flatMap(({ value, from }) =>
    unsafeParts(value)
      // Our own activity lines: links without a rel attribute.
      .filter((part) => !(ticker.test(from) && part === 'link without rel'))
      .map((part) => `${part} in ${from}: ${value.slice(0, 200)}`),
  )
  const leading = values.filter(
    ({ kind, value }) => kind === 'address' && value !== '' && !/^(?:https?:\/\/|\/(?!\/))[^\s"<>\\]*$/i.test(value),
  )

  expect(figures.failures).toEqual([])
  expect(unsafe.slice(0, 10)).toEqual([])
  expect(leading.map(({ value, from }) => `${from}: ${value}`).slice(0, 10)).toEqual([])
  const rendered = [...shown].filter(([, how]) => [...how].some((one) => one.startsWith('html')))
  report({
    payloads: SOME.length,
    operations: sinks.length,
    fields: shown.size,
    'met in answers': [...shown.values()].filter((how) => how.size > 0).length,
    'as HTML': rendered.length,
    unmet: unmet.length,
    requests: figures.requests,
    taken: figures.taken,
    refused: figures.refused,
    'different values shown': values.length,
  })
  expect(rendered.length).toBeGreaterThan(12)
})

describe.skipIf(!findChromium())('in a browser', () => {
  beforeAll(async () => {
    trial = await startTrial()
  }, 60_000)
  afterAll(() => trial?.close())

  test('nothing in a response executes, navigates or loads more than pictures', { timeout: TIMEOUT_MS }, async () => {
    const shown = few(collection.all(), SOAK === 1 ? 120 : Number.POSITIVE_INFINITY)
    const html = shown.filter(({ kind }) => kind === 'html')
    const hits = {
      off: [...(await trial.fragments(shown, null)), ...(await trial.written(html, null))],
      on: [...(await trial.fragments(shown, policy)), ...(await trial.written(html, policy))],
    }
    expect(lines(hits.off).slice(0, 10)).toEqual([])
    expect(lines(hits.on).slice(0, 10)).toEqual([])
    const ours = html.filter(({ from }) => !from.startsWith('GET /activities '))
    const values = ours.map(({ value, from }) => ({ value: value.toWellFormed(), tree: writtenTree(value), from }))
    const wrong = await trial.trees(values)
    expect(wrong.map((one) => ({ ...values[one.index], ...one })).slice(0, 5)).toEqual([])
    report({
      'values in a browser': shown.length,
      'as HTML': html.length,
      'ran without a policy': ran(hits.off).length,
      'stopped by a policy': hits.on.length,
    })
  })

  test('neither do pages and mails of the server', { timeout: TIMEOUT_MS }, async () => {
    const addressed = await Promise.all(few(SOME, SOAK === 1 ? 1 : 100).map(({ text }) => pagesAt(stage, text)))
    expect(addressed.flatMap(({ faults }) => faults)).toEqual([])
    const mails = await mailsAbout(stage, few(SOME, SOAK === 1 ? 2 : 200))
    const papers = few(SOME, SOAK === 1 ? 1 : 40).flatMap(({ text }) =>
      Object.entries(papersOf(text)).map(([from, { html, policy: own }]) => ({ from, html, policy: own ?? policy })),
    )
    const about = await pagesAbout(stage)
    const most = SOAK === 1 ? 4 : Number.POSITIVE_INFINITY
    const own = addressed.flatMap(({ pages }) => pages)
    const letters = mails.map((mail) => ({ ...mail, policy }))
    const sent = [...few(own, most), ...few(letters, most), ...few(papers, most), ...about]
    for (const withPolicy of [false, true]) expect(lines(await trial.pages(sent, withPolicy)).slice(0, 10)).toEqual([])
    expect(mails.length).toBeGreaterThan(4)
    expect(about.some(({ from }) => from.startsWith('/certificates/'))).toBe(true)
    report({ 'pages and mails opened': sent.length, 'of them mails that were sent': mails.length, ran: 0 })
  })

  describe('controls: the checks detect', () => {
    const asShown = (from: string, values: readonly string[]): Shown[] => values.map((value) => ({ kind: 'html', value, from }))
    /** Everything that a payload says, in the sanitizer's spelling. */
    const spelled = (text: string) =>
      sanitizeHtml(text, {
        allowedTags: false,
        allowedAttributes: false,
        allowVulnerableTags: true,
        allowedSchemesAppliedToAttributes: [],
        selfClosing: ['img', 'br', 'hr'],
      })
    const acting = PAYLOADS.filter(({ family }) => family === 'handlers' || family === 'inHtml')

    /** Detected without a policy, and blocked by the server's own. */
    const noticed = async (values: readonly Shown[], least: number) => {
      const [off, on] = [await trial.fragments(values, null), await trial.fragments(values, policy)]
      expect(ran(off).length).toBeGreaterThanOrEqual(least)
      expect(ran(on)).toEqual([])
      expect(on.some(({ what }) => what.startsWith('violation script-src'))).toBe(true)
    }
    const damaged = async (element: string, attribute: string, act: () => Promise<void>) => {
      const rules = ALLOWED.get(element)?.attributes as Record<string, (value: string) => string | null>
      const before = rules[attribute]
      rules[attribute] = (value) => value
      try {
        await act()
      } finally {
        if (before) rules[attribute] = before
        else delete rules[attribute]
      }
    }

    test('payloads without sanitizing', { timeout: TIMEOUT_MS }, async () => {
      const families = ['handlers', 'scripts', 'foreign', 'comments', 'unicode', 'mutations', 'markdown']
      const raw = PAYLOADS.filter(({ family }) => families.includes(family)).filter((_, i) => SOAK > 1 || i % 30 === 0)
      const hits = ran(
        await trial.fragments(
          asShown(
            'nothing',
            raw.map(({ text }) => text),
          ),
          null,
        ),
      )
      expect(new Set(hits.map(({ of }) => of)).size).toBeGreaterThan(raw.length / 5)
      report({ 'payloads as they are': raw.length, 'that ran': new Set(hits.map(({ of }) => of)).size })
    })

    test('an allowlist with event handlers', { timeout: TIMEOUT_MS }, () =>
      damaged('img', 'onerror', () => {
        const direct = [100, 101, 102].map((number) => enforce(`<img src="https://e.example/i.png" onerror="alert(${number})" />`))
        return noticed(asShown('handlers', [...acting.slice(0, 60).map(({ text }) => enforce(spelled(text))), ...direct]), 3)
      }),
    )

    test('an allowlist with every scheme', { timeout: TIMEOUT_MS }, () =>
      damaged('a', 'href', () =>
        noticed(
          asShown(
            'schemes',
            few(
              acting.filter(({ text }) => /script:/i.test(text)),
              SOAK === 1 ? 40 : 400,
            ).map(({ text }) => enforce(spelled(text))),
          ),
          3,
        ),
      ),
    )

    test('an escaper that leaves quotes', { timeout: TIMEOUT_MS }, async () => {
      const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
      const values = PAYLOADS.filter(({ family }) => family === 'breakouts').map(
        ({ text }) => `<p title="${escaped(text)}" tabindex="1">x</p>`,
      )
      await noticed(asShown('quotes', values), 5)
    })

    test('a page and a mail', { timeout: TIMEOUT_MS }, async () => {
      const text = 'PLACE'
      const broken = Object.entries(papersOf(text)).map(([from, { html, policy: own }]) => ({
        from,
        // Some show it in their title only.
        html: html.replaceAll(text, '</title><img src=x onerror=alert(100)>'),
        policy: own ?? policy,
      }))
      const some = few(broken, SOAK === 1 ? 3 : broken.length)
      expect(new Set(ran(await trial.pages(some, false)).map(({ from }) => from)).size).toBe(some.length)
      expect(ran(await trial.pages(some, true))).toEqual([])
    })

    test('HTML that browsers parse differently than written', async () => {
      const tree = ' (p "a" (div "b"))'
      const wrong = await trial.trees([
        { value: '<p>a<div>b</div></p>', tree },
        { value: '<table><tr><td>a</td></tr></table>', tree: ' (table (tbody (tr (td "a"))))' },
      ])
      expect(wrong.map(({ index }) => index)).toEqual([0])
    })
  })
})
