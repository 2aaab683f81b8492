import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerpt, plainText } from './plain-text.ts'
import { render } from './render.ts'

describe('plainText', () => {
  test.each([
    ['<p>One</p>\n<p>two <b>th</b>ree</p>', 'One\ntwo three'],
    ['a<br />b', 'a\nb'],
    ['<ul><li>a</li><li>b</li></ul>', 'a\nb'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['&lt;b&gt; &amp;amp; &quot;q&quot; &eacute;&#233;&#xe9; &nbsp;x', '<b> &amp; "q" ééé x'],
    ['<p>&amp;lt;</p>', '&lt;'],
    ['<script>alert(1)</script><style>p{}</style><!-- c -->x', 'x'],
    ['<p>@bob <img src="https://e.example/i.png" alt="pic" /></p>', '@bob'],
    ['  spaces \t  everywhere  ', 'spaces everywhere'],
    ['no markup', 'no markup'],
    ['', ''],
  ])('%j → %j', (html, text) => expect(plainText(html)).toBe(text))

  test('returns text without Markdown syntax unchanged', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abc éß日本語"\'&,.?()äø'), minLength: 1, maxLength: 30, size: 'max' })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const lines = words.map((line) => line.replace(/\s+/g, ' ').trim()).filter(Boolean)
        expect(plainText(render(lines.join('\n\n'), 'markdown'))).toBe(lines.join('\n'))
      }),
      { numRuns: 300 },
    )
  })
})

const length = (text: string): number => [...new Intl.Segmenter().segment(text)].length

describe('excerpt', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['the quick brown fox jumps', 15, 'the quick…'],
    ['the quick brown fox jumps', 16, 'the quick brown…'],
    ['abcdefghijklmnop', 8, 'abcdefg…'],
    ['a b c\n\nd   e', 20, 'a b c d e'],
    ['日本語の文章はとても長い', 5, '日本語の…'],
    ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3, '👨‍👩‍👧‍👦👨‍👩‍👧‍👦…'],
    ['', 5, ''],
    ['a \u202egnp.exe\u2066 b\u0085c', 20, 'a gnp.exe bc'],
  ])('%j cut to %i → %j', (text, max, cut) => expect(excerpt(text, max)).toBe(cut))

  test('never has more characters than allowed, nor half of one', () => {
    const unit = fc.constantFrom('a', ' ', 'é', 'e\u0301', '日', '😀', '👨‍👩‍👧', '🇫🇷', 'न\u0940', '\n')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300, size: 'max' }), fc.integer({ min: 2, max: 200 }), (text, max) => {
        const cut = excerpt(text, max)
        const line = text.replace(/\s+/g, ' ').trim()
        expect(length(cut)).toBeLessThanOrEqual(max)
        expect(cut.isWellFormed()).toBe(true)
        if (length(line) <= max && !line.includes('👨')) expect(cut).toBe(line)
        else if (cut !== line) expect(line.startsWith(cut.slice(0, -1))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('a letter with many combining marks is cut as well', () => {
    const cut = excerpt(`a${'\u0301'.repeat(100_000)} b`)
    expect(cut.length).toBeLessThan(2000)
  })
})
