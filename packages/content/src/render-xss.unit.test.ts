import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALLOWED_TAGS, ATTRIBUTES, MARKS, OTHER_TAGS, WORDS } from '#test/document-pieces.ts'
import { readmes, unsafeParts } from '#test/html-oracle.ts'
import { PAYLOADS, somePayloads } from '#test/xss-payloads/index.ts'
import { mentionedUsernames } from './mention-extract.ts'
import { plainText } from './plain-text.ts'
import { type ContentType, render } from './render.ts'
import { sanitize } from './sanitize.ts'

const TYPES: ContentType[] = ['text', 'markdown', 'html']
const OPTIONS = [{ mentions: { has: () => true } }, { mentions: { has: () => true }, origin: 'https://own.example' }]

/** Describes the problem of the rendered source; '' if there is none. */
function trouble(source: string, type: ContentType): string {
  for (const options of OPTIONS) {
    const html = render(source, type, options)
    const problems = unsafeParts(html)
    if (problems.length > 0) return `${problems.join(', ')} in ${html}`
    const again = sanitize(html)
    if (again !== html) return `not stable: ${html} → ${again}`
  }
  return ''
}

/** Of each family, and those that changed their meaning in a sanitizer, inside of others as well. */
const payloads = [
  ...somePayloads(600),
  ...PAYLOADS.filter(({ family }) => family === 'mutations' || family === 'mixed').flatMap(({ text, ...payload }) =>
    [`<p title="${text}">${text}</p>`, `<table><tr><td>${text}</td><svg>${text}</svg></table>*${text}`].map((outer) => ({
      ...payload,
      text: outer,
    })),
  ),
].map(({ text }) => text)

describe('cross-site scripting', () => {
  test('the check itself finds the payloads dangerous', () => {
    const dangerous = payloads.filter((payload) => unsafeParts(payload).length > 0)
    console.log(`${payloads.length} payloads, ${dangerous.length} of them dangerous as HTML, ${new Set(payloads).size} different`)
    expect(new Set(payloads).size).toBeGreaterThan(600)
    expect(dangerous.length).toBeGreaterThan(500)
  })

  test.each(TYPES)('no payload survives as %s', (type) => {
    expect(payloads.map((payload) => [payload, trouble(payload, type)]).filter(([, problem]) => problem)).toEqual([])
  })

  test.each(TYPES)('nor two payloads in a row as %s', (type) => {
    const pairs = payloads.map((payload, i) => payload + payloads[(i * 7 + 13) % payloads.length])
    expect(pairs.map((pair) => [pair, trouble(pair, type)]).filter(([, problem]) => problem)).toEqual([])
  })

  test('nor the text of a payload, rendered again', () => {
    for (const payload of payloads) expect(trouble(plainText(render(payload, 'markdown')), 'html')).toBe('')
  })
})

const tagName = fc.constantFrom(...ALLOWED_TAGS, ...OTHER_TAGS)
const attribute = fc.constantFrom('', ...ATTRIBUTES.map((text) => ` ${text}`))
const words = fc.constantFrom(...WORDS)
const htmlPiece = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(tagName, fc.array(attribute, { maxLength: 3 })).map(([name, list]) => `<${name}${list.join('')}>`) },
  { weight: 3, arbitrary: tagName.map((name) => `</${name}>`) },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
)
const markdownPiece = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: htmlPiece },
)

describe('random documents are safe and stable', () => {
  test('html', () => {
    const document = fc.array(htmlPiece, { maxLength: 40, size: 'max' }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(document, (source) => {
        expect(trouble(source, 'html')).toBe('')
      }),
      { numRuns: 2500 },
    )
  })

  test('markdown', () => {
    const document = fc.array(markdownPiece, { maxLength: 60, size: 'max' }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(document, fc.constantFrom<ContentType>('text', 'markdown'), (source, type) => {
        expect(trouble(source, type)).toBe('')
        mentionedUsernames(source, type)
      }),
      { numRuns: 2500 },
    )
  })

  test('html that was rendered and is sent in again', () => {
    const document = fc.array(markdownPiece, { maxLength: 40, size: 'max' }).map((pieces) => render(pieces.join(''), 'markdown'))
    fc.assert(
      fc.property(document, (source) => {
        expect(render(source, 'html')).toBe(source)
      }),
      { numRuns: 500 },
    )
  })
})

test('every README of 15,000 bytes at most renders to safe HTML', () => {
  const all = readmes()
  const started = performance.now()
  for (const { name, text } of all) for (const type of TYPES) expect([name, type, trouble(text, type)]).toEqual([name, type, ''])
  console.log(`${all.length} READMEs in ${(performance.now() - started).toFixed(0)} ms`)
  expect(all.length).toBeGreaterThan(50)
})
