import { expect, test } from 'vitest'
import { isNestedDeeper } from './nested-json.ts'

test('levels are counted outside of texts', () => {
  expect(isNestedDeeper('[{"a":[]}]', 3)).toBe(false)
  expect(isNestedDeeper('[{"a":[]}]', 2)).toBe(true)
  expect(isNestedDeeper('[[],[],{},{}]', 2)).toBe(false)
  expect(isNestedDeeper(JSON.stringify(['[[[{{{', '\\"[[[', '"[[[']), 1)).toBe(false)
  expect(isNestedDeeper('"unfinished [[[', 1)).toBe(false)
})
