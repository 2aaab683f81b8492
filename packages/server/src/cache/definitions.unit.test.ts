import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineCache } from './lru-store.ts'

/** Layers that are worth their memory: more caches would hold the same data again. */
const MOST = 15
const SOURCES = join(import.meta.dirname, '..')

test('a few caches are defined, each once', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('.test.'),
  )
  const names = sources.flatMap((path) => [
    ...readFileSync(join(SOURCES, path), 'utf8')
      .matchAll(/= defineCache(?:<[^\n]*?>)?\(\{\s*name: '([^']+)'/g)
      .map(([, name]) => name),
  ])
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(10)
  expect(names.length).toBeLessThanOrEqual(MOST)
})

test('two caches of one name are refused', () => {
  defineCache({ name: 'test twice', maxEntries: 1 })
  expect(() => defineCache({ name: 'test twice', maxEntries: 1 })).toThrow('defined twice')
})
