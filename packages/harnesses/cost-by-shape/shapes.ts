/** What is repeated: a piece of text, or one that differs each time. */
type Piece = string | ((index: number) => string)

/** A text of any length: the pieces, each repeated for an equal share of it, between a start and an end. */
export interface Shape {
  readonly name: string
  readonly start?: string
  readonly pieces: readonly Piece[]
  readonly end?: string
}

const repeated = (piece: Piece, length: number): string => {
  if (typeof piece === 'string') return piece.repeat(Math.max(1, Math.floor(length / piece.length)))
  const parts: string[] = []
  for (let i = 0, size = 0; size < length; i++) {
    const part = piece(i)
    parts.push(part)
    size += part.length
  }
  return parts.join('').slice(0, length)
}

export const textOf = ({ start = '', pieces, end = '' }: Shape, length: number): string => {
  const share = (length - start.length - end.length) / pieces.length
  return start + pieces.map((piece) => repeated(piece, share)).join('') + end
}

/** The longest start of a text that takes no more than so many bytes. */
export const cutToBytes = (text: string, bytes: number): string => {
  const buffer = Buffer.from(text)
  return buffer.length <= bytes
    ? text
    : buffer
        .subarray(0, bytes - 3)
        .toString('utf8')
        .replaceAll('\ufffd', '')
}

const nameOf = (pieces: readonly Piece[], start: string) =>
  JSON.stringify(start + pieces.map((piece) => (typeof piece === 'string' ? piece : `${piece(1)}…`)).join(' + ')).slice(1, 60)

const shape = (pieces: Piece | readonly Piece[], start = '', end = ''): Shape => {
  const list = (Array.isArray(pieces) ? pieces : [pieces]) as readonly Piece[]
  return { name: nameOf(list, start), start, pieces: list, end }
}

/** Pieces between which there is no space. */
const each = (...pieces: string[]): Shape[] => pieces.map((piece) => shape(piece))
const words = (text: string): Shape[] => each(...text.split(' '))

export const TEXT_SHAPES: readonly Shape[] = [
  ...each(
    'a',
    ' ',
    '\n',
    '\t',
    'a ',
    'ab',
    'é',
    'e\u0301',
    '\u0301',
    '漢',
    '👨‍👩‍👧 ',
    '\ud83d\ude00',
    '\ud83d',
    '\udc00',
    '\u200b',
    '\u202e',
    '\u0e33',
    'ﷺ',
    '\u1100\u1161',
    'İ',
  ),
  ...words(
    'a. a.b a-b a@b.c @ @bob @bob, . - _ * & &amp; " \' ( ) [ ] { } < > </ / // \\ : :: = => ; , | # % %41 %zz + $ ! ? ~ ` ^ 0 1 1. 9e9',
  ),
  ...each('http://a.b ', 'https://a.', 'www.a.b ', 'a@b.c ', '@bob ', 'f o o ', 'f.o.o.', 'fo-', '\u3042 ', '0o', '$a'),
  shape([' ', 'x']),
  shape((i) => `w${i.toString(36)} `),
  shape((i) => `${i}. `),
  shape((i) => String.fromCodePoint(0x4e00 + (i % 20_000))),
  shape('a', '\n', '!'),
  shape('\u0301', 'a'),
]

