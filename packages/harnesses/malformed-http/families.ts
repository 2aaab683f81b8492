import type { Bytes } from '#test/raw-socket.ts'
import type { Case } from './cases.ts'

interface Setting {
  readonly root: string
  readonly authorization: string
}

/*
 * Generated cases: every byte in each place of a request where servers may disagree, every spelling of a version, length, host or target,
 * and every position at which a request can be split or truncated.
 */

const EVERY_BYTE = Array.from({ length: 256 }, (_, byte) => byte)
/** Characters of header names and methods. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]$/
const charOf = (byte: number) => String.fromCharCode(byte)
const nameOf = (byte: number) => `0x${byte.toString(16).padStart(2, '0')}`
const isToken = (byte: number) => TOKEN.test(charOf(byte))
const isBlank = (byte: number) => byte === 0x20 || byte === 0x09
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39
/** Control characters except the tab, which is allowed in values. */
const isControl = (byte: number) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f

const isOneOf = (byte: number, of: string) => of.includes(charOf(byte))

type Must = Case['must']
const untilClosed = { untilClosed: true } as const

const one = (name: string, must: Must, pieces: readonly Bytes[], options?: Case['options']): Case => ({
  name,
  must,
  pieces,
  ...((options ?? must === 'be cut') && { options: options ?? untilClosed }),
})

const everyByte = (name: string, text: (char: string) => string, must: (byte: number) => Must): Case[] =>
  EVERY_BYTE.map((byte) => one(`${name} ${nameOf(byte)}`, must(byte), [text(charOf(byte))]))

