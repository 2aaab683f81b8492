import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/cpu-time.ts'
import { randomSuffix, slugify, slugSource } from './slug.ts'

describe('slugify', () => {
  test.each([
    ['Hello, World!', 'hello-world'],
    ['  --Many   spaces--  ', 'many-spaces'],
    ["Don't stop: it’s 2026", 'dont-stop-its-2026'],
    ['Straße nach Łódź', 'strasse-nach-lodz'],
    ['Smörgåsbord på Ærø', 'smorgasbord-pa-aero'],
    ['Þór & Đorđe', 'thor-dorde'],
    ['Œuvre ÅÄÖ ŞĞ', 'oeuvre-aao-sg'],
    ['İstanbul ılık', 'istanbul-ilik'],
    ['Tiếng Việt ở Đà Nẵng', 'tieng-viet-o-da-nang'],
    ['Привет, мир', 'privet-mir'],
    ['Щука и ёж, мой съезд', 'shchuka-i-ezh-moy-sezd'],
    ['Українська Ґанок', 'ukrainska-ganok'],
    ['Ελληνικός κόσμος', 'ellinikos-kosmos'],
    ['ＦＵＬＬ　ｗｉｄｔｈ ①', 'full-width-1'],
    ['e\u0301te\u0301', 'ete'],
    ['日本 and more', 'and-more'],
    ['../../etc/passwd', 'etc-passwd'],
    ['<script>alert(1)</script>', 'script-alert-1-script'],
    ['你好世界', ''],
    ['مرحبا', ''],
    ['🎉🎉', ''],
    ['', ''],
    ['---', ''],
    ['\ud800', ''],
  ])('%j → %j', (text, slug) => expect(slugify(text)).toBe(slug))

  test('is cut at a hyphen if one is near, else in the word', () => {
    expect(slugify('word '.repeat(40))).toBe(`${'word-'.repeat(15)}word`)
    expect(slugify('a'.repeat(200))).toBe('a'.repeat(80))
    expect(slugify('one two three', 8)).toBe('one-two')
  })

  test('any text results in a valid slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200, size: 'max' }), fc.integer({ min: 1, max: 100 }), (text, max) => {
        const slug = slugify(text, max)
        expect(slug).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
        expect(slug.length).toBeLessThanOrEqual(max)
        expect(slugify(slug, max)).toBe(slug)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('slugSource', () => {
  test.each([
    ['A title', 'the message', 'A title'],
    ['   ', 'the message', 'the message'],
    [null, 'the message', 'the message'],
    ['', '# Hello **brave** [new](https://example.com/x) `world`', 'Hello brave new world'],
    ['', '> - quoted\n> - list', '- quoted - list'],
    ['', '<p class="x">One <b>two</b>&nbsp;three</p>', 'One two three'],
    ['', '![A cat](https://example.com/cat.png) on a mat', 'A cat on a mat'],
    ['', 'https://www.example.com/a is good', 'example.com/a is good'],
    ['', '```js\nlet a = 1\n```', 'let a = 1'],
    ['', 'one two three four five six seven eight nine ten', 'one two three four five six seven eight'],
    ['', `${'a'.repeat(30)} ${'b'.repeat(29)} ${'c'.repeat(30)}`, `${'a'.repeat(30)} ${'b'.repeat(29)}`],
    ['', 'x'.repeat(100), 'x'.repeat(60)],
    ['', '', ''],
  ])('%j, %j → %j', (title, message, source) => expect(slugSource(title, message)).toBe(source))

  test('a hostile message takes no noticeable time', () => {
    const started = cpuTime()
    for (const piece of ['[', '![', '](', '<a', '&', '```\n', '[a](b', '<', 'https://']) slugSource('', piece.repeat(70_000 / piece.length))
    expect(cpuTime() - started).toBeLessThan(500)
  })
})

test('randomSuffix is six characters of base 32 and different each time', () => {
  const suffixes = Array.from({ length: 1000 }, randomSuffix)
  for (const suffix of suffixes) expect(suffix).toMatch(/^[a-z2-7]{6}$/)
  expect(new Set(suffixes).size).toBeGreaterThan(995)
  expect(new Set(suffixes.join('')).size).toBe(32)
})
