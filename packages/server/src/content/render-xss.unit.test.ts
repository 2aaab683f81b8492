import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALLOWED_TAGS, ATTRIBUTES, MARKS, OTHER_TAGS, WORDS } from '#test/document-pieces.ts'
import { readmes, unsafeParts } from '#test/html-oracle.ts'
import { mentionedUsernames } from './mention-extract.ts'
import { plainText } from './plain-text.ts'
import { type ContentType, render } from './render.ts'
import { sanitize } from './sanitize.ts'

const TYPES: ContentType[] = ['text', 'markdown', 'html']
const OPTIONS = [{ mentions: () => true }, { mentions: () => true, origin: 'https://own.example' }]

/** Describes the problem of the rendered source; '' if there is none. */
function trouble(source: string, type: ContentType): string {
  for (const options of OPTIONS) {
    const html = render(source, type, options)
    const problems = unsafeParts(html)
    if (problems.length > 0) return `${problems.join(', ')} in ${html}`
    const again = sanitize(html)
    if (again !== html) return `not stable: ${html} → ${again}`
  }
  return ''
}

const HANDLERS = [
  'onerror',
  'onload',
  'ONCLICK',
  'onmouseover',
  'onfocus autofocus tabindex=0',
  'ontoggle open',
  'onanimationstart',
  'onbegin',
]
const HANDLED = [
  'img src=x',
  'svg',
  'body',
  'details',
  'video src=x',
  'a href=https://e.example',
  'p',
  'table',
  'input',
  'marquee',
  'style',
  'x-own',
]
const GAPS = [' ', '/', '\t', '\n', '\f', '\r', ' / ', ' a="" ']

const SCHEMES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java&Tab;script:alert(1)',
  'java&#x0A;script&colon;alert(1)',
  '&#106;avascript:alert(1)',
  '&#0000106avascript:alert(1)',
  'javascript&#58;alert(1)',
  'javascript://e.example/%0aalert(1)',
  'jav\u00adascript:alert(1)',
  'vbscript:msgbox(1)',
  'livescript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'feed:javascript:alert(1)',
  'view-source:javascript:alert(1)',
  'blob:https://e.example/1',
  'file:///etc/passwd',
  'ftp://e.example',
  'tel:112',
  '//e.example/x',
  '/\\e.example',
  '\\\\e.example',
  '/\t/e.example',
  'https:\\\\e.example',
  'https:e.example',
  'https:///e.example',
  'https://own.example@e.example',
  'https://e.example\\@own.example',
  'https://e.example/"onclick="alert(1)',
  "https://e.example/'onclick='alert(1)",
  'https://e.example/><script>alert(1)</script>',
  'https://e.example/\u0000',
  '?javascript:alert(1)',
  '#javascript:alert(1)',
  '../x',
]

const CONTEXTS: ((url: string) => string)[] = [
  (url) => `<a href="${url}">x</a>`,
  (url) => `<a href=${url}>x</a>`,
  (url) => `<img src="${url}">`,
  (url) => `<area href="${url}"><base href="${url}"><link rel=stylesheet href="${url}">`,
  (url) => `<form action="${url}"><button formaction="${url}">x</button></form>`,
  (url) => `<iframe src="${url}"></iframe><embed src="${url}"><object data="${url}"></object>`,
  (url) => `<svg><a xlink:href="${url}"><text>x</text></a><animate attributeName=href values="${url}"></svg>`,
  (url) => `<math href="${url}"><maction xlink:href="${url}">x</maction></math>`,
  (url) => `<blockquote cite="${url}"><table background="${url}"><video poster="${url}">`,
  (url) => `<meta http-equiv=refresh content="0;url=${url}">`,
  (url) => `[x](${url})`,
  (url) => `[x](<${url}>)`,
  (url) => `![x](${url})`,
  (url) => `<${url}>`,
  (url) => `[x]\n\n[x]: ${url}`,
  (url) => `<a class="mention" href="${url}">@bob</a>`,
]

