/** A text, or bytes that are not valid UTF-8. */
export type JsonText = string | Buffer

const words = ({ raw }: TemplateStringsArray): string[] => (raw[0] as string).trim().split(/\s+/)
const bytes = (latin1: string) => Buffer.from(latin1, 'latin1')

/** Unterminated structures. */
const UNCLOSED: readonly string[] = [
  ...words`
  [ { [1 [1, [{} ["" ["a" ["a ["asd] ["x" [x [' [, [{ {[ {, {"a {"a" {"a": {"": {'a' {"asd":"asd" {"a":"a [true [false " ["\{["\{["\{["\{
  {"a":[} {"a":[1,{"b": [[[[[[[[ {"a":"\u12
`,
  '[1,\n1\n,1',
  '["a",\n4\n,1,',
  '{"x": true,',
  '[ false, nul',
  '[ true, fals',
  '[ false, tru',
  '["\\',
  '"\\',
  '["",\n',
]

/** Misplaced brackets, commas and colons. */
const MISPLACED: readonly string[] = [
  ...words`
  ] } [1,] [,1] [1,,2] [1,,] ["x",,] ["",] ["x"]] [1]] [""], []] [[] {] [} 1] {}} [][] {}{} [1:2] [3[4]] [,] [-] [*] * {"x"::"b"} {"a"::1}
  {"a":} {:"b"} {:1} {1:1} {9999E9999:1} {null:null,null:null} {"a":1,,"b":2} {"a":"b",,"c":"d"} {"a":1,} {"id":0,,,,,} {,"a":1}
  {"a":1;"b":2} {"a"=1} ("a") {"a":(1)} {"a":1}, ,{} :{} {{}} {"a":{} {"a":[1} {"a":{1]}
`,
  '[1 true]',
  '[1 2]',
  '["": 1]',
  '[   , ""]',
  '["a" "b"]',
  '["x", truth]',
  '{"x", null}',
  '{"a" 1}',
  '{"a" b}',
  '{"a" "b"}',
  '{[: "x"}',
  '{ "foo" : "bar", "a" }',
  '{"a":1 "b":2}',
]

/** Identifiers that are valid in JavaScript but not in JSON. */
const WORDS: readonly string[] = [
  ...words`
  {a:1} {'a':1} {🇨🇭} abc å aå [é] 'a' [True] {"a":True} {"a":TRUE} {"a":False} {"a":None} {"a":nil} {"a":undefined} {"a":NaN}
  {"a":Infinity} {"a":-Infinity} [NaN] [-NaN] [Infinity] [-Infinity] [Inf] [+Inf] [fals] [nul] [tru] {"a":tru} {"a":nul} nul tru fals
  truee nulll [truefalse] {"a":function(){}} {"a":b} {"a":[b]} {"a":/x/} {"a":Symbol()} {...{}} {["a"]:1} {"a"}
`,
  '{a: "b"}',
  "{key: 'value'}",
  "['single quote']",
  '`a`',
  '[`a`]',
  '{"a":new Date()}',
  '{get a(){}}',
]

/** Number notations of other languages. */
const NUMBERS: readonly string[] = [
  ...words`
  +1 ++1234 -01 -1.0. -2. .-1 .2e-3 0.1.2 0.3e+ 0.3e 0.e1 0E+ 0E 0e+ 0e 1.0e+ 1.0e- 1.0e 1_000 1eE2 1ee2 2.e+3 2.e-3 2.e3 9.e+ １ ٣ 1+2 1-1
  0x1 0x42 0X42 0b1 0o7 07 012 00 -012 -00 0e+-1 1e1.5 -123.123foo -foo --1 -.123 -.1 .1 . - + e1 1x -1x 1ea 1e 1. .123 1.2a-3
  1.8011670033376514H-308 1n 1f 1.0f 1e+ 1E- 1.e1 0. -0. ∞ ½ 1² $1 1% #1 1/2
`,
  '1 000.0',
  '- 1',
  '1 1',
  '1\u00a00',
].flatMap((number) => [`[${number}]`, `{"a":${number}}`])

