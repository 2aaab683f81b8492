import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOutbound, OutboundError, type OutboundOptions, type OutboundRequest } from './index.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

let plain: Server
let secure: Server
let ca: string
let handle: (request: IncomingMessage, response: ServerResponse) => void
let connections = 0
const asked: IncomingMessage[] = []

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const portOf = (server: Server) => (server.address() as AddressInfo).port
const onRequest = (request: IncomingMessage, response: ServerResponse) => {
  asked.push(request)
  handle(request, response)
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outbound-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=site.test', '-addext', 'subjectAltName=DNS:site.test,DNS:other.test']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  })
  ca = readFileSync(cert, 'utf8')
  plain = createServer(onRequest)
  secure = createTlsServer({ key: readFileSync(key), cert: ca }, onRequest)
  for (const server of [plain, secure]) {
    server.on('connection', () => {
      connections += 1
    })
    await listen(server)
  }
})
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(() => {
  connections = 0
  asked.length = 0
  handle = (_request, response) => response.end('hello')
})

const toLoopback: OutboundOptions['resolve'] = async () => [{ address: '127.0.0.1', family: 4 }]

const ask = async (url: string, options: OutboundRequest = {}, setup: Partial<OutboundOptions> = {}) => {
  const outbound = createOutbound({ allow: [], ca, ...setup })
  try {
    return await outbound.request(url, options)
  } finally {
    await outbound.close()
  }
}

const reasonOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error) => (error instanceof OutboundError ? error.reason : `${error}`),
  )

/** Hosts in every notation that leads, or might lead, to this machine or its local network. */
const hosts = (): string[] => {
  const dotted = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '100.64.0.1',
  ]
  const numbers = dotted
    .filter((host) => /^\d+\.\d+\.\d+\.\d+$/.test(host))
    .flatMap((host) => {
      const parts = host.split('.').map(Number)
      const whole = parts.reduce((sum, part) => sum * 256 + part, 0)
      const hex = parts.map((part) => `0x${part.toString(16)}`)
      const octal = parts.map((part) => `0${part.toString(8)}`)
      const wide = parts.map((part) => `0000${part.toString(8)}`)
      return [
        String(whole),
        `0x${whole.toString(16)}`,
        `0X${whole.toString(16).toUpperCase()}`,
        `0${whole.toString(8)}`,
        hex.join('.'),
        octal.join('.'),
        wide.join('.'),
        `${hex[0]}.${parts[1]}.${octal[2]}.${parts[3]}`,
        `${parts[0]}.${(parts[1]! << 16) | (parts[2]! << 8) | parts[3]!}`,
        `${parts[0]}.${parts[1]}.${(parts[2]! << 8) | parts[3]!}`,
        `${host}.`,
        host.replaceAll('.', '。'),
        host.replaceAll('.', '．'),
        host.replaceAll('.', '｡'),
        host.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        host.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
        host.replaceAll('1', '①').replaceAll('2', '②'),
        encodeURIComponent(host).replaceAll('.', '%2e'),
        host.replaceAll('1', '%31'),
        `[::ffff:${host}]`,
        `[::${host}]`,
        `[64:ff9b::${host}]`,
        `[2002:${((parts[0]! << 8) | parts[1]!).toString(16)}:${((parts[2]! << 8) | parts[3]!).toString(16)}::]`,
      ]
    })
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'lOcAlHoSt',
    'ｌocalhost',
    'loc%61lhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'localhost%00',
    'a.test',
    'ip6-localhost',
  ]
  const six = [
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[::1%25lo]',
    '[fec0::1]',
  ]
  return [...new Set([...dotted, ...numbers, ...names, ...six])]
}

test('no spelling of a loopback address connects', async () => {
  const outbound = createOutbound({ allow: [], ca, resolve: toLoopback })
  const port = portOf(secure)
  const urls = hosts().flatMap((host) => [
    `https://${host}:${port}/`,
    `http://${host}:${portOf(plain)}/`,
    `https://user:pass@${host}:${port}/`,
    `https://example.com@${host}:${port}/`,
    `https:${host}:${port}`,
    `https:\\\\${host}:${port}\\`,
    `https://${host}:${port}#@example.com/`,
    ` https://${host}:${port}/\t`,
  ])
  expect(urls.length).toBeGreaterThan(300)
  const reasons = new Set<string>()
  for (const url of urls) reasons.add(await reasonOf(outbound.request(url, { timeoutMs: 2000 })))
  await outbound.close()
  expect([...reasons]).toEqual(['refused'])
  expect(connections).toBe(0)
})

