import { expect, test } from 'vitest'
import { mentionedUsernames } from './mentions.ts'
import { excerpt, plainText } from './plain.ts'
import { type ContentType, render } from './render.ts'
import { sanitize } from './sanitize.ts'
import { ftsDocument } from './search-text.ts'
import { slugify, slugSource } from './slug.ts'

const LENGTH = 65_536
/** A quiet machine takes a tenth of it; what is not linear takes many seconds. */
const LIMIT_MS = 500

const repeat = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH)
const around = (before: string, middle: string, after: string): string => {
  const times = Math.floor(LENGTH / (before.length + after.length))
  return before.repeat(times) + middle + after.repeat(times)
}

const MARKDOWN = [
  ...[
    '[',
    '![',
    ']',
    '][',
    '[a](',
    '[](',
    '[a](b',
    '[a](<b',
    '[a](b "',
    "[a](b '",
    '[a](b (',
    '![](',
    '![](http://a)',
    '[a](http://b)',
    '[^',
    '\\[',
  ],
  ...[
    '*',
    '_',
    '~',
    '*_',
    '**_~~',
    '*a',
    '**a ',
    'a**b',
    '*a_ ',
    '*a **a ',
    '~~a',
    '***a',
    '`',
    '`a``b',
    '\\',
    '!',
    '"',
    "'",
    ':',
    '(',
    ')',
    '{',
  ],
  ...[
    '<',
    '>',
    '<a',
    '</',
    '<!--',
    '<?',
    '<!X',
    '<![CDATA[',
    '<h:',
    '<http://a',
    '<a@b.',
    '<b>',
    '&',
    '&amp;',
    '&#',
    '&#x',
    '&aaaaaaaaaaaaa',
  ],
  ...[
    'http://',
    'https://a.',
    'http://a.b ',
    'http://a*',
    'http://a/(((',
    'www.',
    'www.a.b ',
    '://',
    'a://',
    'mailto:',
    'mailto:a@b.c',
    'a@',
    'a@b.',
    'a@b.co ',
  ],
  ...[
    'xn--a.',
    'http://ü.de ',
    'a.',
    'a-',
    'a',
    'a ',
    '@',
    '@bob',
    '@bob ',
    '@bob,',
    '@bob_',
    '@a',
    'a@bob',
    `@bob${'-'.repeat(26)}`,
    'e\u0301',
    '👨‍👩‍👧',
  ],
  ...[
    '> ',
    '- ',
    '* - + ',
    '1. ',
    '> - ',
    '- > ',
    '- x\n',
    '-\n',
    '- -\n',
    '* -\n',
    '1.\n',
    '+ a\n\n',
    '\n>',
    '>a\n',
    '-\n\n',
    '-\ta\n\t-\tb\n',
  ],
  ...[
    '- ```\n',
    '> ```\n',
    '```\n',
    '# a\n',
    '#',
    '---\n',
    'a\n---\n',
    '***\n',
    '\n',
    ' ',
    '\t',
    ' \n',
    'a   \n',
    '\\\n',
    'lines\n',
    '    a\n',
  ],
  ...[
    '|',
    '|a',
    'a|b\n-|-\n',
    'a|b\n-|-\nx\n\n',
    '- a|b\n  -|-\n  c|d\n',
    '`|`|',
    '|-',
    '[a]: b\n',
    '[a]:\n',
    '[a]: x "\n',
    '[x]: <\n',
    '[\n',
    '[a\n',
    '[]: ',
  ],
  `a${' '.repeat(LENGTH)}b`,
  `a\n${repeat('=')}`,
  `http://${repeat('a-')}`,
  `http://a/${repeat('(')}`,
  `http://a/${repeat('()')}`,
  `http://a/${repeat('[{(')}`,
  `http://a/${repeat("'a")}`,
  `http://a/${repeat('"')}`,
  `http://a/${repeat('.')}`,
  `http://a/${repeat('-')}`,
  `${repeat('a')}://x`,
  `[x](${repeat('(')}`,
  `[a]: x "${repeat('b\n')}`,
  `[b]: http://x\n\n${repeat('[b]')}`,
  `[b]: http://x\n\n${repeat('[a][b]')}`,
  `${'>'.repeat(1000)}a\n${repeat('b\n')}`,
  `${'- '.repeat(500)}a\n${repeat('b\n')}`,
  repeat(`${'>'.repeat(100)}a\n`),
  repeat(`${'- '.repeat(40)}a\n`),
  repeat('> - a\n> > - b\n'),
  Array.from({ length: 360 }, (_, i) => `${' '.repeat(i)}- a\n`).join(''),
  Array.from({ length: 360 }, (_, i) => `${'`'.repeat(i)}a`).join(''),
  Array.from({ length: 6000 }, (_, i) => `${i}. a\n`).join(''),
  `${'a|'.repeat(10_000)}\n${'-|'.repeat(10_000)}\n${'x\n'.repeat(10_000)}`,
  `|a|b|\n|-|-|\n${repeat('|x|y|\n')}`,
  `${`${'a|'.repeat(26)}\n${'-|'.repeat(26)}\n${'x\n'.repeat(2500)}\n`.repeat(12)}`,
  around('![', 'a', '](http://b)'),
  around('[', 'a', '](http://b)'),
  around('[', 'a', ']'),
  around('**', 'a', '**'),
  around('*', 'a', '*'),
  around('~~', 'a', '~~'),
  around('(', 'a', ')'),
  around('<', 'a', '>'),
]

const HTML = [
  ...[
    '<',
    '<a',
    '</',
    '<b>',
    '</p>',
    '</b ',
    '<p>',
    '<p><b>',
    '<p><div></p>',
    '<div>',
    '<li>',
    '<ul><li>',
    '<ul><li><b>',
    '<table>',
    '<table><tr><td>',
    '<td>',
    '<h1>',
  ],
  ...[
    '<a href=http://x.y>',
    '<a href=http://a><b></a>',
    '<img src=http://x.y/z>',
    '<br>',
    '<br/>@bob',
    '<code>@bob</code>',
    '@bob<b>@bob</b>',
    '<a b="',
    "<a b='",
    '<a/',
  ],
  ...[
    '<svg>',
    '<math><mi>',
    '<svg><desc>',
    '<iframe>',
    '<noscript>',
    '<textarea>',
    '<style>',
    '<style></style',
    '<script>',
    '<xmp>',
    '<title>',
    '<plaintext>',
  ],
  ...['<select>', '<template>', '<form>', '<!--', '<!-- --', '<![CDATA[', '<?', '&', '&lt;', '&#', '&#x', '&#1234567;', '@bob ', '@', 'a'],
  `<a ${repeat('x ')}`,
  `<a ${Array.from({ length: 9000 }, (_, i) => `x${i}=1 `).join('')}>`,
  `<ul>${'<b>'.repeat(8000)}${'<li>'.repeat(8000)}`,
  `<table><tr>${repeat('<td><p>')}`,
  `${'<b>'.repeat(11_000)}${'</b>'.repeat(8000)}`,
  `${'<b>'.repeat(11_000)}${'</i>'.repeat(8000)}`,
  `<svg>${repeat('<foreignObject>')}`,
]

const TRIES = 6

/** The processor's milliseconds of the quickest of several runs: a busy machine slows some of them, slow code slows all. */
function quickest(run: () => unknown, enough: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < TRIES && best >= enough; i++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/** Work that doubles with its text takes four times as long for four times of it, quadratic work sixteen times. */
const STEEP = 8
/** How much longer than the limit a slow machine may take for what grows no faster than its text. */
const PATIENCE = 4

/** Whether it takes longer than `limit` ms, not only because the machine is slow. `even`: a quarter of the text is like the whole. */
const isSlow = (step: (text: string) => unknown, text: string, limit: number, even: boolean): boolean => {
  // What does so little on a quarter stays below the limit on the whole, were it quadratic.
  const little = limit / 16
  if (even && quickest(() => step(text.slice(0, text.length / 4)), little) < little) return false
  const ms = quickest(() => step(text), limit)
  if (ms < limit) return false
  if (ms >= limit * PATIENCE) return true
  const quarter = quickest(() => step(text.slice(0, text.length / 4)), 0)
  return ms >= quarter * STEEP
}

/** Every step; those after the rendering on a quarter, each measured against a quarter of the limit. */
function slowSteps(source: string, type: ContentType, even: boolean): string[] {
  const html = (text: string) => render(text, type, { mentions: () => true })
  const beginning = source.slice(0, LENGTH / 4)
  const rendered = html(beginning)
  expect(sanitize(rendered) === rendered, 'stable').toBe(true)
  const steps: [string, (text: string) => unknown, string, number][] = [
    ['render', html, source, LIMIT_MS],
    ['sanitize', sanitize, rendered, LIMIT_MS / 4],
    ['mentions', (text) => mentionedUsernames(text, type), beginning, LIMIT_MS / 4],
    ['plain', (text) => excerpt(plainText(text)), rendered, LIMIT_MS / 4],
    ['search', ftsDocument, beginning, LIMIT_MS / 4],
    ['slug', (text) => slugify(slugSource('', text)), beginning, LIMIT_MS / 4],
  ]
  return steps.flatMap(([name, step, text, limit]) => (isSlow(step, text, limit, even) ? [name] : []))
}

test.each<[ContentType, string[]]>([
  ['markdown', MARKDOWN],
  ['text', HTML],
  ['html', HTML],
])('no hostile %s of 64 KB takes long, at any step', { timeout: 120_000 }, (type, sources) => {
  for (const piece of sources) {
    const even = piece.length < 100
    const source = even ? repeat(piece) : piece
    expect([piece.slice(0, 40), slowSteps(source, type, even)]).toEqual([piece.slice(0, 40), []])
  }
})
