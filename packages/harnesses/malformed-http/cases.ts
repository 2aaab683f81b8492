import { gzipSync } from 'node:zlib'
import { createRandom } from '#test/random.ts'
import type { Bytes, ExchangeOptions } from '#test/raw-socket.ts'

/**
 * A request that no client should send. `refused`: nothing in it may succeed. `cut`: also, the connection must not be reused. `one`: it
 * gets one response, and no part of it is handled as another request. `succeed`: unusual but valid. `well`: any proper response is correct.
 */
export interface Case {
  readonly name: string
  readonly pieces: readonly Bytes[]
  readonly must: 'be answered' | 'be refused' | 'be cut' | 'be one' | 'succeed' | 'be well'
  readonly options?: ExchangeOptions
}

interface Setting {
  /** The API root, `/api/v2`. */
  readonly root: string
  /** Authorization header of a member. */
  readonly authorization: string
}

const bytes = (...values: number[]) => Buffer.from(values)
const request = (line: string, headers: readonly string[], body: Bytes = '') =>
  Buffer.concat([
    Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n`, 'latin1'),
    Buffer.isBuffer(body) ? body : Buffer.from(body, 'utf8'),
  ])

/** Two conflicting body lengths, and header variants that servers interpret differently. */
const smuggling = ({ root }: Setting): Case[] => {
  const hidden = `GET ${root}/settings/public HTTP/1.1\r\nHost: x\r\n\r\n`
  const chunked = `0\r\n\r\n${hidden}`
  const line = `POST ${root}/auth/login HTTP/1.1`
  const usual = ['Host: x', 'Content-Type: application/json']
  const lengths = [
    String(chunked.length),
    '0',
    '3',
    '+3',
    '-1',
    '0x3',
    '3 3',
    '1e1',
    '3;',
    '3,3',
    '3, 4',
    '99999999999999999999',
    '',
    ' ',
    '３',
    'x',
    '\t3',
  ]
  const encodings = [
    'chunked',
    'Chunked',
    'chunked ',
    '\tchunked',
    'xchunked',
    'chunked, identity',
    'identity',
    'identity, chunked',
    'gzip, chunked',
    'chunked;q=1',
    '"chunked"',
    'chun ked',
    'cow',
    'chunked, chunked',
    ',chunked',
    'chunked\x0b',
    'chunked\x00',
    '',
  ]
  const names = ['Transfer-Encoding', 'transfer-encoding', 'TRANSFER-ENCODING']
  const found: Case[] = []
  for (const encoding of encodings) {
    for (const length of [String(chunked.length), '0', '3']) {
      for (const name of names.slice(0, length === '0' ? 3 : 1)) {
        const pieces = [request(line, [...usual, `Content-Length: ${length}`, `${name}: ${encoding}`], chunked)]
        found.push({
          name: `CL ${length} and ${name}: ${JSON.stringify(encoding)}`,
          pieces,
          must: encoding === '' ? 'be answered' : 'be cut',
          options: { untilClosed: encoding !== '' },
        })
      }
    }
    const pieces = [request(line, [...usual, `Transfer-Encoding: ${encoding}`], chunked)]
    if (!/^\s*(chunked|Chunked)\s*$/.test(encoding) && encoding !== '' && !/, chunked$|^,chunked$/.test(encoding))
      found.push({ name: `TE ${JSON.stringify(encoding)} alone`, pieces, must: 'be refused' })
  }
  for (const length of lengths.filter((text) => !/^\s*\d+$/.test(text) || text.length > 10))
    found.push({
      name: `CL ${JSON.stringify(length)}`,
      pieces: [request(line, [...usual, `Content-Length: ${length}`], '{}x')],
      must: 'be cut',
      options: { untilClosed: true },
    })
  for (const [first, second] of [
    ['3', '4'],
    ['3', '3'],
    ['0', String(hidden.length)],
    [String(hidden.length), '0'],
  ])
    found.push({
      name: `CL twice: ${first} and ${second}`,
      pieces: [request(line, [...usual, `Content-Length: ${first}`, `Content-Length: ${second}`], hidden)],
      must: 'be cut',
      options: { untilClosed: true },
    })
  for (const odd of [
    'Transfer-Encoding : chunked',
    ' Transfer-Encoding: chunked',
    'Transfer-Encoding\t: chunked',
    'Transfer-Encoding:\r\n chunked',
    'X: y\r\n\tTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
    'X: y\rTransfer-Encoding: chunked',
    'X: y\nTransfer-Encoding: chunked',
    'Content-Length : 3',
    'Content-Length\x00: 3',
  ])
    found.push({
      name: JSON.stringify(odd),
      pieces: [request(line, [...usual, 'Content-Length: 3', odd], chunked)],
      must: 'be cut',
      options: { untilClosed: true },
    })
  return found
}

const chunks = ({ root }: Setting): Case[] => {
  const head = `POST ${root}/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const bodies: readonly (readonly [string, string])[] = [
    ['size that is no number', 'G\r\n{}\r\n0\r\n\r\n'],
    ['negative size', '-1\r\n{}\r\n0\r\n\r\n'],
    ['size beyond 64 bits', 'FFFFFFFFFFFFFFFFF\r\n{}\r\n'],
    ['size with 0x', '0x2\r\n{}\r\n0\r\n\r\n'],
    ['space before the size', ' 2\r\n{}\r\n0\r\n\r\n'],
    ['no line end after a chunk', '2\r\n{}0\r\n\r\n'],
    ['a chunk that is too long', '2\r\n{}}\r\n0\r\n\r\n'],
    ['lines that end in LF', '2\n{}\n0\n\n'],
    ['a long extension', `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    ['many extensions', `2${';a=b'.repeat(9000)}\r\n{}\r\n0\r\n\r\n`],
    ['an extension with a line end', '2;a="\r\n"\r\n{}\r\n0\r\n\r\n'],
    ['trailers without end', `2\r\n{}\r\n0\r\n${'A: b\r\n'.repeat(5000)}\r\n`],
    ['a trailer that is no header', '2\r\n{}\r\n0\r\nbad trailer\r\n\r\n'],
  ]
  const refused = bodies.map(([name, body]): Case => ({ name: `chunks: ${name}`, pieces: [head, body], must: 'be refused' }))
  const fine: Case = {
    name: 'chunks: a trailer that says Content-Length',
    pieces: [head, '2\r\n{}\r\n0\r\nContent-Length: 50\r\nHost: y\r\n\r\n'],
    must: 'be answered',
  }
  return [...refused, fine]
}

const requestLines = ({ root }: Setting): Case[] => {
  const path = `${root}/settings/public`
  const refused = ['FOO', 'get', 'G E T', '', 'GET\x00', 'GET\t', 'PRI', '\xf0\x9f\x92\xa9', 'M'.repeat(4096), 'GET,POST', '@', 'Ge T'].map(
    (method): Case => ({
      name: `method ${JSON.stringify(method.slice(0, 20))}`,
      pieces: [request(`${method} ${path} HTTP/1.1`, ['Host: x'])],
      must: 'be refused',
    }),
  )
  const known = [
    'TRACE',
    'TRACK',
    'CONNECT',
    'PROPFIND',
    'PURGE',
    'QUERY',
    'M-SEARCH',
    'LINK',
    'LOCK',
    'SEARCH',
    'REPORT',
    'SUBSCRIBE',
  ].map((method): Case => ({ name: `method ${method}`, pieces: [request(`${method} ${path} HTTP/1.1`, ['Host: x'])], must: 'be refused' }))
  const versions = [
    'HTTP/0.9',
    'HTTP/1.2',
    'HTTP/2.0',
    'HTTP/3',
    'HTTP/1.1x',
    'http/1.1',
    'HTTP/1.',
    'HTTP',
    'HTTP/01.1',
    'HTTP/1.1 ',
    'XTTP/1.1',
    '',
  ].map(
    (version): Case => ({
      name: `version ${JSON.stringify(version)}`,
      pieces: [request(`GET ${path} ${version}`, ['Host: x'])],
      must: 'be refused',
    }),
  )
  const lines = [
    'GET',
    'GET  HTTP/1.1',
    `GET ${path}`,
    'GET / x HTTP/1.1',
    'GET \x00 HTTP/1.1',
    'GET /\x00 HTTP/1.1',
    'GET /a\tb HTTP/1.1',
    'GET /\r HTTP/1.1',
    ' GET / HTTP/1.1',
    'GET\\/ HTTP/1.1',
    `GET /${'a'.repeat(17_000)} HTTP/1.1`,
    `GET ${path}?${'a'.repeat(1_000_000)} HTTP/1.1`,
    `GET /${'%41'.repeat(6000)} HTTP/1.1`,
  ].map((line): Case => ({ name: `line ${JSON.stringify(line.slice(0, 30))}`, pieces: [request(line, ['Host: x'])], must: 'be refused' }))
  const targets = [
    '*',
    '///',
    '\\',
    '/\\',
    '.',
    '/..',
    '/../../etc/passwd',
    `${root}/../../etc/passwd`,
    `${root}/..%2f..%2f`,
    `http://evil.example${root}/feeds`,
    `https://evil.example:99999${root}/feeds`,
    `//evil.example${root}/feeds`,
    `http://${root}/feeds`,
    'x:y',
    '#',
    `${root}/feeds#fragment`,
    '/%',
    '/%0',
    '/%zz',
    `${root}/%`,
    `${root}/%2`,
    `${root}/%zz`,
    `${root}/feeds/%ff/by-id`,
    `${root}/feeds/%c0%ae/by-id`,
    `${root}/feeds/%00/by-id`,
    `${root}/feeds/1%00/by-id`,
    `${root}/profile/%e2%80%ae`,
    `${root}/%66eeds`,
    `${root}//feeds`,
    `${root}/feeds/`,
    `${root}/feeds//`,
    `${root}/./feeds`,
    `${root}/FEEDS`,
    `${root}/feeds;a=b`,
    `${root}/feeds?%`,
    `${root}/feeds?%zz=%zz`,
    `${root}/feeds?__proto__[x]=1&constructor.prototype.x=1`,
    `${root}/feeds?${'a&'.repeat(5000)}`,
    `${root}/feeds?page=1&page=2`,
    `${root}/feeds?${'&'.repeat(8000)}`,
    `${root}/feeds?page[]=1`,
    '/\xff\xfe',
    `${root}/\xe2\x80\xae`,
    `${root}/feeds/${'1'.repeat(8000)}/by-id`,
  ]
  const odd = targets.flatMap((target): Case[] =>
    ['GET', 'POST'].map((method) => ({
      name: `${method} ${JSON.stringify(target.slice(0, 60))}`,
      pieces: [request(`${method} ${target} HTTP/1.1`, ['Host: x', 'Content-Length: 0'])],
      must: 'be refused',
    })),
  )
  return [
    ...refused,
    ...known,
    ...versions,
    ...lines,
    ...odd,
    { name: 'GET //', pieces: [request('GET // HTTP/1.1', ['Host: x'])], must: 'be answered' },
  ]
}

const headers = ({ root }: Setting): Case[] => {
  const line = `GET ${root}/settings/public HTTP/1.1`
  const many = (count: number) => Array.from({ length: count }, (_, i) => `${i.toString(36)}:`)
  const refused: readonly (readonly [string, readonly string[]])[] = [
    ['a header of 20 KB', ['Host: x', `X: ${'y'.repeat(20_000)}`]],
    ['2,000 headers', ['Host: x', ...many(2000)]],
    ['500 headers', ['Host: x', ...many(500)]],
    ['101 headers', ['Host: x', ...many(100)]],
    ['20,000 headers', ['Host: x', ...many(20_000)]],
    ['one of 1 MB', [`Host: ${'x'.repeat(1_000_000)}`]],
    ['no host', []],
    ['two hosts', ['Host: x', 'Host: y']],
    ['the same host twice', ['Host: x', 'host: x']],
    ['a name with a space', ['Host: x', 'X Y: z']],
    ['no colon', ['Host: x', 'Nonsense']],
    ['no name', ['Host: x', ': y']],
    ['a name with NUL', ['Host: x', 'X\x00: y']],
    ['a value with NUL', ['Host: x', 'X: a\x00b']],
    ['a name in UTF-8', ['Host: x', '\xc3\xa9: y']],
    ['a folded line', ['Host: x', 'X: y', ' z']],
    ['a bare CR in a value', ['Host: x', 'X: a\rb']],
    ['a name with brackets', ['Host: x', 'X[y]: z']],
    ['a control character in a value', ['Host: x', 'X: \x01']],
    ['a host with control characters', ['Host: \x7f\x08']],
  ]
  const answered: readonly (readonly [string, readonly string[]])[] = [
    ['an empty host', ['Host:']],
    ['a host of another', ['Host: evil.example:99999']],
    ['99 headers', ['Host: x', ...many(98)]],
    ['a value of 15 KB', ['Host: x', `X: ${'y'.repeat(15_000)}`]],
    ['many cookies', ['Host: x', `Cookie: ${'a=b; '.repeat(2000)}`]],
    ['cookies named as prototypes', ['Host: x', 'Cookie: __proto__=1; constructor=2; lyceum_session=%zz']],
    ['an upgrade to h2c', ['Host: x', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA']],
    [
      'an upgrade to websocket',
      ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'],
    ],
    ['an expectation that means nothing', ['Host: x', 'Expect: the-unexpected']],
    ['an expectation of 100', ['Host: x', 'Expect: 100-continue']],
    ['both kinds of connection', ['Host: x', 'Connection: close, keep-alive']],
    ['a connection that names headers', ['Host: x', 'Connection: authorization, host, x-request-id']],
    ['an id that is no id', ['Host: x', 'X-Request-Id: \xff<script>']],
    [
      'forwarding headers full of nonsense',
      ['Host: x', 'Forwarded: for=;;;=', 'X-Forwarded-For: ,,,%%%', 'X-Real-IP: x', 'X-Forwarded-Proto: \xff'],
    ],
    ['odd dates and ranges', ['Host: x', 'If-Modified-Since: x', 'Range: bytes=9-1', 'If-Match: *', 'If-None-Match: W/']],
    ['an accept of 10 KB', ['Host: x', `Accept: ${'a/b;q=0.1,'.repeat(1000)}`, 'Accept-Encoding: *;q=0', 'Accept-Charset: x']],
  ]
  const credentials = [
    'Basic',
    'Basic ',
    'Basic =',
    'Basic Og==',
    'Basic AAAA',
    'Basic !!!!',
    'Basic w7/Dv8O/',
    'basic x',
    'Bearer x',
    'Digest x',
    '\xff',
    `Basic ${'A'.repeat(15_000)}`,
    'Basic YTpi, Basic YTpi',
    'Basic YQBiOmM=',
  ]
  return [
    ...refused.map(([name, list]): Case => ({ name: `headers: ${name}`, pieces: [request(line, list)], must: 'be refused' })),
    ...answered.map(([name, list]): Case => ({ name: `headers: ${name}`, pieces: [request(line, list)], must: 'be answered' })),
    ...credentials.map(
      (value): Case => ({
        name: `credentials ${JSON.stringify(value.slice(0, 20))}`,
        pieces: [request(`GET ${root}/feeds HTTP/1.1`, ['Host: x', `Authorization: ${value}`])],
        must: 'be refused',
      }),
    ),
    { name: 'lines that end in LF alone', pieces: [`${line}\nHost: x\n\n`], must: 'be refused' },
  ]
}

const post = (
  { root, authorization }: Setting,
  body: Bytes,
  more: readonly string[] = ['Content-Type: application/json'],
  length = Buffer.byteLength(body),
) => request(`POST ${root}/feeds HTTP/1.1`, ['Host: x', `Authorization: ${authorization}`, `Content-Length: ${length}`, ...more], body)

/** Content types that Fastify once parsed as JSON without validation, and types other than JSON. */
const TYPES = [
  'application/json\ta',
  ' application/json',
  'application/json ;x',
  'Application/JSON ;x',
  'APPLICATION/JSON',
  'application/json;charset=utf-16',
  'application/json; charset="',
  'application/json,text/plain',
  'application/jsonx',
  'application/json+x',
  'application/problem+json',
  'application/*',
  '*/*',
  'text/plain',
  'text/json',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/graphql',
  '',
  ' ',
  ';',
  '/',
  'x',
  'json',
  'application',
  'application/',
  '\xff/\xff',
  'application/json\x0b',
  'application/json;;;;',
  'a'.repeat(5000),
  '__proto__',
  'constructor',
  'toString',
]

const UTF8: readonly Buffer[] = [
  bytes(0xff),
  bytes(0xc0, 0x80),
  bytes(0xc1, 0xbf),
  bytes(0xe0, 0x80, 0x80),
  bytes(0xed, 0xa0, 0x80),
  bytes(0xf0, 0x80, 0x80, 0x80),
  bytes(0xf4, 0x90, 0x80, 0x80),
  bytes(0xf8, 0x88, 0x80, 0x80, 0x80),
  bytes(0xe2, 0x82),
  bytes(0x80),
  bytes(0xc3),
  bytes(0xfe, 0xff),
]

const bodies = (setting: Setting): Case[] => {
  const refused = (name: string, pieces: readonly Bytes[]): Case => ({ name: `body: ${name}`, pieces, must: 'be refused' })
  const around = (inner: Buffer) => Buffer.concat([Buffer.from('{"message":"'), inner, Buffer.from('"}')])
  const deep = [10, 16, 17, 100, 1000, 10_000, 100_000, 400_000].flatMap((depth) => [
    refused(`array ${depth} deep`, [post(setting, `{"message":${'['.repeat(depth)}${']'.repeat(depth)}}`)]),
    refused(`object ${depth} deep`, [post(setting, `${'{"message":'.repeat(depth)}1${'}'.repeat(depth)}`)]),
    refused(`array ${depth} deep that never closes`, [post(setting, '['.repeat(depth))]),
    refused(`__proto__ ${depth} deep`, [
      post(setting, `{"message":"x","meta":${'{"__proto__":'.repeat(depth)}{"polluted":1}${'}'.repeat(depth)}}`),
    ]),
    refused(`constructor ${depth} deep`, [
      post(setting, `{"message":"x","meta":${'{"constructor":{"prototype":'.repeat(depth)}{"polluted":1}${'}}'.repeat(depth)}}`),
    ]),
  ])
  const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20))
  return [
    ...deep,
    ...UTF8.map((inner) => refused(`invalid UTF-8 ${inner.toString('hex')} in a string`, [post(setting, around(inner))])),
    ...UTF8.map((inner) => refused(`invalid UTF-8 ${inner.toString('hex')} alone`, [post(setting, inner)])),
    // The message is a number: accepting it means the body was not validated.
    ...TYPES.map((type) =>
      refused(`type ${JSON.stringify(type.slice(0, 40))}`, [post(setting, '{"message":1}', [`Content-Type: ${type}`])]),
    ),
    refused('no type', [post(setting, '{"message":"x"}', [])]),
    refused('two types', [post(setting, '{"message":1}', ['Content-Type: text/plain', 'Content-Type: application/json'])]),
    ...['gzip', 'deflate', 'br', 'zstd', 'x-gzip', 'gzip, gzip', 'compress'].map((coding) =>
      refused(`${coding} bomb`, [post(setting, bomb, ['Content-Type: application/json', `Content-Encoding: ${coding}`])]),
    ),
    refused('BOM', [post(setting, Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from('{"message":1}')]))]),
    refused('UTF-16', [post(setting, Buffer.from('\ufeff{"message":"x"}', 'utf16le'))]),
    refused('NUL', [post(setting, '{"message":"a\\u0000b"}')]),
    refused('raw NUL', [post(setting, bytes(0))]),
    refused('300 KB', [post(setting, `{"message":"${'x'.repeat(300_000)}"}`)]),
    refused('announced as 1 GB', [post(setting, '{', ['Content-Type: application/json'], 2 ** 30)]),
    refused('announced as 2^60', [post(setting, '{', ['Content-Type: application/json'], 2 ** 60)]),
    refused('2,001 members', [post(setting, `{"message":1,${Array.from({ length: 2000 }, (_, i) => `"${i}":1`).join()}}`)]),
    refused('100,000 numbers', [post(setting, `{"message":[${'1,'.repeat(100_000)}1]}`)]),
    refused('a number of 100,000 digits', [post(setting, `{"message":${'9'.repeat(100_000)}}`)]),
    refused('a million escapes', [post(setting, `{"message":1,"x":"${'\\u0041'.repeat(40_000)}`)]),
    refused('with GET', [request(`GET ${setting.root}/feeds HTTP/1.1`, ['Host: x', 'Content-Length: 5'], 'GET /')]),
  ]
}

