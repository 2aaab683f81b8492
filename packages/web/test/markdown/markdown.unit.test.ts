import { render } from '@lyceum/content'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { report, SOAK } from '../../../server/test-support/scale.ts'
import { childrenOf, type EditorNode } from '../../src/features/feeds/markdown/document.ts'
import { isUnsupportedByEditor, parseMarkdown } from '../../src/features/feeds/markdown/parse.ts'
import { plainToMarkdown } from '../../src/features/feeds/markdown/plain.ts'
import { serializeMarkdown } from '../../src/features/feeds/markdown/serialize.ts'
import { anyDocument, anyMarkdown, typedDocument } from './documents.ts'
import { type Shown, shownOfDocument, shownOfHtml } from './shown.ts'

const RUNS = 150 * SOAK
const TIMEOUT = 60_000 * SOAK

/** A text as it is published, where everybody is known who is mentioned, or nobody; line breaks count in comments. */
const published = (source: string, known: boolean, of: 'post' | 'comment' = 'post') =>
  render(source, of === 'post' ? 'markdown' : 'text', { mentions: { has: () => known } })

/** Names are written in lower case where they are known. */
const compared = (shown: readonly Shown[], known: boolean) => {
  const text = JSON.stringify(shown, null, 1)
  return known ? text.toLowerCase() : text
}

const paragraphs = (...texts: string[]): EditorNode => ({
  type: 'doc',
  content: texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
})

const showsTyped = (serialize: (doc: EditorNode) => string) =>
  fc.property(typedDocument, fc.boolean(), (doc, known) => {
    const html = published(serialize(doc), known)
    expect(compared(shownOfHtml(html), known)).toBe(compared(shownOfDocument(doc), known))
    expect(html.replace(/<\/?(?:p|a|br)\b[^<>]*>/g, '')).not.toMatch(/<[a-z/]/)
  })

describe('the editor shows what is published', () => {
  it(
    'any text that is typed',
    () => {
      fc.assert(showsTyped(serializeMarkdown), { numRuns: RUNS })
      report({ texts: RUNS })
    },
    TIMEOUT,
  )

  it(
    'any document, which is also parsed back unchanged',
    () => {
      fc.assert(
        fc.property(anyDocument, fc.boolean(), (doc, known) => {
          const source = serializeMarkdown(doc)
          expect(compared(shownOfHtml(published(source, known)), known)).toBe(compared(shownOfDocument(doc), known))
          expect(shownOfDocument(parseMarkdown(source))).toEqual(shownOfDocument(doc))
          expect(published(source, known, 'comment')).toBe(published(source, known))
          expect(shownOfDocument(parseMarkdown(source, { breaks: true }))).toEqual(shownOfDocument(doc))
        }),
        { numRuns: RUNS },
      )
      report({ documents: RUNS })
    },
    TIMEOUT,
  )

  it(
    'any published Markdown that is edited',
    () => {
      fc.assert(
        fc.property(anyMarkdown, (written) => {
          const source = written.replace(/(?![\t\n\r])\p{Cc}/gu, '')
          if (isUnsupportedByEditor(source)) return
          const again = serializeMarkdown(parseMarkdown(source))
          expect(compared(shownOfHtml(published(again, true)), true)).toBe(compared(shownOfHtml(published(source, true)), true))
        }),
        { numRuns: RUNS },
      )
      report({ edited: RUNS })
    },
    TIMEOUT,
  )

  it('control: a serializer that escapes nothing, or only common characters, is detected', () => {
    const raw = (doc: EditorNode) => childrenOf(doc).map((block) => childrenOf(block)[0]?.text ?? '')
    const nothing = (doc: EditorNode) => raw(doc).join('\n\n')
    const usual = (doc: EditorNode) =>
      raw(doc)
        .map((text) => text.replace(/[\\`*_~[\]<]/g, '\\$&'))
        .join('\n\n')
    expect(fc.check(showsTyped(nothing), { numRuns: 150 }).failed).toBe(true)
    expect(fc.check(showsTyped(usual), { numRuns: 150 }).failed).toBe(true)
  })
})

describe('a typed URL', () => {
  it.each([
    ['https://en.wikipedia.org/wiki/Sourdough_bread_baking is good', 'https://en.wikipedia.org/wiki/Sourdough_bread_baking'],
    ['see https://example.org/a*b*c.', 'https://example.org/a*b*c'],
    ['(https://example.org/~~x~~_y_)', 'https://example.org/~~x~~_y_'],
    ['https://example.org/a_(b)_c?d=1&copy=2#e_f', 'https://example.org/a_(b)_c?d=1&copy=2#e_f'],
    ['www.example.org/a_b', 'http://www.example.org/a_b'],
    ['www.example.org/_a_*b*', 'http://www.example.org/_a_*b*'],
    ['"https://example.org/_a_b"', 'https://example.org/_a_b'],
  ])('%s is linked as a whole', (text, address) => {
    const html = published(serializeMarkdown(paragraphs(text)), false)
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&'))).toEqual([address])
    expect(shownOfHtml(html)).toEqual(shownOfDocument(paragraphs(text)))
  })
})

describe('plain text', () => {
  it.each([
    ['# a\n* b', '<p># a<br />\n* b</p>'],
    ['1. a\n\n\n_b_', '<p>1. a</p>\n<p>_b_</p>'],
    ['a\r\n\n> b\n', '<p>a</p>\n<p>&gt; b</p>'],
    ['\n', ''],
  ])('%j stays plain', (text, html) => expect(published(plainToMarkdown(text), false, 'comment')).toBe(html))
})

describe('readable Markdown', () => {
  it.each([
    ['# hash first', '\\# hash first'],
    ['1) x', '1\\) x'],
    ['+ x', '\\+ x'],
    ['> x', '\\> x'],
    ['3 < 4, a & b, snake_case, 50%', '3 < 4, a & b, snake_case, 50%'],
    ['#garden and @ada_lovelace', '#garden and @ada_lovelace'],
    ['See https://example.org/a_b, please.', 'See https://example.org/a_b, please.'],
    ['Hello @ada_ and @ben!', 'Hello @ada_ and @ben!'],
  ])('%s', (text, markdown) => expect(serializeMarkdown(paragraphs(text))).toBe(markdown))

  it.each([
    '- a\n- b\n  1. c\n  2. d',
    '> a\n>\n> b',
    '## a\n\n**b** _c_ ~~d~~ `e` [f](https://example.org "g")',
    '```ts\nh\n```',
    'a\\\nb',
  ])('%j is unchanged', (source) => expect(serializeMarkdown(parseMarkdown(source))).toBe(source))
})

it.each(['\u00A0 ', 'a@b.c ', '*a', '[a](b) ', 'x\\\n'])('a long text of %j is parsed and serialized in linear time', (shape) => {
  const text = shape.repeat(15_000 / shape.length)
  const begin = performance.now()
  serializeMarkdown(parseMarkdown(text))
  expect(performance.now() - begin).toBeLessThan(2500)
})
