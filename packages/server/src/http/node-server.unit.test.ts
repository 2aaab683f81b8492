import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createListener } from './node-server.ts'

/** More than the socket buffers of the operating system on both sides of a connection. */
const MUCH = Buffer.alloc(48 * 2 ** 20)
const CLIENT_TIMEOUTS = { head: 5000, request: 5000, silence: 300 }
const REQUEST = 'GET /much HTTP/1.1\r\nhost: x\r\n\r\n'

let server: ReturnType<typeof createListener>
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A client that has requested a large response and has not read any of it, and the server's side of the connection. */
const ask = async (): Promise<{ client: Socket; there: Socket }> => {
  server = createListener((_request, response) => response.writeHead(200, { 'content-length': MUCH.length }).end(MUCH), CLIENT_TIMEOUTS)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).pause()
  const [there] = await once(server, 'connection')
  client.write(REQUEST)
  return { client, there }
}

test('a client that does not read its response is disconnected, and the buffered bytes are released', async () => {
  const { client, there } = await ask()
  const begun = performance.now()
  await once(there, 'close')
  expect(performance.now() - begun).toBeLessThan(10 * CLIENT_TIMEOUTS.silence)
  // An orderly end of the connection would arrive only after the buffered data.
  const how = new Promise((resolve) => {
    client.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    client.once('end', () => resolve('end'))
  })
  client.resume()
  expect(await how).toBe('ECONNRESET')
})

test('a client that reads slowly but steadily gets the whole response', async () => {
  const { client } = await ask()
  const begun = performance.now()
  let [read, rested] = [0, 0]
  for await (const piece of client) {
    read += piece.length
    if (read >= MUCH.length) break
    if (read - rested < 2 ** 20) continue
    rested = read
    await pause(30)
  }
  expect(read).toBeGreaterThanOrEqual(MUCH.length)
  expect(performance.now() - begun).toBeGreaterThan(3 * CLIENT_TIMEOUTS.silence)
})

test('closing ends a connection that may be used again once its response has been sent', async () => {
  let finish = () => {}
  server = createListener((_request, response) => {
    response.writeHead(200, { 'content-length': 2 }).write('a')
    finish = () => response.end('b')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(client, 'data')
  const closed = once(server, 'close')
  server.close()
  const begun = performance.now()
  finish()
  const [rest] = await once(client, 'data')
  expect(String(rest)).toMatch(/b$/)
  await closed
  expect(performance.now() - begun).toBeLessThan(5000)
})
