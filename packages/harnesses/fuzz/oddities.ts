import type { Random } from '#test/random.ts'

/** JSON text that no JavaScript value serializes to. */
export class Verbatim {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const long = (length: number, of = 'x') => of.repeat(Math.ceil(length / of.length)).slice(0, length)

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '0',
  '-1',
  '1e3',
  '0x10',
  'NaN',
  'null',
  'true',
  'undefined',
  '[object Object]',
  '9007199254740993',
  '99999999999999999999',
  '1e400',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'a\u0000b',
  '\u0000',
  '\ud800',
  'x\udfffy',
  '\udc00\ud800',
  '\ufeff\ufffe\uffff',
  '\u202eabc\u202c\u2066\u2069',
  '\u200b\u200d\u200c\u00ad',
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e'.repeat(40),
  'İıIi ǅ ß ﬁ Å Å K Ⅳ ﷺ',
  '👩‍👩‍👧‍👦🏳️‍🌈🇪🇺',
  '日本語テスト 漢字 ひらがな 한국어 العربية עברית',
  `' or 1=1 --`,
  `'); drop table feeds; --`,
  `" ) ( * NEAR/2 AND OR NOT ^ : {a} -b`,
  '%',
  '_',
  '\\',
  '%\\',
  '\\%_',
  '$1 $2 {{x}} #{x} %s %n',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '/etc/passwd%00.png',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '[x](javascript:alert(1)) ![x](data:text/html,x)',
  '[[[[[[[[[[[[[[[[[[[[',
  '**__~~``'.repeat(50),
  '> '.repeat(300),
  '@member @moderator @nobody-at-all @',
  'javascript:alert(1)',
  'http://0.0.0.0:5432/',
  'http://[::1',
  'https://user:pass@example.org/?q=#f',
  'https://例え.テスト/パス',
  `https://example.org/${'a/'.repeat(1500)}`,
  'data:text/html,<b>x</b>',
  'a@b',
  'someone@example.org',
  '2026-02-30 00:00:00',
  '0000-00-00 00:00:00',
  '0000-01-01 00:00:00',
  '9999-12-31 23:59:59',
  '9999-12-31T23:59:60',
  '2026-11-20T09:30:00Z',
  '2026-11-20',
  'MjAyNi0wMS0wMQ==',
  long(255),
  long(256),
  long(4097),
  long(15_001),
  long(10_001, 'é'),
  long(40_000, 'word '),
  long(20_000, '漢'),
  long(30_000, '('),
  long(30_000, '<'),
]

const NUMBERS: readonly unknown[] = [
  -1,
  0,
  -0,
  1,
  1.5,
  -0.5,
  1e-320,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  new Verbatim('1e3'),
  new Verbatim('1e400'),
  new Verbatim('-1e400'),
  new Verbatim('9007199254740993'),
  new Verbatim('99999999999999999999'),
  new Verbatim('1.0'),
]

const nested = (depth: number, array: boolean) =>
  new Verbatim(array ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

const STRUCTURES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [1, '2', null, {}],
  { 0: 'a', length: 1 },
  new Verbatim('{"toString":"x","valueOf":"y","then":"z","toJSON":1}'),
  { id: 1, data: { status: 1 } },
  new Verbatim('{"__proto__":{"polluted":1}}'),
  new Verbatim('{"constructor":{"prototype":{"polluted":1}}}'),
  new Verbatim('{"a":1,"a":2}'),
  nested(4, false),
  nested(15, true),
  nested(17, false),
  nested(500, true),
  nested(20_000, true),
  nested(20_000, false),
  Array.from({ length: 51 }, (_, i) => i + 1),
  Array.from({ length: 1999 }, () => 1),
  Array.from({ length: 2001 }, () => 'x'),
]

const HUGE = [long(270_000), long(240_000, 'ab '), long(120_000, '漢')]

export const oddText = (random: Random): string => (random.oneIn(400) ? random.pick(HUGE) : random.pick(TEXTS))

/** An unusual JSON value. */
export const oddValue = (random: Random): unknown => {
  const kind = random.int(10)
  if (kind < 5) return oddText(random)
  return random.pick(kind < 7 ? NUMBERS : STRUCTURES)
}

export const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'a\u0000b',
  '\ud800',
  'x'.repeat(300),
  '0',
  'then',
  'length',
  '$ref',
  'a.b',
  'a[b]',
]

/** Percent-encoded path segments that no client would produce; sent unchanged. */
export const RAW_SEGMENTS = [
  '%00',
  'a%00b',
  '%2e%2e',
  '..',
  '.',
  '..%2f..%2f',
  '%2f',
  '%5c..%5c',
  '%c0%ae%c0%ae',
  '%ff',
  '%ed%a0%80',
  '%',
  '%zz',
  '%u0041',
  '%25',
  ';a=b',
  ':id',
  '*',
  '{feed_id}',
  '__proto__',
  '1,2',
  '+1',
  '%201',
  '1%20',
  '%EF%BC%91',
  '01',
  '1.0',
  '-0',
  `${'9'.repeat(400)}`,
  'x'.repeat(3000),
]

/** Serializes a value that may contain parts JSON.stringify cannot write. */
export const toJson = (value: unknown): string => {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item === undefined ? null : item)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).filter(([, item]) => item !== undefined)
    return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${toJson(item)}`).join(',')}}`
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}