const MUTATIONS = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><style><img src="</style><img src=x onerror=alert(1)//">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><img alt="</noembed><img src=x onerror=alert(1)>">',
  '<noframes><p title="</noframes><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<textarea><p title="</textarea><img src=x onerror=alert(1)>">',
  '<title><p title="</title><img src=x onerror=alert(1)>">',
  '<iframe><p title="</iframe><img src=x onerror=alert(1)>"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<template><script>alert(1)</script></template>',
  '<select><template><img src=x onerror=alert(1)></template></select>',
  '<select><iframe></select><img src=x onerror=alert(1)>',
  '<option><style></option></select><img src=x onerror=alert(1)></style>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--!><img src=x onerror=alert(1)>',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<!---><script>alert(1)</script>',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
  '<svg><![CDATA[><img src=x onerror=alert(1)>]]></svg>',
  '<? ><img src=x onerror=alert(1)> ?>',
  '<!DOCTYPE x [<!ENTITY y "<img src=x onerror=alert(1)>">]>&y;',
  '</ ><img src=x onerror=alert(1)>',
  '</3 ><img src=x onerror=alert(1)>',
  "<%<!--'%><script>alert(1)</script -->",
  '<a\u0000b><img\u0000src=x onerror=alert(1)>',
  '<<script>alert(1)//<</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script\n>alert(1)</script\n>',
  '<script/x>alert(1)</script/>',
  '<ſcript>alert(1)</ſcript>',
  '<ımg src=x onerror=alert(1)>',
  '＜img src=x onerror=alert(1)＞',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  '<b <img src=x onerror=alert(1)>>',
  '<img src="https://e.example/i.png"onerror=alert(1)>',
  "<img src='https://e.example/\"' onerror=alert(1)>",
  '<img alt="`><img src=x onerror=alert(1)>`" src=https://e.example>',
  '<img alt="<x" title="--><img src=x onerror=alert(1)>" src=https://e.example>',
  '<a title="\'&quot;><img src=x onerror=alert(1)>" href=https://e.example>x</a>',
  '<a href="https://e.example" title="</a><img src=x onerror=alert(1)>">x</a>',
  '<a href=https://e.example><a href=javascript:alert(1)>x</a></a>',
  '<image src=x onerror=alert(1)>',
  '<p/onclick=alert(1)>',
  '<p style="background:url(javascript:alert(1));position:fixed">',
  '<style>@import "//e.example";</style><p class="fixed inset-0">',
  '<p id=location name=cookie class=mention data-x=1 is=x slot=y part=z nonce=q>',
  '<img name=body src=https://e.example><form name=getElementById><input name=action></form><a id=x href=https://e.example></a><a id=x name=y href=https://e.example>',
  '<object data=x><param name=src value=javascript:alert(1)></object>',
  '<embed src=x.swf allowscriptaccess=always>',
  '<applet code=x></applet>',
  '<link rel=import href=//e.example><meta charset=utf-7>+ADw-script+AD4-alert(1)',
  '<table><tr><td><table><caption><svg><p><style><!--</style>--><img src=x onerror=alert(1)>',
  '<table><style><img src=x onerror=alert(1)></style>',
  '<li><table><colgroup><col><img src=x onerror=alert(1)>',
  '<dl><dd><button><p></button><script>alert(1)</script>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<svg><foreignObject><math><mi><script>alert(1)</script>',
  '<svg><desc><noscript>&lt;/noscript&gt;&lt;img src=x onerror=alert(1)&gt;',
  '<svg><set attributeName=onmouseover to=alert(1)>',
  '<svg><use href="data:image/svg+xml,<svg id=x><script>alert(1)</script></svg>#x">',
  '<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>',
  '<keygen autofocus onfocus=alert(1)><isindex type=image src=x onerror=alert(1)>',
  '<dialog open onclose=alert(1)><p popover id=p>x</p><button popovertarget=p>y</button></dialog>',
  '<portal src=javascript:alert(1)><fencedframe><frameset onload=alert(1)><frame src=javascript:alert(1)>',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '```" onmouseover="alert(1)\nx\n```',
  '~~~js&quot;onclick=&quot;alert(1)\nx\n~~~',
  '`<img src=x onerror=alert(1)>`',
  '    <img src=x onerror=alert(1)>',
  '[x](https://e.example "\\"><img src=x onerror=alert(1)>")',
  "[x](https://e.example '&quot; onclick=&quot;alert(1)')",
  '![" onerror="alert(1)](https://e.example/i.png)',
  '![<img src=x onerror=alert(1)>](https://e.example/i.png)',
  '![`" onerror=alert(1) x="`](https://e.example/i.png "\' onerror=alert(1)")',
  '[<img src=x onerror=alert(1)>](https://e.example)',
  '[![x](javascript:alert(1))](javascript:alert(1))',
  '[![x](https://e.example/i.png)](https://e.example)',
  '[x]: https://e.example "><script>alert(1)</script>"\n[x]',
  '[x](javascript&colon;alert(1)) [y](javas\\cript:alert(1)) [z](&#x6A&#x61&#x76&#x61script:alert(1))',
  'https://e.example/<script>alert(1)</script>',
  'https://e.example/"onmouseover="alert(1)',
  "https://e.example/'onmouseover='alert(1)",
  'www.e.example/"><img src=x onerror=alert(1)>',
  '<https://e.example/"onclick="alert(1)>',
  '<javascript:alert(1)> <data:text/html,x> <MAILTO:a@e.example?body="><script>',
  'mailto:"onclick="@e.example ann@e.example"onclick="',
  '|<img src=x onerror=alert(1)>|`|`|\n|:-:"onclick=x|-|\n|<script>|</script>|',
  '<div>\n\n[x](javascript:alert(1))\n\n</div>',
  '> <script>\n> alert(1)\n> </script>',
  '- <b>\n- [x](\n  javascript:alert(1))',
  '@bob"onclick=alert(1) @bob<img src=x onerror=alert(1)> @javascript:alert(1)',
  '<b>@bob</b><a href="https://e.example">@bob</a><img alt="@bob" src=https://e.example>',
  '<p title="@bob">@bob</p>&#64;bob &commat;bob',
  '[@bob](https://e.example) ![@bob](https://e.example/i.png)',
]