export const MARKDOWN_SHAPES: readonly Shape[] = [
  ...words(
    '[ ![ ] ][ [a]( []( [a](b [a](<b ![]( ![](http://a) [a](http://b) [^ \\[ * _ ~ *_ **_~~ *a a**b ~~a ***a ` `a``b \\ ! " : ( ) {',
  ),
  ...words(
    '< > <a </ <!-- <? <!X <![CDATA[ <h: <http://a <http://a.b> <a@b. <b> & &amp; &# &#x &aaaaaaaaaaaaa http:// https://a. http://a* http://a/((( www. ://',
  ),
  ...words('a:// mailto: mailto:a@b.c a@ a@b. xn--a. a. a- @ @bob @bob, @bob_ @a a@bob | |a `|`| |- [[[[ ![![ ****a <x@y.z>'),
  ...each(
    '[a](b "',
    "[a](b '",
    '[a](b (',
    '**a ',
    '*a_ ',
    '*a **a ',
    '<!X ',
    '<![CDATA[',
    'http://a.b ',
    'www.a.b ',
    'a@b.co ',
    'a@b.c ',
    'http://ü.de ',
    'a ',
    '@bob ',
  ),
  ...each(
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
    '> - a\n> > - b\n',
  ),
  ...each(
    '- ```\n',
    '> ```\n',
    '```\n',
    '# a\n',
    '#',
    '#\n',
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
    '`a` ',
  ),
  ...each('a|b\n-|-\n', 'a|b\n-|-\nx\n\n', '- a|b\n  -|-\n  c|d\n', '[a]: b\n', '[a]:\n', '[a]: x "\n', '[x]: <\n', '[\n', '[a\n', '[]: '),
  ...[' ', '(', '()', '[{(', "'a", '"', '.', '-', 'é', '&'].map((piece) => shape(piece, 'http://a/')),
  shape(' ', 'a', 'b'),
  shape('=', 'a\n'),
  shape('a-', 'http://'),
  shape('a', '', '://x'),
  shape('(', '[x]('),
  shape('b\n', '[a]: x "'),
  shape('"', "[a](http://b '", "')"),
  shape('"', '![', '](http://b)'),
  shape('[b]', '[b]: http://x\n\n'),
  shape('[a][b]', '[b]: http://x\n\n'),
  shape((i) => `[${i}]: http://x\n`),
  shape((i) => `[${i}]`),
  shape('b\n', `${'>'.repeat(1000)}a\n`),
  shape('b\n', `${'- '.repeat(500)}a\n`),
  shape(`${'>'.repeat(100)}a\n`),
  shape(`${'- '.repeat(40)}a\n`),
  shape((i) => `${' '.repeat(i)}- a\n`),
  shape((i) => `${'`'.repeat(i)}a`),
  shape((i) => `${i}. a\n`),
  shape('x\n', `${'a|'.repeat(64)}\n${'-|'.repeat(64)}\n`),
  shape('x\n', `${'a|'.repeat(1000)}\n${'-|'.repeat(1000)}\n`),
  shape('|x|y|\n', '|a|b|\n|-|-|\n'),
  shape(`${'a|'.repeat(26)}\n${'-|'.repeat(26)}\n${'x\n'.repeat(100)}\n`),
  ...(
    [
      ['![', '](http://b)'],
      ['[', '](http://b)'],
      ['[', ']'],
      ['**', '**'],
      ['*a', 'a*'],
      ['~~a', 'a~~'],
      ['(', ')'],
      ['<', '>'],
      ['`', 'a`'],
    ] as const
  ).map((pair) => shape(pair)),
]

export const HTML_SHAPES: readonly Shape[] = [
  ...words(
    '< <a </ <b> </p> <p> <p><b> <p><div></p> <div> <li> <ul><li> <ul><li><b> <table> <table><tr><td> <td> <h1> <i> </z> <i></z> <b>x</b> </br> <br> <br/>@bob',
  ),
  ...words(
    '<svg> <math><mi> <svg><desc> <iframe> <noscript> <textarea> <style> <style></style <script> <xmp> <title> <plaintext> <select> <template> <form> <!-- <![CDATA[ <? & &lt; &# &#x &#1234567; @ a',
  ),
  ...words('<code>@bob</code> @bob<b>@bob</b> </a></b></c></d></e> <p>x</p> <a/ <meta> </head>'),
  ...each(
    '<a href=http://x.y>',
    '<a href=http://a><b></a>',
    '<img src=http://x.y/z>',
    '<a b="',
    "<a b='",
    '</b ',
    '<!-- --',
    '<!-- <!--',
    '@bob ',
    '<a ',
    '<a href=http://a.b>x</a>',
    '<meta name="a" content="',
    '<meta property=og:a content=b>',
  ),
  ...(['<i>', '<p>', '<b><i>', '<font>', '<ul><li>', '<svg>', '<q>'] as const).flatMap((opener) => [
    shape([opener, '</z>']),
    shape([opener, '</b>']),
    shape([opener, '</a><x>']),
  ]),
  shape(['<b>', '</b>']),
  shape((i) => `<x${i}>`),
  shape([(i) => `<x${i}>`, (i) => `</x${i}>`]),
  shape((i) => `</x${i}>`),
  shape('x ', '<a '),
  shape((i) => `x${i}=1 `, '<a ', '>'),
  shape(['<b>', '<li>'], '<ul>'),
  shape('<td><p>', '<table><tr>'),
  shape('<foreignObject>', '<svg>'),
  shape('x', '<a title="', '">'),
  shape('&quot;', '<a href=http://a.b title="', '">'),
]

export const JSON_SHAPES: readonly Shape[] = [
  ...each('[', '{"a":', '[[],', '1,', '"', '\\', '\\u0041', '\\ud800', '-', '0', '1e9,', ' ', '[]', '{}', 'null,'),
  shape(['[', ']'], '{"a":', '}'),
  shape(['{"a":', '}'], '', '1'),
  shape('0,', '{"a":[', '0]}'),
  shape('1', '{"a":', '}'),
  shape('9', '{"a":1e', '}'),
  shape('\\u0041', '{"a":"', '"}'),
  shape('\\ud800', '{"a":"', '"}'),
  shape('é', '{"a":"', '"}'),
  shape('[],', '{"data":[', '[]]}'),
  shape('{},', '{"data":[', '{}]}'),
  shape((i) => `"k${i}":1,`, '{', '"z":1}'),
  shape((i) => `"${i}":1,`, '{', '"z":1}'),
  shape('"a":1,', '{', '"z":1}'),
]

export const CSS_SHAPES: readonly Shape[] = [
  ...each(
    '/*',
    '*/',
    '/* */',
    '\\',
    '\\61 ',
    '"',
    "'",
    'url(',
    'url("',
    'url( ',
    '@',
    '@ ',
    '@import',
    'a{',
    '}',
    '{',
    'expression(',
    'expression ',
    'behavior ',
    'image-set(',
    'image(',
    'src("',
    '<',
    'a',
    ' ',
    '\n',
    ':',
    'a:b;',
  ),
  ...each('[value$="a"]', ':is(', ':not(', 'url(https://a) ', '@font-face{', '@\t', '@media ('),
  shape(['(', ')'], 'a:calc'),
  shape(['/*', '*/']),
  shape(' ', 'url', '('),
  shape(' ', '@', 'import'),
]

export const HEADER_SHAPES: readonly Shape[] = [
  ...each(
    ',',
    ';',
    '=',
    ' ',
    '"',
    '""',
    '","',
    'W/',
    'W/"',
    'a',
    'a=b; ',
    'a=',
    '; ',
    'gzip,',
    'gzip;q=0,',
    '*,',
    '*/*,',
    'text/csv,',
    ';q=1',
    'text/csv ',
    'Basic ',
    '%',
    '%zz',
    '%41',
    '/',
    '../',
    '?',
    '&',
    'a&',
    '&=',
    '#',
    '[',
    ':',
    '@',
    '.',
  ),
  shape((i) => `k${i}=v; `),
  shape((i) => `k${i}=v&`),
  shape((i) => `t/${i};q=0.1,`),
  shape('=', 'Basic '),
  shape('a', 'Basic '),
  shape(' ', 'text/csv', '!'),
]
