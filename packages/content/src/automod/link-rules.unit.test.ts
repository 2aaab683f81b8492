import { expect, test } from 'vitest'
import { render } from '../render.ts'
import { visibleText } from './extract-text.ts'
import { countExternal, findBlockedDomain, normalizeDomain, urlsIn } from './link-rules.ts'

test.each([
  ['evil.example', 'evil.example'],
  [' Evil.Example. ', 'evil.example'],
  ['*.evil.example', 'evil.example'],
  ['www.evil.example', 'evil.example'],
  ['https://evil.example/path?x=1', 'evil.example'],
  ['http://user@evil.example:8080/', 'evil.example'],
  ['evil.example/path', 'evil.example'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['192.0.2.7', '192.0.2.7'],
  ['evil', ''],
  ['', ''],
  ['evil .example', ''],
  ['-evil.example', ''],
  ['https://', ''],
  ['javascript:alert(1)', ''],
  [`${'a'.repeat(300)}.example`, ''],
])('the domain %j is kept as %j', (text, domain) => {
  expect(normalizeDomain(text)).toBe(domain)
})

const BLOCKED = new Set(['evil.example', 'xn--mnchen-3ya.example', '192.0.2.7'])
const find = (message: string, kind: 'text' | 'markdown' | 'html' = 'markdown', others: string[] = []) => {
  const html = render(message, kind)
  return findBlockedDomain(visibleText(html), urlsIn(html, others), BLOCKED)
}

test.each([
  'https://evil.example',
  'http://EVIL.example/path',
  'https://sub.deep.evil.example/x?y#z',
  'see evil.example now',
  'see www.evil.example.',
  '(evil.example)',
  '[a good link](https://evil.example/)',
  '[another](//evil.example/)',
  '<https://evil.example>',
  '![picture](https://evil.example/p.png)',
  '[x]: https://evil.example\n\n[x]',
  'https://good.example@evil.example/',
  'https://user:pw@evil.example:8443/',
  'https://evil.example./',
  'https://evil。example/',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ',
  'https://ev\u00adil.example/',
  'evil\u200b.example',
  'https://münchen.example/',
  'https://xn--mnchen-3ya.example/',
  'MÜNCHEN.example',
  'https://192.0.2.7/',
  'https://good.example/?to=https%3A%2F%2Fevil.example%2F',
  'https://good.example/out/evil.example',
  'mail me at ana@evil.example',
  'evil . example',
  'evil .example',
  'evil[.]example',
  'evil (dot) example',
  'evil dot example',
])('%j leads to a blocked domain', (message) => {
  expect(find(message)).not.toBeNull()
})

test('HTML is checked too', () => {
  expect(find('<p><a href="https://evil.example/">good</a></p>', 'html')).toBe('evil.example')
  expect(find('<a href="&#104;ttps://sub.evil.example">x</a>', 'html')).toBe('evil.example')
  expect(find('<img src="https://evil.example/x.png" alt="">', 'html')).toBe('evil.example')
  expect(findBlockedDomain('', ['https://evil\n.example/'], BLOCKED)).toBe('evil.example')
  expect(findBlockedDomain('', [' https://ev\til.exam\r\nple/'], BLOCKED)).toBe('evil.example')
  expect(find('ev<!-- x -->il.example', 'html')).toBe('evil.example')
  expect(find('ev<b>il.exa</b>mple', 'html')).toBe('evil.example')
})

test('URLs outside the text are checked too', () => {
  expect(find('Hello', 'text', ['https://evil.example/x.gif'])).toBe('evil.example')
  expect(find('Hello', 'text', ['evil words'])).toBeNull()
})

test.each([
  'https://good.example',
  'https://notevil.example',
  'https://evil.example.org',
  'https://evil.examples',
  'devil.example',
  'evil. Example sentences follow.',
  'a dot, example, or evil',
  'an evil example',
  'evil.example.com is another',
  '',
])('%j is rejected', (message) => {
  expect(find(message)).toBeNull()
})

test('only other sites count', () => {
  const html = render('https://a.example https://a.example https://b.example/x [own](https://own.example/y) [path](/z)', 'markdown')
  expect(countExternal(urlsIn(html, []), 'own.example')).toBe(2)
})
