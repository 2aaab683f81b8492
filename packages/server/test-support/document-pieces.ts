/** Pieces of hostile and odd documents, from which the tests of rendering build random ones. */
export const ALLOWED_TAGS =
  'p b i a img code pre ul ol li table thead tbody tr td th caption dl dt dd h1 h3 blockquote div span details summary br hr abbr'.split(
    ' ',
  )
export const OTHER_TAGS = (
  'script style svg math form select option textarea title noscript iframe template foreignObject desc mtext mglyph annotation-xml section ' +
  'button nobr font center object video P IMG xmp plaintext frameset body html head input colgroup col ruby rt x-own image'
).split(' ')
export const ATTRIBUTES = [
  ...[
    'class="mention"',
    'href="/u/bob"',
    'href="https://e.example/?a&b"',
    'href=javascript:alert(1)',
    'src="https://e.example/i.png"',
    'src=x',
  ],
  ...[
    'onclick=alert(1)',
    'alt="<b>"',
    "title='\"><i>'",
    'title="&quot;&amp;lt;"',
    'id=x',
    'start=3',
    'align=center',
    'style="x:y"',
    '/',
    '"',
  ],
  ...[
    "'",
    '=',
    'colspan=2',
    'width=9',
    'class="language-js"',
    'title="&lt;img src=x onerror=alert(1)&gt;"',
    'xmlns="x"',
    'a b c',
    '\u0000=x',
  ],
]
export const WORDS = [
  ...[
    'text',
    ' ',
    '\n',
    '\n\n',
    '&lt;',
    '&amp;lt;b&gt;',
    '&',
    '<',
    '>',
    '"',
    '@bob',
    '@ann_',
    '\0',
    '\ud800',
    'ﬀ',
    '&#0;',
    '&#x0;',
    '&nbsp;',
  ],
  ...['<!--', '-->', '--!>', ']]>', '<![CDATA[', '<?', '<!x', '\r', '\u2028', '\u202e', 'javascript:alert(1)', 'a'.repeat(80), '\t'],
]
/** Of Markdown. */
export const MARKS = [
  ...'*_`~[]()!<>|-#:\\&"\'.+=@ \t\n'.split(''),
  ...[
    '**',
    '```',
    '](',
    '](https://e.example)',
    '](javascript:alert(1))',
    '![',
    '- ',
    '1. ',
    '> ',
    '\n\n',
    '|-|-|\n',
    '| a | b |\n',
    '[x]: ',
  ],
  ...['https://e.example/', 'www.e.example', '    ', '\\\n', '  \n', '# ', '~~', '<https://e.example/', '[^1]', '---\n', '***', '"title")'],
]