const payloads = [
  ...HANDLED.flatMap((tag, i) => HANDLERS.map((handler, j) => `<${tag}${GAPS[(i + j) % GAPS.length]}${handler}=alert(1)>x`)),
  ...GAPS.map((gap) => `<img${gap}src=x${gap}onerror${gap === '/' ? '' : gap}=${gap === '/' ? '' : gap}"alert(1)"${gap}>`),
  ...SCHEMES.flatMap((url, i) => CONTEXTS.filter((_, j) => (i + j) % 2 === 0).map((context) => context(url))),
  ...SCHEMES.flatMap((url) => [CONTEXTS[0]!(url), CONTEXTS[10]!(url), CONTEXTS[12]!(url)]),
  ...MUTATIONS,
  ...MUTATIONS.map((payload) => `<p title="${payload}">${payload}</p>`),
  ...MUTATIONS.map((payload) => `<table><tr><td>${payload}</td><svg>${payload}</svg></table>*${payload}`),
]

describe('cross-site scripting', () => {
  test('the check itself finds the payloads dangerous', () => {
    const dangerous = payloads.filter((payload) => unsafeParts(payload).length > 0)
    console.log(`${payloads.length} payloads, ${dangerous.length} of them dangerous as HTML, ${new Set(payloads).size} different`)
    expect(new Set(payloads).size).toBeGreaterThan(600)
    expect(dangerous.length).toBeGreaterThan(500)
  })

  test.each(TYPES)('no payload survives as %s', (type) => {
    expect(payloads.map((payload) => [payload, trouble(payload, type)]).filter(([, problem]) => problem)).toEqual([])
  })

  test.each(TYPES)('nor two payloads in a row as %s', (type) => {
    const pairs = payloads.map((payload, i) => payload + payloads[(i * 7 + 13) % payloads.length])
    expect(pairs.map((pair) => [pair, trouble(pair, type)]).filter(([, problem]) => problem)).toEqual([])
  })

  test('nor the text of a payload, rendered again', () => {
    for (const payload of payloads) expect(trouble(plainText(render(payload, 'markdown')), 'html')).toBe('')
  })
})

const tagName = fc.constantFrom(...ALLOWED_TAGS, ...OTHER_TAGS)
const attribute = fc.constantFrom('', ...ATTRIBUTES.map((text) => ` ${text}`))
const words = fc.constantFrom(...WORDS)
const htmlPiece = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(tagName, fc.array(attribute, { maxLength: 3 })).map(([name, list]) => `<${name}${list.join('')}>`) },
  { weight: 3, arbitrary: tagName.map((name) => `</${name}>`) },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
)
const markdownPiece = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: htmlPiece },
)

describe('random documents are safe and stable', () => {
  test('html', () => {
    const document = fc.array(htmlPiece, { maxLength: 40, size: 'max' }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(document, (source) => {
        expect(trouble(source, 'html')).toBe('')
      }),
      { numRuns: 2500 },
    )
  })

  test('markdown', () => {
    const document = fc.array(markdownPiece, { maxLength: 60, size: 'max' }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(document, fc.constantFrom<ContentType>('text', 'markdown'), (source, type) => {
        expect(trouble(source, type)).toBe('')
        mentionedUsernames(source, type)
      }),
      { numRuns: 2500 },
    )
  })

  test('html that was rendered and is sent in again', () => {
    const document = fc.array(markdownPiece, { maxLength: 40, size: 'max' }).map((pieces) => render(pieces.join(''), 'markdown'))
    fc.assert(
      fc.property(document, (source) => {
        expect(render(source, 'html')).toBe(source)
      }),
      { numRuns: 500 },
    )
  })
})

test('every README of 15,000 bytes at most renders to safe HTML', () => {
  const all = readmes()
  const started = performance.now()
  for (const { name, text } of all) for (const type of TYPES) expect([name, type, trouble(text, type)]).toEqual([name, type, ''])
  console.log(`${all.length} READMEs in ${(performance.now() - started).toFixed(0)} ms`)
  expect(all.length).toBeGreaterThan(50)
})