/** Invalid strings. */
const STRINGS: readonly string[] = [
  ...words`
  \a \x00 \x41 \q \' \0 \1 \v \e \U0041 \u \u1 \u00 \u00A \uqqqq \u{41} \u+041 \u-041 \uD834\uDd \uD800\u \uD800\u1 \uD800\u1x
  \uD800\uD800\x \🌀 a"b
`,
  '\\',
  '\\u 041',
  '\\uD800\\',
  '\\ud800\\',
  '\\\\\\',
  '\\\u0000',
  '\\\t',
  '\\\n',
  '\\ ',
  'a\\"b\\',
  // Control characters must be escaped.
  ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}a`),
].flatMap((inner) => [`["${inner}"]`, `{"a":"${inner}"}`])

/** Invalid text before, after and between tokens. */
const AROUND: readonly string[] = [
  ...words`
  {"a":"b"}# {"a":"b"}#{} {"a":"b"}/**/ {"a":"b"}/**// {"a":"b"}// {"a":"b"}//x {"a":"b"}/ /**/{"a":"b"} {"a":1/*x*/} {"a":/*comment*/"b"}
  {"a":1}{"b":2} [1]x ""x 2@ {}x {}; [\n] [\u0020"asd"] [\u000A""] \u007B\u007D <.> <null> [<null>] <xml/> a=1 {"a":1}&b=2 --boundary
  while(1);{} callback({}) (1)
`,
  '//x\n{}',
  '#x\n{}',
  '{"a":1//x\n}',
  '{"a": true} "x"',
  '{"a":"a" 123}',
  '{} {}',
  '{}\u0000',
  '\u0000{}',
  '\u0000',
  '[\u0000]',
  '123\u0000',
  '\u2060{}',
  '[\u2060]',
  '\u2060',
  '\u200b{}',
  '\u00a0{}',
  '{}\u00a0',
  '\u000b{}',
  '\f{}',
  '[\f]',
  '[\u000b]',
  '\u0085{}',
  '\u2028{}',
  '\u3000{}',
  '["\u000ba"\f]',
  '{"a":\u00a01}',
  '{"a":\f1}',
  '{"a":\u000b1}',
  '\ufeff\ufeff{}',
  '{}\ufeff',
  '{\ufeff}',
  ")]}',\n{}",
  '{"a":1}\n{"b":2}',
  '\u001e{}',
  '\u001b[0m{}',
  '{}\u001a',
]

/** Invalid UTF-8, and other encodings. */
const BYTES: readonly Buffer[] = [
  '[a\xe5]',
  '[\xff]',
  '[123\xe5]',
  '[1e1\xe5]',
  '[0\xe5]\n',
  '[1e\xe5]',
  '["\\u\xe5"]',
  '["\\\xe5"]',
  '{"\xb9":"0",}',
  '\xe5',
  '\xe9',
  '\xef\xbb',
  '\xef\xbb{}',
  '{"a":\xff}',
  '{}\xff',
  '\xff{}',
  // Two other encodings without a byte order mark, and with another one.
  '\x00[\x00"\x00\xe9\x00"\x00]',
  '[\x00"\x00\xe9\x00"\x00]\x00',
  '\xff\xfe[\x00]\x00',
  '\xfe\xff\x00[\x00]',
  '\xff\xfe{\x00}\x00',
  '+AHs-+AH0-\xff',
].map(bytes)

const DEEP: readonly string[] = ['['.repeat(100_000), '{"":'.repeat(20_000), '[{"":'.repeat(50_000), `${'['.repeat(500)}${']'.repeat(499)}`]

/** Empty texts: refused as a missing body or as invalid JSON. */
export const NO_JSON: readonly string[] = ['', ' ', '\t', '\r\n', '\ufeff']

/** At the top level, and as a member value: invalid text inside a valid object. */
const inside = (text: string) => `{"title":${text}}`

/** Invalid JSON, including text that lenient parsers accept. */
export const BROKEN_JSON: readonly JsonText[] = [
  ...new Set([...[UNCLOSED, MISPLACED, WORDS, NUMBERS, STRINGS, AROUND, DEEP].flat(), ...[UNCLOSED, MISPLACED, WORDS].flat().map(inside)]),
  ...BYTES,
]

/** Invalid bytes in strings and names: the parser may refuse or replace them, but must not fail. */
const ODD_BYTES: readonly Buffer[] = [
  '\xe5',
  '\xff',
  '\x80',
  '\xbf',
  '\xc0\xaf',
  '\xc0\x80',
  '\xc1\xbf',
  '\xe0\xff',
  '\xe0\x80\xaf',
  '\xe6\x97\xa5\xd1\x88\xfa',
  '\xed\xa0\x80',
  '\xed\xb0\x80',
  '\xf0\x80\x80\xaf',
  '\xf4\xbf\xbf\xbf',
  '\xf8\x80\x80\x80\x80',
  '\xfc\x80\x80\x80\x80\x80',
  '\xfc\x83\xbf\xbf\xbf\xbf',
  '\xfe',
  '\xe2\x82',
  '\xf0\x9f\x98',
  '\xe9',
].flatMap((inner) => [
  bytes(`{"a":"${inner}"}`),
  bytes(`{"${inner}":1}`),
  bytes(`{"title":"x${inner}y","message":"x${inner}y","comment":"${inner}"}`),
])

const ODD_NUMBERS: readonly string[] = [
  ...words`
  0 -0 -0.0 1 -1 -123 20e1 123.456789 123e45 123e65 1e+2 1e-2 1E+2 1E-2 1E22 0e1 0e+1 0E0 0.5 1.5 1e3 123123e100000 -123123e100000 1e400
  -1e400 1e-400 1e9999 0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999969999999006
  -1e+9999 1.5e+9999 123123e-10000000 -123123123123123123123123123123 100000000000000000000
  -237462374673276894279832749832423479823246327846 123456789012345678901234567890 0.00000000000000000000000000000000000000000000000001
  -0.000000000000000000000000000000000000000000000000000000000000000000000000000001 9007199254740993 1.7976931348623157e308
  1.7976931348623159e308 4.9406564584124654e-324 2.2250738585072014e-308 2147483648 -2147483649 4294967296 9223372036854775807
  9223372036854775808 18446744073709551616 1.0 100.0e0 10e-1
