import { escapeHtml } from '@lyceum/content'
import { expect, test } from 'vitest'
import { initialsOf } from './html.ts'
import { isolateDirection, layout } from './layout.ts'
import { emailChangedMail, passwordChangedMail, resetPasswordMail, welcomeMail } from './transactional-mails.ts'

const url = 'https://community.example/reset?token=abc_DEF-123&x=1'
const to = { community: 'River & Co', displayName: 'Zoë O’Neill', username: 'zoe', url }
const letters = () => ({
  reset: resetPasswordMail({ ...to, validMinutes: 60 }),
  welcome: welcomeMail(to),
  emailChanged: emailChangedMail({ ...to, newEmail: 'zoe.new@example.org' }),
  passwordChanged: passwordChangedMail(to),
})

test('every text is escaped in the HTML and plain in the text', () => {
  const hostile = `<img src=x onerror="alert('1')">&amp;`
  const { html, text } = layout({
    title: hostile,
    paragraphs: [hostile, 'two\nlines'],
    action: { label: hostile, url: "https://example.org/?a='b'&c=d" },
    footer: hostile,
  })
  expect(html.toLowerCase()).not.toContain('<img')
  expect(html.split(escapeHtml(hostile)).length - 1).toBe(5)
  expect(html).toContain('href="https://example.org/?a=&#39;b&#39;&amp;c=d"')
  expect(html).toContain('two<br>\nlines')
  expect(text.split(hostile).length - 1).toBe(4)
  expect(text).toContain("https://example.org/?a='b'&c=d")
})

test.each(['javascript:alert(1)', 'https://x.example/"><script>', 'data:text/html,x', '', '//x.example', 'https://x.example/\nX: y'])(
  'a button never leads to %j',
  (address) => {
    expect(() => layout({ title: 't', paragraphs: [], action: { label: 'l', url: address }, footer: 'f' })).toThrow('http')
  },
)

test('the HTML is balanced, follows light and dark, loads nothing and has no long line', () => {
  for (const { html } of Object.values(letters())) {
    const open: string[] = []
    for (const [, close, tag] of html.replace(/<!doctype[^>]*>|<style>[\s\S]*<\/style>/g, '').matchAll(/<(\/?)([a-z1-6]+)[^>]*>/g)) {
      if (['meta', 'br'].includes(tag!)) continue
      if (close) expect(open.pop()).toBe(tag)
      else open.push(tag!)
    }
    expect(open).toEqual([])
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).not.toMatch(/<(img|link|script|iframe)|src=|url\(/i)
    expect(Math.max(...html.split('\n').map((line) => Buffer.byteLength(line)))).toBeLessThan(900)
  }
})

test('the four messages contain the event, the account and a link', () => {
  for (const letter of Object.values(letters())) {
    expect(letter.subject).toContain('River & Co')
    expect(letter.text).toContain('Hello Zoë O’Neill,')
    expect(letter.text).toContain('“zoe”')
    expect(letter.text).toContain(url)
    expect(letter.html).toContain(`href="${escapeHtml(url)}"`)
    expect(letter.html).toContain('River &amp; Co')
  }
  const { reset, emailChanged } = letters()
  expect(reset.text).toContain('within 1 hour.')
  expect(resetPasswordMail({ ...to, validMinutes: 90 }).text).toContain('within 90 minutes.')
  expect(emailChanged.text).toContain('z…@example.org')
  expect(emailChanged.text).not.toContain('zoe.new')
})

test.each(['', 'Win money at http://spam.example', 'spam.example', 'www spam', 'a@b', 'x'.repeat(61), 'Call: 0123', '\u202e'])(
  'the name %j is not sent to a stranger',
  (displayName) => {
    const { text } = welcomeMail({ ...to, displayName })
    expect(text).toContain('\n\nHello,\n\n')
    if (displayName) expect(text).not.toContain(displayName)
  },
)

test.each(['Dr. Ada King', 'J. R. R.', 'Łukasz', '李雷', 'Jean-Luc'])('the name %s is greeted', (displayName) => {
  expect(welcomeMail({ ...to, displayName }).text).toContain(`\n\nHello ${displayName},\n\n`)
})

test('every kind of component has the same text in both parts, and its text is never parsed as HTML', () => {
  const hostile = '<script>alert(1)</script> & "x"'
  const { html, text } = layout({
    brand: { name: hostile, url: 'https://community.example', color: '#ffee00' },
    title: hostile,
    preview: hostile,
    components: [
      { kind: 'heading', text: hostile },
      { kind: 'quote', person: hostile, detail: hostile, text: hostile },
      { kind: 'items', items: [{ title: hostile, detail: hostile, excerpt: hostile, person: hostile, aside: hostile, url }] },
    ],
    action: { label: hostile, url, spelled: false },
    footer: hostile,
    links: [{ label: hostile, url }],
  })
  expect(html).not.toContain('<script>')
  expect(html.split(escapeHtml(hostile)).length - 1).toBe(15)
  expect(text.split(hostile).length - 1).toBe(13)
})

test.each(['javascript:alert(1)', 'https://x.example/"><b>'])('no part of a mail leads to %j', (address) => {
  const given = { title: 't', footer: 'f' }
  const brand = { name: 'n', url: address, color: '#000000' }
  expect(() => layout({ ...given, brand })).toThrow('http')
  expect(() => layout({ ...given, links: [{ label: 'l', url: address }] })).toThrow('http')
  expect(() => layout({ ...given, components: [{ kind: 'items', items: [{ title: 't', url: address }] }] })).toThrow('http')
})

test('long lines are wrapped in plain text and in the HTML source', () => {
  const long = 'Eight words of a text without an end. '.repeat(60).trim()
  const { html, text } = layout({ title: 't', paragraphs: [long], components: [{ kind: 'quote', text: long }], footer: 'f' })
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(76)
  expect(text.replace(/\n(> )?/g, ' ')).toContain(long)
  expect(Math.max(...html.split('\n').map((line) => Buffer.byteLength(line)))).toBeLessThan(600)
  expect(html.replace(/\n/g, ' ')).toContain(long)
  expect(layout({ title: 't', paragraphs: [`See ${url}${'x'.repeat(100)} now`], footer: 'f' }).text).toContain(`${url}${'x'.repeat(100)}`)
})

test.each([
  ['Ana Lima', 'AL'],
  ['ana', 'A'],
  ['Jean-Luc Picard', 'JP'],
  ['李雷', '李'],
  ['ليلى حداد', 'ل'],
  ['', '•'],
  ['🙂', '•'],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('right-to-left words are isolated, others are unchanged', () => {
  expect([isolateDirection('Ana'), isolateDirection('李雷'), isolateDirection('ליאור')]).toEqual(['Ana', '李雷', '\u2068ליאור\u2069'])
})
