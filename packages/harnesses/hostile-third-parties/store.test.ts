import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asFile } from '#test/media.ts'
import { report } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { baselineOf, latencyLimit, measureDuring } from './others.ts'
import { type Peer, startPeer, unredactedLog } from './peer.ts'

const SECRET = 'Secret-key-4711'
const FILE = `%PDF-1.7 ${'x'.repeat(100_000)}`
const LONGEST_MS = 3000

type Answer = (response: ServerResponse) => void

/** Faulty responses of a store to a file request; `whole`: the file is nevertheless complete. */
const FILES: readonly { readonly name: string; readonly answer: Answer; readonly whole?: true }[] = [
  { name: 'the file', whole: true, answer: (response) => void response.end(FILE) },
  {
    name: 'half of it, and goes',
    answer: (response) =>
      void response.writeHead(200, { 'content-length': FILE.length }).write(FILE.slice(0, 50_000), () => response.destroy()),
  },
  {
    name: 'half of it, as if it were all',
    answer: (response) => void response.writeHead(200, { 'content-length': 50_000 }).end(FILE.slice(0, 50_000)),
  },
  { name: 'half of it, in pieces', answer: (response) => void response.write(FILE.slice(0, 50_000), () => response.end()) },
  { name: 'nothing', answer: (response) => void response.end() },
  { name: 'more than it', answer: (response) => void response.end(`${FILE}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nlies!`) },
  { name: '500', answer: (response) => void response.writeHead(500).end('<Error><Code>InternalError</Code></Error>') },
  { name: '404', answer: (response) => void response.writeHead(404).end() },
  { name: 'a redirect', answer: (response) => void response.writeHead(307, { location: '/elsewhere' }).end() },
  { name: 'a closed connection', answer: (response) => void response.destroy() },
]

let peer: Peer
let world: World
let ana: Member
let answer: Answer
let kept: ReturnType<typeof unredactedLog>
beforeAll(async () => {
  peer = await startPeer((response, { method }) => (method === 'GET' ? answer(response) : void response.end()))
  kept = unredactedLog()
  const env = { LYCEUM_S3_URL: `${peer.url}/bucket`, LYCEUM_S3_ACCESS_KEY: 'KEY', LYCEUM_S3_SECRET_KEY: SECRET }
  world = await createWorld({ env, log: kept.log })
  ana = await world.member()
})
afterAll(async () => {
  await world.close()
  await peer.stop()
})

const get = (agent: Agent, url: string) =>
  new Promise<string>((resolve) => {
    const authorization = `Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}`
    const asked = ask(url, { agent, headers: { authorization }, timeout: LONGEST_MS }, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', () => resolve('broken off'))
      response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(chunks).toString('latin1')}`))
    })
    asked.on('timeout', () => asked.destroy(new Error('late')))
    asked.on('error', ({ message }) => resolve(message === 'late' ? 'late' : 'broken off'))
    asked.end()
  })

/** Everything received on a connection after one request, until the server closes it or the limit is reached, without the headers. */
const everyByte = (url: string) =>
  new Promise<string>((resolve) => {
    const { hostname, port, pathname } = new URL(url)
    const authorization = `Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}`
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: ${authorization}\r\n\r\n`)
    socket.setTimeout(300, () => socket.destroy())
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      resolve(text.slice(text.indexOf('\r\n\r\n') + 4))
    })
  })

test('wrong bytes from a storage are never taken for the file, nor for the next response', { timeout: 60_000 }, async () => {
  const { data: file } = await ana.api.media.upload({ file: asFile(FILE, 'notes.pdf') })
  const most = latencyLimit(await baselineOf(ana))
  const wrong: string[] = []
  for (const one of FILES) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    answer = one.answer
    const { value, slowest } = await measureDuring(ana, get(agent, file.file_url))
    if (value === 'late' || slowest > most) wrong.push(`${one.name}: late`)
    if (one.whole && value !== `200 ${FILE}`) wrong.push(`${one.name}: ${value.slice(0, 50)}`)
    if (!one.whole && /^20[06] /.test(value) && value !== `200 ${FILE}`)
      wrong.push(`${one.name}: passes for a file of ${value.length - 4} bytes`)
    // On the same connection, if it is still usable.
    const next = await get(agent, `${world.base}/feeds`)
    if (!/^200 \{/.test(next) && !(await get(agent, `${world.base}/feeds`)).startsWith('200 {'))
      wrong.push(`${one.name}: then ${next.slice(0, 50)}`)
    const bytes = await everyByte(file.file_url)
    if (bytes.length > FILE.length || bytes.includes('lies!')) wrong.push(`${one.name}: speaks for the server`)
    agent.destroy()
  }
  expect(wrong).toEqual([])
  expect(kept.text()).not.toContain(SECRET)
  report({ peer: 'S3 files', answers: FILES.length, wrong: wrong.length })
})