const bytesInHeads = ({ root }: Setting): Case[] => {
  const line = `GET ${root}/settings/public HTTP/1.1\r\n`
  const get = (headers: string) => `${line}Host: x\r\n${headers}\r\n\r\n`
  return [
    ...everyByte(
      'name of a header with',
      (char) => get(`X${char}Y: z`),
      (byte) => (isToken(byte) || byte === 0x3a ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'name of a header that begins with',
      (char) => get(`${char}Y: z`),
      (byte) => (isToken(byte) ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'name of a header that ends with',
      (char) => get(`X${char}: z`),
      (byte) => (isToken(byte) || byte === 0x3a ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'value of a header with',
      (char) => get(`X: a${char}b`),
      (byte) => (isControl(byte) ? 'be refused' : 'succeed'),
    ),
    ...everyByte(
      'method with',
      (char) => `G${char}T ${line.slice(4)}Host: x\r\n\r\n`,
      (byte) => (byte === 0x45 ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'after the method',
      (char) => `GET${char}${line.slice(4)}Host: x\r\n\r\n`,
      (byte) => (byte === 0x20 ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'in the path',
      (char) => `GET ${root}/settings/p${char}blic HTTP/1.1\r\nHost: x\r\n\r\n`,
      (byte) => (byte === 0x75 ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'in the query',
      (char) => `${line.replace(' HTTP', `?a=${char}b HTTP`)}Host: x\r\n\r\n`,
      (byte) => (isControl(byte) || isBlank(byte) ? 'be refused' : byte > 0x7f || isOneOf(byte, '%#') ? 'be well' : 'succeed'),
    ),
    ...everyByte(
      'after a CR',
      (char) => `${line.slice(0, -1)}${char}Host: x\r\n\r\n`,
      (byte) => (byte === 0x0a ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'in place of the slash of the version',
      (char) => `GET ${root}/settings/public HTTP${char}1.1\r\nHost: x\r\n\r\n`,
      (byte) => (byte === 0x2f ? 'succeed' : 'be refused'),
    ),
    ...everyByte(
      'in the host',
      (char) => `${line}Host: a${char}b\r\n\r\n`,
      (byte) => (isControl(byte) ? 'be refused' : 'be well'),
    ),
  ]
}

/** Around the two headers that define the body length. */
const bytesInFraming = ({ root }: Setting): Case[] => {
  const hidden = `GET ${root}/settings/public HTTP/1.1\r\nHost: x\r\n\r\n`
  const body = `0\r\n\r\n${hidden}`
  const head = `POST ${root}/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  const both = (header: string) => `${head}Content-Length: ${body.length}\r\n${header}\r\n\r\n${body}`
  const alone = (header: string) => `${head}${header}\r\n\r\n{}x`
  const chunked = (text: string) => `${head}Transfer-Encoding: chunked\r\n\r\n${text}`
  return [
    // A different name is a different header: the body has its declared length, and there is one response.
    ...everyByte(
      'before the colon of Transfer-Encoding',
      (byte) => both(`Transfer-Encoding${byte}: chunked`),
      (byte) => (isToken(byte) ? 'be one' : 'be cut'),
    ),
    ...everyByte(
      'before Transfer-Encoding',
      (byte) => both(`${byte}Transfer-Encoding: chunked`),
      (byte) => (isToken(byte) ? 'be one' : 'be cut'),
    ),
    ...everyByte(
      'before chunked',
      (byte) => both(`Transfer-Encoding: ${byte}chunked`),
      () => 'be cut',
    ),
    ...everyByte(
      'after chunked',
      (byte) => both(`Transfer-Encoding: chunked${byte}`),
      () => 'be cut',
    ),
    ...everyByte(
      'before a length',
      (byte) => alone(`Content-Length: ${byte}3`),
      (byte) => (isBlank(byte) || isOneOf(byte, '0') ? 'be one' : isDigit(byte) ? 'be refused' : 'be cut'),
    ),
    ...everyByte(
      'after a length',
      (byte) => alone(`Content-Length: 3${byte}`),
      (byte) => (isBlank(byte) ? 'be one' : isDigit(byte) ? 'be refused' : 'be cut'),
    ),
    ...everyByte(
      'before the colon of Content-Length',
      (byte) => `${head}Content-Length${byte}: ${hidden.length}\r\n\r\n${hidden}`,
      (byte) => (isToken(byte) ? 'be well' : 'be cut'),
    ),
    ...everyByte(
      'after the size of a chunk',
      (byte) => chunked(`2${byte}\r\n{}\r\n0\r\n\r\n`),
      (byte) => (isOneOf(byte, ';') || isBlank(byte) ? 'be well' : 'be refused'),
    ),
    ...everyByte(
      'in an extension of a chunk',
      (byte) => chunked(`2;a=${byte}b\r\n{}\r\n0\r\n\r\n`),
      (byte) => (byte === 0x0a || byte === 0x0d ? 'be refused' : 'be well'),
    ),
    ...everyByte(
      'in place of the LF of a size',
      (byte) => chunked(`2\r${byte}{}\r\n0\r\n\r\n`),
      (byte) => (byte === 0x0a ? 'be one' : 'be refused'),
    ),
    ...everyByte(
      'behind a chunk',
      (byte) => chunked(`2\r\n{}${byte}\n0\r\n\r\n`),
      (byte) => (byte === 0x0d ? 'be one' : 'be refused'),
    ),
    ...everyByte(
      'in place of the last chunk',
      (byte) => chunked(`2\r\n{}\r\n${byte}\r\n\r\n`),
      (byte) => (isOneOf(byte, '0') ? 'be one' : 'be refused'),
    ),
    ...everyByte(
      'in a trailer',
      (byte) => chunked(`2\r\n{}\r\n0\r\nA${byte}: b\r\n\r\n`),
      (byte) => (isToken(byte) || byte === 0x3a ? 'be one' : 'be refused'),
    ),
  ]
}

const percent = ({ root, authorization }: Setting): Case[] =>
  EVERY_BYTE.flatMap((byte) =>
    ['/feeds/', '/profile/a'].map((place) => {
      const target = `${root}${place}%${byte.toString(16).padStart(2, '0')}${place === '/feeds/' ? '/by-id' : ''}`
      return one(`target ${target}`, 'be refused', [`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`])
    }),
  )

const numbers = ({ root }: Setting): Case[] => {
  const head = `POST ${root}/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  const digits = Array.from({ length: 10 }, (_, i) => i)
  const versions = digits.flatMap((major) =>
    digits.map((minor) =>
      one(`version ${major}.${minor}`, major === 1 && minor < 2 ? 'succeed' : 'be refused', [
        `GET ${root}/settings/public HTTP/${major}.${minor}\r\nHost: x\r\nConnection: close\r\n\r\n`,
      ]),
    ),
  )
  // Longer than any allowed body, or than a number can represent.
  const lengths = Array.from({ length: 64 }, (_, bits) => 2n ** BigInt(bits + 20)).map((length) =>
    one(`length ${length}`, 'be refused', [`${head}Content-Length: ${length}\r\n\r\n{}`]),
  )
  const sizes = Array.from({ length: 70 }, (_, i) => 'F'.repeat(i + 5)).map((size) =>
    one(`chunk of ${size.length} digits`, 'be refused', [`${head}Transfer-Encoding: chunked\r\n\r\n${size}\r\n{}`]),
  )
  const zeros = [1, 2, 7, 15, 16, 17, 100, 1000, 16_000].map((count) =>
    one(`size with ${count} zeros`, 'be well', [`${head}Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(count)}2\r\n{}\r\n0\r\n\r\n`]),
  )
  return [...versions, ...lengths, ...sizes, ...zeros]
}

const sizes = ({ root }: Setting): Case[] => {
  const line = `GET ${root}/settings/public HTTP/1.1\r\nHost: x\r\n`
  const ladder = [64, 256, 1000, 4000, 8000, 12_000, 15_000, 17_000, 20_000, 40_000, 100_000, 400_000, 2_000_000]
  const must = (bytes: number): Must => (bytes < 16_000 ? 'succeed' : 'be refused')
  return [
    ...ladder.map((bytes) => one(`value of ${bytes} bytes`, must(bytes), [`${line}X: ${'a'.repeat(bytes)}\r\n\r\n`])),
    ...ladder.map((bytes) => one(`name of ${bytes} bytes`, must(bytes), [`${line}${'a'.repeat(bytes)}: x\r\n\r\n`])),
    ...ladder.map((bytes) => one(`query of ${bytes} bytes`, must(bytes), [`${line.replace(' HTTP', `?${'a'.repeat(bytes)} HTTP`)}\r\n`])),
    ...ladder.map((bytes) => one(`path of ${bytes} bytes`, 'be refused', [`GET /${'a'.repeat(bytes)} HTTP/1.1\r\nHost: x\r\n\r\n`])),
    ...ladder.map((bytes) => one(`method of ${bytes} bytes`, 'be refused', [`${'A'.repeat(bytes)} / HTTP/1.1\r\nHost: x\r\n\r\n`])),
    ...ladder.map((bytes) =>
      one(`host of ${bytes} bytes`, bytes < 16_000 ? 'be well' : 'be refused', [
        `GET ${root}/settings/public HTTP/1.1\r\nHost: ${'a'.repeat(bytes)}\r\n\r\n`,
      ]),
    ),
    ...ladder.map((bytes) =>
      one(`${bytes} blanks before a value`, bytes < 16_000 ? 'succeed' : 'be well', [`${line}X:${' '.repeat(bytes)}a\r\n\r\n`]),
    ),
    ...[1, 10, 50, 98, 99, 100, 101, 200, 1000, 5000].map((count) =>
      one(`${count} more headers`, count < 99 ? 'succeed' : count === 99 ? 'be well' : 'be refused', [
        `${line}${'a: b\r\n'.repeat(count)}\r\n`,
      ]),
    ),
    ...[1, 2, 10, 100].map((count) => one(`${count} empty lines before`, 'succeed', [`${'\r\n'.repeat(count)}${line}\r\n`])),
  ]
}

const HOSTS =
  'x x: x:0 x:80 x:65535 x:65536 x:-1 x:x :80 [::1] [::1]:80 [::1 ::1 [x] 127.0.0.1 127.1 0 2130706433 0x7f.1 localhost LOCALHOST x.y. .x x..y -x x_y x/y x?y x#y x@y x:y@z x,y x;y x%00y x%2fy xn--a é *.x {x} "x" <x> \'x\' ..'.split(
    ' ',
  )
const TARGETS = (root: string): readonly string[] => [
  ...[
    'http://x',
    'https://x',
    'HTTP://X',
    'http://evil.example',
    'http://x:80',
    'http://x:99999',
    'http://x@y',
    'http://a:b@x',
    'http://',
    'http:',
    'http:/',
    'ftp://x',
    'file://',
    'ws://x',
    'x://y',
    'http://[::1]',
    'http://[',
    '//x',
    '///x',
    '/\\x',
    '\\\\x',
  ].map((start) => `${start}${root}/feeds`),
  ...[
    'x:443',
    'x',
    '*',
    '**',
    '/*',
    '@',
    ':',
    ':80',
    '[::1]:80',
    'example.org:443/',
    '?',
    '?a=b',
    '#',
    '/#',
    '..',
    '/..;/',
    './',
    '/.%2e/',
    '%2f',
    '/%2e%2e%2f',
    '/%5c..',
    '/;',
    '/;/',
    '/..%00/',
    '/%',
    '/%1',
    '/%g0',
    '/%%32%35',
    '/~root',
    '/.git/config',
    '/.env',
    '/wp-login.php',
    '/server-status',
    '/cgi-bin/.%2e/%2e%2e/bin/sh',
  ],
  ...[
    '..',
    '.',
    '%2e',
    '%2e%2e',
    '..;',
    '..%2f',
    '%2f',
    '//',
    '%5c',
    '%00',
    ';x',
    ':',
    '@',
    '$',
    '{}',
    '[]',
    '|',
    '^',
    '`',
    '"',
    '<',
    '>',
  ].flatMap((part) => [`${root}/${part}/feeds`, `${root}/feeds/${part}`, `${root}${part}`]),
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND']

const targets = ({ root }: Setting): Case[] => [
  ...TARGETS(root).flatMap((target) =>
    ['GET', 'POST', 'CONNECT', 'OPTIONS'].map((method) =>
      // OPTIONS may succeed for any existing target; a fragment is for browsers only, and / is the server's front page.
      one(`${method} ${target}`, method === 'OPTIONS' || target === '/#' ? 'be well' : 'be refused', [
        Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, 'utf8'),
      ]),
    ),
  ),
  ...HOSTS.flatMap((host) =>
    [`Host: ${host}`, `Host: x\r\nX-Forwarded-Host: ${host}`, `host:${host}`].map((header) =>
      one(header, 'be well', [Buffer.from(`GET ${root}/settings/public HTTP/1.1\r\n${header}\r\n\r\n`, 'utf8')]),
    ),
  ),
]

const METHOD_BODIES = ['', 'Content-Length: 2\r\n', 'Transfer-Encoding: chunked\r\n'] as const

/** Each method with each kind of body, connection option and upgrade request. */
const manners = ({ root }: Setting): Case[] => {
  const wishes = [
    'Expect: 100-continue',
    'Expect: 100-Continue',
    'Expect: 101',
    'Expect: x',
    'Expect: 100-continue, x',
    'Expect:',
    'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    'Upgrade: h2c\r\nConnection: Upgrade',
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13',
    'Upgrade: TLS/1.0\r\nConnection: Upgrade',
    'Upgrade: x\r\nConnection: Upgrade',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Connection: close',
    'Connection: keep-alive',
    'Connection: Keep-Alive, Upgrade, close',
    'Connection: \r\nConnection: close',
    'Keep-Alive: timeout=99999999',
    'TE: trailers, chunked',
    'Trailer: Content-Length',
    'Via: 1.1 x, 1.1 x',
    'Max-Forwards: 0',
    'Content-Encoding: gzip',
    'Content-Range: bytes 0-1/2',
  ]
  const endings = { '': '', 'Content-Length: 2\r\n': '{}', 'Transfer-Encoding: chunked\r\n': '2\r\n{}\r\n0\r\n\r\n' }
  return METHODS.flatMap((method) =>
    METHOD_BODIES.flatMap((body) =>
      wishes.map((wish) => {
        const text = `${method} ${root}/nowhere HTTP/1.1\r\nHost: x\r\n${body}${wish}\r\n\r\n${endings[body]}`
        return one(
          `${method} ${body.slice(0, 8)} ${wish.slice(0, 40)}`,
          'be refused',
          [text],
          method === 'HEAD' ? { bodiless: true } : undefined,
        )
      }),
    ),
  )
}

/** The same request in two parts, truncated at each position, and pipelined twice. */
const pieces = ({ root }: Setting): Case[] => {
  const body = '{"login":"nobody","password":"Quiet-river-7431"}'
  const head = `POST ${root}/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  const chunks = `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nA: b\r\n\r\n`
  const plain = `${head}Content-Length: ${body.length}\r\n\r\n${body}`
  const get = `GET ${root}/nowhere HTTP/1.1\r\nHost: x\r\n\r\n`
  const places = (text: string, every: number) => Array.from({ length: Math.floor((text.length - 1) / every) }, (_, i) => (i + 1) * every)
  return [
    ...[plain, chunks].flatMap((text, i) => [
      ...places(text, 3).map((at) => one(`request ${i} in two at ${at}`, 'be one', [text.slice(0, at), text.slice(at)])),
      ...places(text, 3).map((at) =>
        one(`request ${i} that ends at ${at}`, 'be refused', [text.slice(0, at)], { end: true, untilClosed: true }),
      ),
    ]),
    one('a byte at a time', 'be one', [...plain]),
    ...[2, 3, 10, 50].map((count) => one(`${count} requests at once`, 'be refused', [get.repeat(count)], { answers: count })),
    ...[2, 10].map((count) => one(`${count} bodies at once`, 'be refused', [plain.repeat(count)], { answers: count })),
    ...[1, 5, 20].map((more) =>
      one(`a body that is ${more} bytes longer than it says`, 'be refused', [plain + 'x'.repeat(more)], { untilClosed: true, end: true }),
    ),
  ]
}

/** A few thousand cases. */
export const families = (setting: Setting): Readonly<Record<string, readonly Case[]>> => ({
  'bytes in heads': bytesInHeads(setting),
  'bytes in framing': bytesInFraming(setting),
  'percent encodings': percent(setting),
  'numbers in words': numbers(setting),
  'sizes of what is sent': sizes(setting),
  'targets and hosts': targets(setting),
  manners: manners(setting),
  'requests in pieces': pieces(setting),
})
