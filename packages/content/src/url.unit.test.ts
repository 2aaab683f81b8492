import { describe, expect, test } from 'vitest'
import { isHttpUrl, isLinkUrl } from './url.ts'

const good = [
  'http://example.com',
  'https://example.com/a/b?c=d&e=[f]#g',
  'HTTPS://EXAMPLE.COM',
  'https://example.com:8443/',
  'http://127.0.0.1:3000/x',
  'http://[::1]/',
  'https://müller.de/ä',
  'https://example.com/%0a',
  `https://example.com/${'a'.repeat(2000)}`,
]

const bad: unknown[] = [
  '',
  'example.com',
  '//example.com',
  '/path',
  'http:example.com',
  'http:/example.com',
  'http:///example.com',
  'https://',
  'https://?x',
  'https://#x',
  'ftp://example.com',
  'javascript:alert(1)',
  'JavaScript://example.com/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://user@example.com',
  'https://user:password@example.com',
  'https://exa mple.com',
  ' https://example.com',
  'https://example.com\n',
  'https://example.com/\u0000',
  'https://example.com/\u0085',
  'https://example.com/\u00a0',
  'https://example.com/\u2028',
  'https://example.com/\u200b',
  'https://example.com/\u202e',
  'https://example.com/\ud800',
  'https:\\\\example.com',
  'https://example.com\\@evil.example',
  'https://example.com/"x',
  'https://example.com/<x>',
  'https://exa%mple.com',
  'https://example.com:99999',
  'https://[::1',
  `https://example.com/${'a'.repeat(2048)}`,
  null,
  undefined,
  1,
  ['https://example.com'],
]

describe('isHttpUrl', () => {
  test.each(good)('accepts %j', (url) => expect(isHttpUrl(url)).toBe(true))
  test.each(bad.map((url) => [url]))('refuses %j', (url) => expect(isHttpUrl(url)).toBe(false))
})

test('a link may also be a mail address', () => {
  const takes = ['https://example.com', 'mailto:ann@example.com', 'MAILTO:ann@example.com?subject=Hi%20Ann']
  const refuses = ['mailto:', 'mailto:ann', 'mailto:@', 'mailto:a@b@c', 'mailto:a b@c', 'mailto:a@b\n', 'tel:112', 'javascript:a@b', '']
  expect(takes.filter(isLinkUrl)).toEqual(takes)
  expect(refuses.filter(isLinkUrl)).toEqual([])
})