test.each([
  '',
  'x',
  '//site.test/',
  'ftp://site.test/',
  'file:///etc/passwd',
  'data:text/html,x',
  'javascript:1',
  'ws://site.test',
  'https://',
  'gopher://127.0.0.1/',
])('%j is not an address', async (url) => {
  expect(await reasonOf(ask(url))).toBe('refused')
})

test('a private address is reached where the operator allows it, by plain http and on any port', async () => {
  const answer = await ask(`http://127.0.0.1:${portOf(plain)}/path?q=1#part`, {}, { allow: LOOPBACK })
  expect([answer.status, answer.body.toString(), answer.url]).toEqual([200, 'hello', `http://127.0.0.1:${portOf(plain)}/path?q=1`])
  expect(asked[0]?.headers['user-agent']).toBe('Lyceum')
  expect(asked[0]?.url).toBe('/path?q=1')
})

test('one address that is refused refuses the name', async () => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  expect(await reasonOf(ask('https://site.test/', { timeoutMs: 2000 }, { resolve }))).toBe('refused')
})

test('a name is resolved once, and the checked address is connected to', async () => {
  let times = 0
  const resolve = async () => {
    times += 1
    return [{ address: times === 1 ? '198.51.100.7' : '127.0.0.1', family: 4 }]
  }
  const outbound = createOutbound({ allow: ['198.51.100.0/24'], ca, resolve })
  // The allowed address is unreachable; the test is that the second DNS response is never used to connect.
  expect(await reasonOf(outbound.request(`http://site.test:${portOf(plain)}/`, { timeoutMs: 300 }))).not.toBe('answered')
  expect(times).toBe(1)
  expect(await reasonOf(outbound.request(`http://site.test:${portOf(plain)}/`, { timeoutMs: 300 }))).toBe('refused')
  await outbound.close()
  expect(connections).toBe(0)
})

test('a name without an address is unreachable', async () => {
  expect(await reasonOf(ask('https://site.test/', {}, { resolve: async () => [] }))).toBe('unreachable')
  const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  expect(await reasonOf(ask('https://site.test/', {}, { resolve }))).toBe('unreachable')
})

test('a public address is only reached on the standard ports', async () => {
  const resolve = async () => [{ address: '93.184.216.34', family: 4 }]
  for (const url of ['https://site.test:22/', 'https://site.test:8443/', 'http://site.test/', 'http://site.test:80/'])
    expect(await reasonOf(ask(url, { timeoutMs: 500 }, { resolve }))).toBe('refused')
})

test('a redirect is returned unless it is to be followed', async () => {
  handle = (_request, response) => response.writeHead(302, { location: '/next' }).end('moved')
  const url = `http://127.0.0.1:${portOf(plain)}/`
  expect((await ask(url, {}, { allow: LOOPBACK })).status).toBe(302)
  const looping = await ask(url, { redirects: 3 }, { allow: LOOPBACK })
  expect([looping.status, asked.length]).toEqual([302, 1 + 4])
})