const rubbish = (): Case[] => {
  const random = createRandom(42)
  const noise = Array.from({ length: 40 }, (_, i): Case => {
    const length = 1 + random.int(2000)
    const piece = Buffer.from(Array.from({ length }, () => random.int(256)))
    return { name: `noise ${i}`, pieces: [piece, '\r\n\r\n'], must: 'be cut', options: { untilClosed: true, end: true } }
  })
  const protocols: readonly (readonly [string, Bytes])[] = [
    ['TLS', bytes(0x16, 3, 1, 0, 0xa5, 1, 0, 0, 0xa1, 3, 3)],
    ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['SMTP', 'EHLO example.org\r\nMAIL FROM:<a@b>\r\n'],
    ['Redis', '*1\r\n$4\r\nPING\r\n'],
    ['memcached', 'stats\r\n'],
    ['PostgreSQL', bytes(0, 0, 0, 8, 4, 0xd2, 0x16, 0x2f)],
    ['a response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a proxy header', 'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['line ends', '\r\n'.repeat(2000)],
    ['NULs', Buffer.alloc(20_000)],
    ['spaces', ' '.repeat(20_000)],
  ]
  return [
    ...noise,
    ...protocols.map(
      ([name, piece]): Case => ({ name: `speaks ${name}`, pieces: [piece], must: 'be cut', options: { untilClosed: true, end: true } }),
    ),
  ]
}

export const casesFor = (setting: Setting): Case[] => [
  ...smuggling(setting),
  ...chunks(setting),
  ...requestLines(setting),
  ...headers(setting),
  ...bodies(setting),
  ...rubbish(),
]
