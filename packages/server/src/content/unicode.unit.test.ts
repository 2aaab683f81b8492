import { expect, test } from 'vitest'
import { cleanText } from './unicode.ts'

test('cleanText replaces lone surrogates and nothing else', () => {
  expect(cleanText('a\ud800b\udc00c')).toBe('a\ufffdb\ufffdc')
  for (const text of ['', 'plain', '😀', 'e\u0301', 'a\u0000b', '\u202e']) expect(cleanText(text)).toBe(text)
})
