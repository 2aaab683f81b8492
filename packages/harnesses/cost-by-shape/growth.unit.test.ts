import { GROWTH_ALLOWANCE, MAX_GROWTH, render } from '@lyceum/content'
import { MESSAGE_BYTES } from '@lyceum/contract'
import { expect, test } from 'vitest'
import { SOAK } from '#test/scale.ts'
import { cutToBytes, HTML_SHAPES, MARKDOWN_SHAPES, TEXT_SHAPES, textOf } from './shapes.ts'

const LENGTH = SOAK > 1 ? MESSAGE_BYTES : 3000
const STEP = SOAK > 1 ? 1 : 2
const MENTION = /<a class="mention" href="\/u\/([a-z0-9_-]+)"/g

test.each(['text', 'html'] as const)(
  'a message as %s grows at most fourfold, and renders identically again',
  { timeout: 120_000 },
  (type) => {
    for (const [i, shape] of [...MARKDOWN_SHAPES, ...HTML_SHAPES, ...TEXT_SHAPES].entries()) {
      if (i % STEP !== 0) continue
      const source = cutToBytes(textOf(shape, LENGTH), LENGTH)
      const html = render(source, type, { mentions: { has: () => true } })
      expect([shape.name, html.length <= MAX_GROWTH * source.length + GROWTH_ALLOWANCE]).toEqual([shape.name, true])
      const shown = new Set([...html.matchAll(MENTION)].map(([, name = '']) => name))
      expect([shape.name, render(source, type, { mentions: shown }) === html]).toEqual([shape.name, true])
    }
  },
)

test('a limited number of URLs and mentions become links, the rest stays text', () => {
  const addresses = render('a@b.co '.repeat(MESSAGE_BYTES / 7), 'text')
  expect(addresses.match(/<a /g)).toHaveLength(100)
  expect(addresses.match(/a@b\.co(?= |<)/g)).toHaveLength(Math.floor(MESSAGE_BYTES / 7))
  expect(addresses.length).toBeLessThan(MAX_GROWTH * MESSAGE_BYTES)
  const mentions = `${'@bob '.repeat(150)}${'word '.repeat(1000)}`
  for (const type of ['text', 'html'] as const)
    expect(render(mentions, type, { mentions: new Set(['bob']) }).match(/class="mention"/g)).toHaveLength(100)
})

test('a text that would grow too much keeps its words and loses its tags', () => {
  const html = render('`a` '.repeat(3000), 'text')
  expect(html).toContain('<code>a</code>')
  expect(html.replace(/<[^>]*>/g, '').trim()).toBe('a '.repeat(3000).trim())
  const signs = render('&'.repeat(9000), 'text')
  expect(signs.length <= MAX_GROWTH * 9000 + GROWTH_ALLOWANCE && /^(?:&amp;)+$/.test(signs)).toBe(true)
})
