/*
 * Texts that have broken programs: values that look like other types, code in other languages, and Unicode beyond letters. Most are
 * generated from a few parts, so that no kind is missing.
 */

const code = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))

const WORDS: readonly string[] =
  'undefined undef null NULL (null) nil NIL true false True False TRUE FALSE None hasOwnProperty then constructor __proto__ prototype toString valueOf NaN Infinity -Infinity INF 1#INF eval this self arguments exports require default status id me new undefined.null \\ \\\\ . .. ... - -- _ ~ # ! ? * % %% & && | || ; ;; : :: = == < > ^ $ $$ @ @@ , /'.split(
    ' ',
  )

const NUMBERS: readonly string[] =
  '0 1 1.00 $1.00 1/2 1E2 1E02 1E+02 -1 -1.00 -$1.00 -1/2 -1E2 1/0 0/0 -2147483648/-1 -9223372036854775808/-1 -0 -0.0 +0 +0.0 0.00 0..0 . 0.0.0 0,00 0,,0 , 0,0,0 0.0/0 1.0/0.0 0.0/0.0 1,0/0,0 0,0/0,0 --1 - -. -, 999999999999999999999999999999 1#QNAN 1#SNAN 1#IND 0x0 0xffffffff 0xabad1dea 123456789012345678901234567890123456789 1,000.00 1’000.00 1.000,00 01000 08 09 2.2250738585072011e-308 012-345-6789 192.168.1.1 ::1 1e309 ٠١٢٣ １２３'.split(
    ' ',
  )

/** Characters that end a quoted context in some language, alone and in pairs. */
const QUOTES = [
  "'",
  '"',
  '`',
  "''",
  '""',
  `'"'`,
  `"''''"'"`,
  `"'"'"''''"`,
  '\\"',
  "\\'",
  '“”',
  '‘’',
  '«»',
  '»«',
  '„“',
  '< foo val=“bar” />',
]

const INJECTIONS = [
  ...["'", '"', '`', ')', "')", "'))", '";', '1', '-1'].flatMap((end) =>
    [
      ' or 1=1--',
      '; drop table users; --',
      ' union select null,null--',
      ' and sleep(5)--',
      '||pg_sleep(5)||',
      '/**/or/**/1',
      '; select randomblob(1e9)--',
    ].map((text) => end + text),
  ),
  ...['<', '"><', "'><", '</textarea><', '<!--><', ']]><', '<!', '<%', '<?'].flatMap((start) =>
    ['script>alert(1)</script>', 'img src=x onerror=alert(1)>', 'svg/onload=alert(1)>'].map((text) => start + text),
  ),
  ...['$(', '`', '; ', '| ', '&& ', '|| ', '\n', '%0a'].map((start) => `${start}touch /tmp/x`),
  ...[
    '{{7*7}}',
    `$${'{7*7}'}`,
    '#{7*7}',
    '<%= 7*7 %>',
    '{%x%}',
    `$${'{jndi:ldap://127.0.0.1/a}'}`,
    '%s%s%s%n',
    '%x%d%p',
    '%*.*s',
    '{0}',
    '%@',
    '$HOME',
    '%USERPROFILE%',
  ],
  ...[
    '../../../etc/passwd',
    '..\\..\\windows\\win.ini',
    '/dev/zero',
    'CON',
    'aux.txt',
    'nul',
    'file:///etc/passwd',
    '%2e%2e%2f',
    '....//....//',
    'a\u0000.png',
    'C:\\x',
  ],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'http://a/%%30%30',
    'http://[::1]:1',
    'http://a b',
    '//evil',
    'http:/\\evil',
  ],
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '() { 0; }; touch /tmp/x',
  '=cmd|x!A1',
  '@SUM(1+1)*cmd',
  '+1-1',
  'a\r\nSet-Cookie: x=1',
  'a\r\n\r\n<html>',
  'To: a@b\nBcc: c@d',
  '\u001b[2J\u001b[31mred\u001b[0m',
  '\u0007\b\b\b',
  'Roses are \u001b[0;31mred\u001b[0m',
  '-----BEGIN',
  '*)(uid=*))(|(uid=*',
  '{"$gt":""}',
  '[object Object]',
  '\\u0000\\x00%00',
  'Powerلُلُصّبُلُلصّبُررً ॣ ॣh ॣ ॣ 冗',
  'జ్ఞ‌ా',
  '🏳0🌈️',
]

