import fc from 'fast-check'
import type { EditorMark, EditorNode } from '../../src/features/feeds/markdown/document.ts'

const ADDRESSES = [
  'https://en.wikipedia.org/wiki/Sourdough_bread_baking',
  'https://example.org/a*b*c~~d~~_e_',
  'https://example.org/(a)?q=1&copy=2#x',
  'https://example.org/%C3%A4_%20b',
  'http://xn--bcher-kva.example/_a_',
  'https://user@example.org/_a_',
  'HTTPS://Example.ORG/A',
  'www.example.org/a_b_',
  'www.example.org/_a*b_',
  'example.com/a_b',
  'example.com',
  'ada_l@example.org',
  'ftp://example.org/_a_',
  'https://例え.jp/引用',
]
const PIECES = [
  ...'\\`*_{}[]()#+-.!|<>~&:;=@"\'/%1aé漢😀 \t\u00a0',
  ...[
    '\n',
    '  ',
    '    ',
    '---',
    '***',
    '___',
    '===',
    '~~',
    '~~~',
    '```',
    '**',
    '__',
    '1. ',
    '1) ',
    '- ',
    '+ ',
    '> ',
    '# ',
    '## ',
    '| a |',
    '|---|',
    ':--',
  ],
  ...[
    '<b>',
    '</b>',
    '<!-- x -->',
    '<a@b.c>',
    '<https://a.b>',
    '&amp;',
    '&#35;',
    '&nbsp',
    '\\*',
    '![a](b)',
    '[a](/b)',
    '[a]: /b',
    '[x]',
    ':smile:',
  ],
  ...[
    '@ada',
    '@ada_',
    '@_ada',
    '@ada_lovelace',
    '@a-_b',
    'snake_case_name',
    'word',
    'C:\\path',
    'a*b',
    'שלום',
    'مرحبا',
    '\u200f',
    '\ufeff',
    '\u2028',
    '“',
    '。',
  ],
  ...ADDRESSES,
]

/** Text of what Markdown might take for something else. */
export const plainText = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ maxLength: 4, unit: 'grapheme' })), {
    minLength: 1,
    maxLength: 9,
  })
  .map((pieces) => pieces.join(''))

const link = fc.constantFrom(
  'https://example.org/a_b',
  'https://example.org/(x',
  'https://example.org/a?b=1&amp=2',
  'mailto:ada@example.org',
  '/spaces/the-lounge',
  'javascript:alert(1)',
  'https://example.com',
)
const marks = fc
  .record({
    bold: fc.boolean(),
    italic: fc.boolean(),
    strike: fc.boolean(),
    code: fc.integer({ max: 5, min: 0 }),
    link: fc.option(fc.record({ href: link, title: fc.option(fc.constantFrom('A "title"', 'b\\', '&amp;')) }), { freq: 6 }),
  })
  .map(({ bold, italic, strike, code, link: to }): EditorMark[] => [
    ...(to ? [{ type: 'link', attrs: to }] : []),
    ...(bold ? [{ type: 'bold' }] : []),
    ...(italic ? [{ type: 'italic' }] : []),
    ...(strike ? [{ type: 'strike' }] : []),
    ...(code === 0 ? [{ type: 'code' }] : []),
  ])

const text = fc
  .tuple(fc.oneof(plainText, fc.constantFrom('a', ' ', 'word ', ' word', '.', '“x”')), fc.oneof(fc.constant<EditorMark[]>([]), marks))
  .map(([value, on]): EditorNode => ({ type: 'text', text: value, ...(on.length > 0 && { marks: on }) }))
const inline = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: marks.map((on): EditorNode => ({ type: 'hardBreak', marks: on.filter(({ type }) => type !== 'code') })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('https://example.org/a.png', '/media/1.png', 'data:x'), plainText)
      .map(([src, alt]): EditorNode => ({ type: 'image', attrs: { src, alt } })),
  },
)
const inlines = fc.array(inline, { maxLength: 6 })
const paragraph = inlines.map((content): EditorNode => ({ type: 'paragraph', content }))
const codeText = fc
  .array(fc.constantFrom('a', '`', '```', '~~~', '\n', ' ', '\t', '</code>', '&lt;', '\\', '# x'), { maxLength: 8 })
  .map((parts) => parts.join(''))

const block = fc.letrec<{ block: EditorNode; item: EditorNode }>((tie) => ({
  item: fc
    .tuple(paragraph, fc.array(tie('block'), { maxLength: 2, depthIdentifier: 'nesting' }))
    .map(([first, rest]) => ({ type: 'listItem', content: [first, ...rest] })),
  block: fc.oneof(
    { depthSize: 'small', maxDepth: 3, depthIdentifier: 'nesting' },
    { weight: 5, arbitrary: paragraph },
    fc.tuple(fc.integer({ min: 1, max: 6 }), inlines).map(([level, content]) => ({ type: 'heading', attrs: { level }, content })),
    fc.tuple(fc.constantFrom(null, 'ts', 'c++'), codeText).map(([language, value]) => ({
      type: 'codeBlock',
      attrs: { language },
      content: value === '' ? [] : [{ type: 'text', text: value }],
    })),
    fc.constant({ type: 'horizontalRule' }),
    fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((content) => ({ type: 'bulletList', content })),
    fc.tuple(fc.constantFrom(0, 1, 2, 9, 123), fc.array(tie('item'), { minLength: 1, maxLength: 3 })).map(([start, content]) => ({
      type: 'orderedList',
      attrs: { start },
      content,
    })),
    fc.array(tie('block'), { minLength: 1, maxLength: 2 }).map((content) => ({ type: 'blockquote', content })),
  ),
})).block

/** Any document of the editor. */
export const anyDocument = fc.array(block, { minLength: 1, maxLength: 4 }).map((content): EditorNode => ({ type: 'doc', content }))

/** A document of what was typed: paragraphs of plain text. */
export const typedDocument = fc.array(plainText, { minLength: 1, maxLength: 4 }).map(
  (texts): EditorNode => ({
    type: 'doc',
    content: texts.map((value) => ({ type: 'paragraph', content: [{ type: 'text', text: value }] })),
  }),
)

/** Markdown as people write it, and as nobody does. */
export const anyMarkdown = fc
  .array(
    fc.oneof(
      plainText,
      fc.constantFrom(
        '\n',
        '\n\n',
        '**',
        '*',
        '`',
        '- a\n',
        '1. b\n',
        '> c\n',
        '## d\n',
        '  \n',
        '\n```\nx\n```\n',
        '[e](https://example.org)',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