`,
]

const ODD_STRINGS: readonly string[] = [
  ...words`
  asd \u0060\u012a\u12AB \"\\\/\b\f\n\r\t \" \\u0000 \/ \u0000 \u0012 \u0020 \u0022 \u005C \u0123 \u0821 \u2028 \u2029 \u200B \u2064
  \uFDD0 \uFFFE \uFFFF \uA66D \uDBFF\uDFFE \uD83F\uDFFE \uD801\udc37 \ud83d\ude39\ud83d\udc8d \uD834\uDd1e \ud800 \uD800 \uDFAA \uDADA
  \uD888\u1234 \uD800\uD800\n \uDd1e\uD834 \udc00\ud800 \uD800\n \uDd1ea \ud800abc \uDC00 a/*b*/c/*d//e 😀􏿿🿿 π €𝄞 ⍂㈴⍂ à 󠀁 null {}
  \u0061\u30af\u30EA\u30b9 new\u000Aline new\u00A0line
`,
  '',
  ' ',
  '\u007f',
  '\u0085',
  '\u2028\u2029',
  '\ufdd0\ufffe\uffff',
  '\u202e',
  '\ufeff',
  '\\\\',
  'ఽ\u2029',
]

const ODD_STRUCTURES: readonly string[] = [
  ...words`
  {} [] [""] ["a"] [false] [true] [null] [1,null,null,null,2] [{}] "asd" "" null true false 0 42 -0.1 ["\u0061"] {"":0} {"a":[]}
  {"a":[[],[[]]]} {"a":{"b":{}}} {"a":[null,1,"1",{}]} {"a":1,"a":2} {"a":"b","a":"b"} {"a":"b","a":"c"} {"asd":"sdf"}
  {"title":"\u041f\u043e\u043b"} {"\u0000":1} {"__proto__":1} {"__proto__":null} {"\u005f_proto__":{"x":1}}
  {"constructor":{"prototype":{}}} {"toString":1,"valueOf":2,"hasOwnProperty":3} {"then":1,"catch":2} {"length":1}
`,
  ' {} ',
  '\r\n\t{}\r\n\t',
  '\n{}',
  '[[]   ]',
  '[null, 1, "1", {}]',
  '[1\n]',
  ' [1]',
  '[2] ',
  '[ ]',
  '{"foo\\u0000bar": 42}',
  '{"min": -1.0e+28, "max": 1.0e+28}',
  '{"asd":"sdf", "dfg":"fgh"}',
  '{\n"a": "b"\n}',
  '{"x":[{"id": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}], "id": "x"}',
  '\ufeff{}',
  `${'['.repeat(500)}${']'.repeat(500)}`,
  `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
]

/** Valid but unusual JSON, and bytes that are almost JSON. */
export const ODD_JSON: readonly JsonText[] = [
  ...new Set([
    ...ODD_STRUCTURES,
    ...ODD_NUMBERS.flatMap((number) => [`[${number}]`, `{"a":${number}}`]),
    ...ODD_STRINGS.flatMap((inner) => [`["${inner}"]`, `{"a":"${inner}"}`, `{"${inner}":1}`]),
  ]),
  ...ODD_BYTES,
]
