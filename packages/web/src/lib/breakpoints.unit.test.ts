import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BREAKPOINTS } from './breakpoints.ts'

test('style sheets use the listed breakpoints only', () => {
  const listed = Object.values(BREAKPOINTS).map((rem) => `${rem}rem`)
  const used = globSync('packages/web/src/**/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/@media[^{]*\bwidth (?:<|>=) ([\d.]+\w+)/g)].map(([, width]) => ({ file, width })),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter(({ width = '' }) => !listed.includes(width))).toEqual([])
})
