import { expect, test } from 'vitest'
import { cleanText, hasNul } from './unicode.ts'

test('cleanText replaces lone surrogates and nothing else', () => {
  expect(cleanText('a\ud800b\udc00c')).toBe('a\ufffdb\ufffdc')
  for (const text of ['', 'plain', '😀', 'e\u0301', 'a\u0000b', '\u202e']) expect(cleanText(text)).toBe(text)
})

test('hasNul finds U+0000 anywhere', () => {
  expect(['\0', 'a\0', '\0a', 'a\u0000b'].every(hasNul)).toBe(true)
  expect(['', 'a', '\\0', '\u0001', '%00'].some(hasNul)).toBe(false)
})
