import { ALLOWED, type ContentType, enforce, render } from '@lyceum/content'
import { describe, expect, test } from 'vitest'
import { unsafeParts } from '#test/html-oracle.ts'
import { createRandom } from '#test/random.ts'
import { report, SOAK } from '#test/scale.ts'
import { FAMILY_NAMES, PAYLOADS, somePayloads } from '#test/xss-payloads/index.ts'
import { startTrial } from './browser.ts'
import { type RandomDocument, randomDocument, shrinkDocument } from './documents.ts'
import { papersOf, partsOf } from './mail-texts.ts'
import { writtenTree } from './trees.ts'
import { OURS, type Renderer, troubleOf, troubleWith } from './trouble.ts'

const SEED = Number(process.env['LYCEUM_TEST_SEED']) || 20261122
const DOCUMENTS = SOAK === 1 ? 800 : 2000 * SOAK
/** Browsers are tested where available; soak runs require them. */
const IN_BROWSER = SOAK > 1
const TYPES: readonly ContentType[] = ['text', 'markdown', 'html']

const sourceOf = ({ pieces }: RandomDocument) => pieces.join('')

/** The first document with a problem, shrunk. */
const firstTrouble = async (count: number, troubleIn: (document: RandomDocument) => string | null): Promise<string | null> => {
  const random = createRandom(SEED)
  for (let i = 0; i < count; i++) {
    const document = randomDocument(random)
    if (!troubleIn(document)) continue
    const small = await shrinkDocument(document, (one) => troubleIn(one) !== null)
    return `seed ${SEED}, document ${i}: ${JSON.stringify(sourceOf(small))}: ${troubleIn(small)}`
  }
  return null
}
const troubleIn = (document: RandomDocument, renderer: Renderer = OURS) => troubleOf(sourceOf(document), document.type, renderer)

/** HTML whose DOM in a browser differs from its source. */
const misread = async (htmls: readonly string[]) => {
  const trial = await startTrial()
  const values = htmls.map((html) => ({ value: html.toWellFormed(), tree: writtenTree(html) }))
  const wrong = await trial.trees(values)
  await trial.close()
  return wrong.map(({ index, place, found }) => ({ ...values[index], place, found }))
}

test('the payloads are many, distinct, and of all families', () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(2000)
  expect(new Set(PAYLOADS.map(({ text }) => text)).size).toBe(PAYLOADS.length)
  expect(new Set(somePayloads(1).map(({ family }) => family))).toEqual(new Set(FAMILY_NAMES))
  expect(somePayloads(PAYLOADS.length)).toBe(PAYLOADS)
  expect(PAYLOADS.filter(({ text }) => unsafeParts(text).length > 0).length).toBeGreaterThan(1500)
})

describe('rendered content', () => {
  test('contains nothing of any payload, and is unchanged when it is rendered or sanitized again', () => {
    const payloads = SOAK === 1 ? somePayloads(500) : PAYLOADS
    const troubles = payloads.flatMap(({ text }) => TYPES.flatMap((type) => troubleOf(text, type) ?? []))
    expect(troubles.slice(0, 10)).toEqual([])
    report({ payloads: payloads.length, formats: TYPES.length, unsafe: troubles.length })
  })

  test('random documents are safe, and browsers parse them to the tree they were written as', { timeout: 1_800_000 }, async () => {
    const began = performance.now()
    expect(await firstTrouble(DOCUMENTS, troubleIn)).toBe(null)
    const random = createRandom(SEED)
    const documents = Array.from({ length: IN_BROWSER ? DOCUMENTS : 0 }, () => randomDocument(random))
    const htmls = documents.map((document) => render(sourceOf(document), document.type))
    const wrong = IN_BROWSER ? await misread(htmls) : []
    expect(wrong.slice(0, 5)).toEqual([])
    report({
      documents: DOCUMENTS,
      unsafe: 0,
      ...(IN_BROWSER && { 'read by a browser in four places': htmls.length, 'read otherwise': wrong.length }),
      seconds: Math.round((performance.now() - began) / 1000),
      seed: String(SEED),
    })
  })

  test('control: a weakened allowlist or sanitizer is detected', async () => {
    const rules = ALLOWED.get('img')?.attributes as Record<string, (value: string) => string | null>
    rules['onerror'] = (value) => value
    try {
      expect(troubleWith(enforce('<img src="https://e.example/i.png" onerror="alert(1)" />'))).toMatch(/onerror/)
    } finally {
      delete rules['onerror']
    }
    const decoding: Renderer = { ...OURS, render: (source, type, options) => render(source, type, options).replaceAll('&lt;', '<') }
    const unstable: Renderer = { ...OURS, sanitize: (html) => OURS.sanitize(html.replaceAll('&amp;', '&')) }
    const unbalanced: Renderer = { ...OURS, render: (source, type, options) => render(source, type, options).replace('</p><p>', '<p>') }
    const faults = await Promise.all(
      [decoding, unstable, unbalanced].map((renderer) => firstTrouble(2000, (document) => troubleIn(document, renderer))),
    )
    expect(faults.map((fault) => fault !== null)).toEqual([true, true, true])
    // The report is short enough to read.
    for (const fault of faults) expect(fault?.length).toBeLessThan(1500)
  })
})

describe('pages and mails of the server', () => {
  const plain = ['Ana', 'Two words\n\nand lines', 'A longer text, of which there is more than one line\nwith @ana'].map(papersOf)
  const known = new Map(
    Object.keys(plain[0] ?? {}).map((name) => [name, plain.flatMap((papers) => [...partsOf(papers[name]?.html ?? '')])]),
  )

  /** Parts of a page or mail that do not occur with plain texts. */
  const added = (name: string, html: string) => [...partsOf(html)].filter((part) => !known.get(name)?.includes(part))

  test('have the same structure whatever the texts in them', () => {
    let papers = 0
    const found = somePayloads(SOAK === 1 ? 18 : 44 * SOAK).flatMap(({ text }) =>
      Object.entries(papersOf(text)).flatMap(([name, { html }]) => {
        papers += 1
        return added(name, html).map((part) => `${name}: ${part} by ${text}`)
      }),
    )
    expect(found.slice(0, 10)).toEqual([])
    report({ 'pages and mails': papers, 'with something more in them': found.length })
  })

  test('controls: unescaped quotes or characters are detected', () => {
    const { html } = papersOf('PLACE').comment ?? { html: '' }
    expect(added('comment', html.replaceAll('PLACE', '<img src=x onerror=alert(1)>'))).not.toEqual([])
    const link = html.replace(/href="[^"]*"/, 'href="https://e.example/" onclick="alert(1)"')
    expect(added('comment', link)).not.toEqual([])
    expect(added('comment', html.replace(/href="[^"]*"/, 'href="javascript:alert(1)"'))).not.toEqual([])
  })
})
