import { expect, test } from 'vitest'
import { contrast, MIN_CONTRAST, mix, readableOn, textOn } from './colors.ts'

test('contrast is computed as in WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
  expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080')
})

test.each(['#ffd84d', '#256150', '#ff0000', '#ffffff', '#000000', '#7a7a7a', '#2563eb'])(
  '%s is readable, and so is text on it',
  (color) => {
    for (const behind of ['#ffffff', '#eeece7', '#262a32', '#1d2026']) {
      const shade = readableOn(color, behind)
      expect(contrast(shade, behind)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      expect(contrast(textOn(shade), shade)).toBeGreaterThanOrEqual(MIN_CONTRAST)
    }
  },
)
