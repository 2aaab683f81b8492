const js = (prefix: string) => `${prefix}alert(1)`

/** URLs that run script, lead elsewhere, or are disguised, in every spelling. */
export const ADDRESSES = [
  ...[
    'javascript:',
    'JaVaScRiPt:',
    'JAVASCRIPT:',
    ' javascript:',
    '\tjavascript:',
    '\njavascript:',
    '\u0001javascript:',
    '\u001fjavascript:',
  ].map(js),
  ...['java\tscript:', 'java\nscript:', 'java\rscript:', 'javascript\t:', 'javascript\n:', 'j\na\nv\na\ns\nc\nr\ni\np\nt:'].map(js),
  ...['java&Tab;script:', 'java&NewLine;script:', 'javascript&colon;', 'javascript&#58;', 'javascript&#x3a;', 'javascript&#0000058'].map(
    js,
  ),
  ...[
    '&#106;avascript:',
    '&#0000106avascript:',
    '&#x6A&#x61&#x76&#x61script:',
    'java&#x09;script:',
    'java&#x0A;script&colon;',
    '&#1;javascript:',
  ].map(js),
  ...['jav\u00adascript:', 'java\u0000script:', 'java\u200bscript:', 'ｊavascript:', 'javascript：', 'javaſcript:', 'javascrıpt:'].map(js),
  ...[
    'javascript:/**/',
    'javascript://%0a',
    'javascript://e.example/%0a',
    'javascript:%0a',
    'javascript:void(0);',
    'javascript:\u2028',
  ].map(js),
  ...['java%0ascript:', '%6Aavascript:', 'javascript%3A', '\\javascript:', 'javas\\cript:', 'java\\script:', 'javascript\\:'].map(js),
  ...['feed:javascript:', 'view-source:javascript:', 'jar:javascript:', 'url:javascript:', 'x:javascript:', 'https:javascript:'].map(js),
  ...['vbscript:', 'VBSCRIPT:', 'vb\tscript:', 'livescript:', 'mocha:', 'jscript:', 'ecmascript:'].map(js),
  'javascript:alert`1`',
  'javascript:"<img src=x onerror=alert(1)>"',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'DATA:text/html;charset=utf-7,+ADw-script+AD4-alert(1)',
  'data:application/xhtml+xml,<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'data:text/xml,<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  'data:,alert(1)',
  'data&colon;text/html,<script>alert(1)</script>',
  'blob:https://e.example/1',
  'filesystem:https://e.example/x',
  'file:///etc/passwd',
  'about:blank#<script>alert(1)</script>',
  'ms-its:mhtml:file://x',
  'ftp://e.example/',
  'tel:112',
  '//e.example/x',
  '///e.example/x',
  '/\\e.example',
  '\\\\e.example',
  '/\t/e.example',
  'https:\\\\e.example',
  'https:e.example',
  'https:///e.example',
  'https://own.example@e.example/',
  'https://e.example\\@own.example/',
  'https://e.example/"onclick="alert(1)',
  "https://e.example/'onclick='alert(1)",
  'https://e.example/`onclick=`alert(1)',
  'https://e.example/ onclick=alert(1)',
  'https://e.example/><script>alert(1)</script>',
  'https://e.example/"><img src=x onerror=alert(1)>',
  'https://e.example/&quot;onmouseover=&quot;alert(1)',
  'https://e.example/#javascript:alert(1)',
  'https://e.example/?"+alert(1)+"',
  "https://e.example/');alert(1)//",
  'https://e.example/\u0000"onclick="alert(1)',
  'mailto:a@e.example?body="><script>alert(1)</script>',
  'mailto:"onclick="@e.example',
  '?javascript:alert(1)',
  '#javascript:alert(1)',
  './javascript:alert(1)',
  '../x',
]

const IN_HTML: readonly ((url: string) => string)[] = [
  (url) => `<a href="${url}">x</a>`,
  (url) => `<a href=${url}>x</a>`,
  (url) => `<a href='${url}'>x</a>`,
  (url) => `<img src="${url}">`,
  (url) => `<img src='${url}' alt=x>`,
  (url) => `<form action="${url}"><button formaction="${url}">x</button></form>`,
  (url) => `<iframe src="${url}"></iframe>`,
  (url) => `<embed src="${url}"><object data="${url}"></object>`,
  (url) => `<svg><a xlink:href="${url}" href="${url}"><text y=9>x</text></a></svg>`,
  (url) => `<math href="${url}"><mi href="${url}">x</mi></math>`,
  (url) => `<blockquote cite="${url}"><q cite="${url}">x</q></blockquote><del cite="${url}">y</del>`,
  (url) => `<a class="mention" href="${url}">@bob</a>`,
]

const IN_MARKDOWN: readonly ((url: string) => string)[] = [
  (url) => `[x](${url})`,
  (url) => `[x](<${url}>)`,
  (url) => `![x](${url})`,
  (url) => `![x](<${url}> "t")`,
  (url) => `<${url}>`,
  (url) => `[x]\n\n[x]: ${url}`,
  (url) => `[x][y]\n\n[y]: <${url}> "t"`,
  (url) => `[![x](${url})](${url})`,
  (url) => `x ${url} y`,
]

const some = <T>(list: readonly T[], from: number, count: number): T[] =>
  Array.from({ length: count }, (_, i) => list[(from + i * 5) % list.length] as T)

/** Each URL in five HTML contexts. */
export const inHtml = ADDRESSES.flatMap((url, i) => some(IN_HTML, i, 5).map((place) => place(url)))
/** Each in four markdown contexts. */
export const inMarkdown = ADDRESSES.flatMap((url, i) => some(IN_MARKDOWN, i, 4).map((place) => place(url)))
