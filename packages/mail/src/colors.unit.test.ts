import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, mix, readable, textOn } from './colors.ts'
import { themeOf } from './theme.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast is computed as in WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3)
  expect(contrast('#123456', '#123456')).toBe(1)
})

test('mixing interpolates between two colors', () => {
  expect([mix('#000000', '#ffffff', 0), mix('#000000', '#ffffff', 0.5), mix('#000000', '#ffffff', 1)]).toEqual([
    '#000000',
    '#808080',
    '#ffffff',
  ])
})

test('mails are readable with any brand color', () => {
  fc.assert(
    fc.property(color, (given) => {
      const { button, label, accent, tint, dark } = themeOf(given)
      expect(contrast(label, button)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark.label, dark.button)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(button, '#ffffff')).toBeGreaterThanOrEqual(1.4)
      expect(contrast(accent, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark.accent, '#1f2229')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(readable(accent, tint, 4.5), tint)).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 2000 },
  )
})

test('a readable color is unchanged', () => {
  expect(readable('#2563eb', '#ffffff', 4.5)).toBe('#2563eb')
  expect([textOn('#2563eb'), textOn('#ffd84d')]).toEqual(['#ffffff', '#14171d'])
})
