import { expect, test } from 'vitest'
import { splitHeading } from './lesson-page.ts'

test.each([
  ['# Trees\nText', 'Trees', 'Text'],
  ['\n\n#\tTrees \r\nText', 'Trees', 'Text'],
  ['# Trees ##\nText', 'Trees', 'Text'],
  ['# From C to C#\nText', 'From C to C#', 'Text'],
  ['# Trees', 'Trees', ''],
  ['# ###\nText', '', 'Text'],
  ['## Trees\nText', '', '## Trees\nText'],
  ['#Trees\nText', '', '#Trees\nText'],
])('the heading of %j', (body, heading, rest) => {
  expect(splitHeading(body)).toEqual({ heading, rest })
})

test('endless punctuation takes no noticeable time', () => {
  const body = `# ${'#'.repeat(1_000_000)}!`
  const begun = performance.now()
  expect(splitHeading(body).heading).toHaveLength(1_000_001)
  expect(performance.now() - begun).toBeLessThan(500)
})
