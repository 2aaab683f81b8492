import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, fetchFile, picture, upload } from '#test/media.ts'
import { type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const MB = 2 ** 20
const PER_MEMBER = 2

let world: World
let site: Receiver
let large: Buffer
const open: Socket[] = []

beforeAll(async () => {
  large = Buffer.concat([await picture(), Buffer.alloc(8 * MB - 1000)])
  site = await startReceiver((_got, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(large))
  world = await createWorld({
    env: { LYCEUM_OUTBOUND_ALLOW: '127.0.0.1/32', LYCEUM_RESPONSE_BUFFER_MEMBER_MB: String(PER_MEMBER), LYCEUM_RESPONSE_BUFFER_MB: '1000' },
  })
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  await world.close()
  await site.stop()
})

/** Requests a file and reads only the beginning of the response. */
const askSlowly = (who: Member, url: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port, pathname, search } = new URL(url)
    const head = [`GET ${pathname}${search} HTTP/1.1`, `host: ${hostname}:${port}`, `authorization: ${basic(who).authorization}`]
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n`))
    open.push(socket)
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      socket.pause()
      resolve(bytes.toString('latin1').slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3))
    })
  })

const remote = (name: string) => `${world.origin}/media/remote?url=${encodeURIComponent(`${site.url}/${name}.png`)}`

test('remote pictures that a member does not read are charged in full to that member', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  expect(await askSlowly(ana, remote('one'))).toBe('200')
  expect(await askSlowly(ana, remote('two'))).toBe('429')
  expect((await ana.raw('GET', '/feeds')).status).toBe(429)
  expect((await fetchFile(ben, remote('three'))).status).toBe(200)
})

test('files that a member does not read are charged to the member, not to the address', async () => {
  const [ana, ben] = [await world.member(), await world.member()]
  const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(9 * MB, 32)])
  const { file_url } = await upload(ana, pdf, 'long.pdf')
  const url = new URL(file_url, world.origin).href
  const share = 128 * 1024
  for (let n = 0; n < (PER_MEMBER * MB) / share; n++) expect(await askSlowly(ana, url)).toBe('200')
  expect(await askSlowly(ana, url)).toBe('429')
  expect((await ben.raw('GET', '/feeds')).status).toBe(200)
})