const CONTROLS = [...code(0, 31), ...code(127, 159)].map((one) => `a${one}b`)
const SPACES = [
  ...[9, 10, 11, 12, 13, 32, 0x85, 0xa0, 0x1680, 0x180e, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff].map((one) =>
    String.fromCodePoint(one),
  ),
  ...code(0x2000, 0x200a),
].flatMap((space) => [space, `${space}a${space}`])
const INVISIBLE = [
  ...code(0x200b, 0x200f),
  ...code(0x202a, 0x202e),
  ...code(0x2060, 0x206f),
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x3164, 0xfe0f, 0xfff9, 0xfffa, 0xfffb, 0xfffc, 0xe0001, 0xe0020, 0xe007f].map((one) =>
    String.fromCodePoint(one),
  ),
].map((one) => `a${one}b${one}`)
const NO_CHARACTERS = [
  ...[0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x10ffff, 0xe000, 0xf8ff, 0x10fffd].map((one) => String.fromCodePoint(one)),
  ...['\ud800', '\udbff', '\udc00', '\udfff', '\ud800\ud800', '\udc00\ud800', 'a\ud83d', '\ude00a'],
]
/** Characters whose length or meaning changes with case, width or normalization. */
const CHANGING =
  'ß ẞ İ ı i̇ ǅ ŉ ﬀ ﬃ Ⅷ ﷺ ㎢ Å Å Å Ω Ω K K ſ ς Σ σ ö ö q̣̇ q̣̇ Ą̊ ᾳ ΐ և ﬓ ẖ Ⱥ Ⱦ ȺȺȺ ｶﾞ ガ ゙ 각 각 ⁰⁴⁵ ₀₁₂ Ⓐ 🄰 𝕋𝕙𝕖 𝒯𝒽𝑒 Ṱ̺̺̕o͞ ̷ ˙ɐnbᴉlɐ аррӏе раураl ᏚᎢ ﬁﬂ'.split(
    ' ',
  )
const SCRIPTS = [
  '田中さんにあげて下さい 社會科學院語學研究所 울란바토르 𠜎𠜱𠝹𠱓 𪛖',
  'Ⱥ Ⱦ 表ポあA鷗ŒéＢ逍Üßªąñ丂㐀𠀀',
  'ด้้้้้็็็็็้้้้้็็็็็้้้้้้้้็็็็็้้้้้',
  'בְּרֵאשִׁית, בָּרָא אֱלֹהִים',
  'هُنَاكَ مُقَاطَعَة ‏test‎ ﷽ الإمارات',
  '̡͓̞ͅI̗̘̦͝n͇͇͙v̮̫ok̲̫̙͈i̖͙̭̹̠̞n̡̻̮̣̺g̲͈͙̭͙̬͎ ̰t͔̦h̞̲e̢̤ ͍̬̲͖f̴̘͕̣è͖ẹ̥̩l͖͔͚i͓͚̦͠n͖͍̗͓̳̮g͍ ̨o͚̪͡f̘̣̬ ̖̘͖̟͙̮c҉͔̫͖͓͇͖ͅh̵̤̣͚͔á̗̼͕ͅo̼̣̥s̱͈̺̖̦̻͢.̛̖̞̠̫̰',
  '😍 👩🏽 👨‍🦰 👩‍👩‍👧‍👦 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇨🇭🇨 1️⃣ ✋🏿💪🏿 🧑‍🚀 🫠',
  '(╯°□°）╯︵ ┻━┻) ¯\\_(ツ)_/¯ ﾟ･✿ヾ╲(｡◕‿◕｡)╱✿･ﾟ',
  '¡™£¢∞§¶•ªº–≠ œ∑´®†¥¨ˆøπ“‘ åß∂ƒ©˙∆˚¬…æ Ω≈ç√∫˜µ≤≥÷ ¸˛Ç◊ı˜Â¯˘¿ ⁰⁴⁵₀₁₂',
  '𝐓𝐡𝐞 𝔮𝔲𝔦𝔠𝔨 ʇɥǝ ⒯⒣⒠',
]
const BOMBS = [
  'a'.repeat(256),
  'a'.repeat(10_001),
  `a${'\u0301'.repeat(2000)}`,
  '\u0338'.repeat(500),
  'ﷺ'.repeat(500),
  '\u202e'.repeat(300),
  ' '.repeat(5000),
  '\n'.repeat(3000),
  '@'.repeat(3000),
  '@a '.repeat(1000),
  '#a '.repeat(1000),
  '/'.repeat(3000),
  '-'.repeat(3000),
  '&amp;'.repeat(1000),
  '&#x41;'.repeat(800),
  '<b>'.repeat(1000),
  '[a]('.repeat(800),
  '*_'.repeat(1500),
  '`'.repeat(2001),
  '> '.repeat(1000),
  '- '.repeat(1000),
  '| a '.repeat(800),
  '\\'.repeat(3000),
  'https://a.b/'.repeat(300),
  'a.'.repeat(1500),
  `a@${'a.'.repeat(1000)}`,
  `${'a'.repeat(3000)}@b.c`,
  '👩‍👩‍👧‍👦'.repeat(300),
  '\u{1f1e8}'.repeat(999),
  '0'.repeat(3000),
  `1${'0'.repeat(400)}`,
  '%41'.repeat(1000),
  'word '.repeat(3000),
]

/** More than five hundred distinct texts. */
export const NAUGHTY: readonly string[] = [
  ...new Set([
    '',
    ...WORDS,
    ...NUMBERS,
    ...QUOTES,
    ...INJECTIONS,
    ...CONTROLS,
    ...SPACES,
    ...INVISIBLE,
    ...NO_CHARACTERS,
    ...CHANGING,
    ...SCRIPTS,
    ...BOMBS,
  ]),
]