test('each hop is checked anew', async () => {
  handle = (_request, response) => response.writeHead(302, { location: `http://10.0.0.1:${portOf(plain)}/` }).end()
  expect(await reasonOf(ask(`http://127.0.0.1:${portOf(plain)}/`, { redirects: 3 }, { allow: LOOPBACK }))).toBe('refused')
  handle = (_request, response) => response.writeHead(302, { location: 'http://user:secret@127.0.0.1/' }).end()
  expect(await reasonOf(ask(`http://127.0.0.1:${portOf(plain)}/`, { redirects: 3 }, { allow: LOOPBACK }))).toBe('refused')
  handle = (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
  expect(await reasonOf(ask(`http://127.0.0.1:${portOf(plain)}/`, { redirects: 3 }, { allow: LOOPBACK }))).toBe('refused')
})

test('nothing leads from https to http, and certificates are checked', async () => {
  const setup = { allow: LOOPBACK, resolve: toLoopback }
  expect((await ask(`https://site.test:${portOf(secure)}/`, {}, setup)).body.toString()).toBe('hello')
  handle = (_request, response) => response.writeHead(301, { location: `http://site.test:${portOf(plain)}/` }).end()
  expect(await reasonOf(ask(`https://site.test:${portOf(secure)}/`, { redirects: 1 }, setup))).toBe('refused')
  expect(await reasonOf(ask(`https://wrong.test:${portOf(secure)}/`, {}, setup))).toBe('unreachable')
})

test('credentials do not follow to another origin, and a body does not follow a 303', async () => {
  handle = (request, response) =>
    request.url === '/' ? response.writeHead(303, { location: `https://other.test:${portOf(secure)}/next` }).end() : response.end('done')
  const headers = {
    Authorization: 'Bearer x',
    Cookie: 'a=b',
    'Content-Type': 'text/plain',
    'X-Kept': '1',
    Host: 'evil',
    'Content-Length': '99',
  }
  const options = { method: 'POST', headers, body: 'text', redirects: 1 } as const
  const answer = await ask(`https://site.test:${portOf(secure)}/`, options, { allow: LOOPBACK, resolve: toLoopback })
  expect(answer.body.toString()).toBe('done')
  const [first, second] = asked
  expect(first?.headers).toMatchObject({ authorization: 'Bearer x', 'content-length': '4', host: `site.test:${portOf(secure)}` })
  expect(second?.method).toBe('GET')
  expect(second?.headers['x-kept']).toBe('1')
  for (const name of ['authorization', 'cookie', 'content-type', 'content-length']) expect(second?.headers).not.toHaveProperty(name)
})

test('the limit counts unpacked bytes', async () => {
  const url = `http://127.0.0.1:${portOf(plain)}/`
  const bomb = gzipSync(Buffer.alloc(5_000_000))
  handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  expect(await reasonOf(ask(url, {}, { allow: LOOPBACK }))).toBe('too_large')
  expect((await ask(url, { cut: true, maxBytes: 1000 }, { allow: LOOPBACK })).body.length).toBe(1000)
  expect((await ask(url, { maxBytes: 5_000_000 }, { allow: LOOPBACK })).body.length).toBe(5_000_000)
  handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('bread'))
  expect((await ask(url, {}, { allow: LOOPBACK })).body.toString()).toBe('bread')
  handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb))
  expect(await reasonOf(ask(url, {}, { allow: LOOPBACK }))).toBe('unreachable')
  handle = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
  expect(await reasonOf(ask(url, {}, { allow: LOOPBACK }))).toBe('unreachable')
})

test('vuln-18: the deadline covers the whole request', async () => {
  const url = `http://127.0.0.1:${portOf(plain)}/`
  handle = () => {}
  expect(await reasonOf(ask(url, { timeoutMs: 100 }, { allow: LOOPBACK }))).toBe('timeout')
  handle = (_request, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(drip))
  }
  expect(await reasonOf(ask(url, { timeoutMs: 200 }, { allow: LOOPBACK }))).toBe('timeout')
})

test('headers have a limit', async () => {
  handle = (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end()
  expect(await reasonOf(ask(`http://127.0.0.1:${portOf(plain)}/`, {}, { allow: LOOPBACK }))).toBe('too_large')
})

test('a limited number run concurrently, a limited number wait, and the others are rejected', async () => {
  const held: ServerResponse[] = []
  let most = 0
  handle = (_request, response) => {
    held.push(response)
    most = Math.max(most, held.length)
    setTimeout(() => {
      held.splice(held.indexOf(response), 1)
      response.end()
    }, 20)
  }
  const outbound = createOutbound({ allow: LOOPBACK, concurrency: 2, waiting: 3 })
  const reasons = await Promise.all(Array.from({ length: 7 }, () => reasonOf(outbound.request(`http://127.0.0.1:${portOf(plain)}/`))))
  await outbound.close()
  expect(most).toBe(2)
  expect(reasons.filter((reason) => reason === 'answered')).toHaveLength(5)
  expect(reasons.filter((reason) => reason === 'unreachable')).toHaveLength(2)
})

test('proxy variables of the environment are ignored', async () => {
  const before = process.env['HTTP_PROXY']
  process.env['HTTP_PROXY'] = `http://127.0.0.1:${portOf(plain)}`
  try {
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }]
    expect(await reasonOf(ask('http://site.test/', { timeoutMs: 300 }, { resolve }))).toBe('refused')
    expect(connections).toBe(0)
  } finally {
    if (before === undefined) delete process.env['HTTP_PROXY']
    else process.env['HTTP_PROXY'] = before
  }
})
